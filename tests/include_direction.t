#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC2317 # rules are functions that are called by name
# Who may include whom, and the one door of each outside interface (HACKING.md).
. "${srcdir:-.}/tests/tap.sh"
scratch include_direction
runtime="base arithmetic function data plugin checking executor operation placement mesh cluster exchange strategy value reduce call memo run step rows metric input repeat program checkpoint server coordinator" # each uses those before it

# includes ROOT FOLDERS...: "file:header" of every #include, files relative to ROOT.
includes() {
    root=$1
    shift
    for folder in "$@"; do
        # shellcheck disable=SC2016 # awk's own
        [ ! -d "$root/$folder" ] || (cd "$root" && find "$folder" \( -name '*.[ch]' -o -name '*.cc' \) -exec awk '
            /^ *# *include *[<"]/ {
                header = $0
                sub(/^ *# *include *[<"]/, "", header)
                sub(/[>"].*/, "", header)
                print FILENAME ":" header
            }' {} +)
    done
}

# Each prints what breaks its rule.
public_headers() {
    includes "$1" include | grep ':.*/' | grep -Ev ':(cohort|sys)/' | grep -v '^include/cohort/opencl.h:CL/cl.h$'
    includes "$1" include | grep '^include/cohort/plugin.h:cohort/' | grep -v ':cohort/codes.h$'
}
users() {
    includes "$1" cli examples | grep -E ':(runtime|host|plugins|opencl|tests)/'
    includes "$1" examples | grep ':cli/'
}
plugins() {
    includes "$1" host plugins opencl | grep -E ':(runtime|cli|tests)/'
    includes "$1" host plugins opencl | grep ':cohort/' | grep -Ev ':cohort/(plugin|codes|communicator)\.h$'
    includes "$1" plugins | grep -E ':(host|opencl)/'
    includes "$1" host | grep ':opencl/'
    includes "$1" opencl | grep ':host/'
}
core() {
    includes "$1" runtime | grep -E ':(host|plugins|opencl|cli|examples|tests)/'
    later=$runtime
    for folder in $runtime; do
        later=${later#"$folder"}
        later=${later# }
        [ -z "$later" ] || includes "$1" "runtime/$folder" | grep -E ":runtime/($(echo "$later" | tr ' ' '|'))/"
    done
    includes "$1" runtime/data/format | grep ':runtime/data/dataset/'
}
# Types that headers of a folder define and that programs do not see.
types_of() {
    find "$1" -name '*.h' -exec sed -nE 's/^} (cohort_[a-z_0-9]+);.*/\1/p; s/^(typedef )?struct (cohort_[a-z_0-9]+) \{.*/\2/p' {} + | sort -u |
        grep -vxFf "$scratch/public"
}
# FILE:TYPE: nothing in a folder knows a type of a later one, as it would in a field (struct TYPE *) or a hook; and no
# header hands out a variable of a thread.
nouns() {
    find "$1/include" -name '*.h' -exec grep -ohE '\bcohort_[a-z_0-9]+' {} + 2>/dev/null | sort -u >"$scratch/public"
    later=$runtime
    for folder in $runtime; do
        later=${later#"$folder"}
        later=${later# }
        for other in $later; do types_of "$1/runtime/$other"; done >"$scratch/later" 2>/dev/null
        [ ! -s "$scratch/later" ] || [ ! -d "$1/runtime/$folder" ] ||
            (cd "$1" && find "runtime/$folder" -name '*.[ch]' -exec grep -owFf "$scratch/later" /dev/null {} +)
    done | sort -u
    [ ! -d "$1/runtime" ] || (cd "$1" && find runtime -name '*.h' -exec grep -o 'extern _Thread_local' /dev/null {} +)
}
# circles: "FOLDER: MODULE..." of modules, each a .c and its .h, that include each other in a circle, so that none can be
# read without the others. Two are often a noun and its helper; more than three are a folder that has lost its order.
circles() {
    includes "$1" runtime host plugins opencl cli | awk -F: -v most=3 '
        function stem(path) { sub(/\.[a-z]+$/, "", path); return path }
        function folder(path) { sub(/[^\/]*$/, "", path); return path }
        # all that a module leads to: a list that grows while it is read
        function follow(a,    list, n, i, j, to, count) {
            list[n = 1] = a
            for (i = 1; i <= n; i++) {
                count = split(edges[list[i]], to, " ")
                for (j = 1; j <= count; j++)
                    if (!((a, to[j]) in reach)) {
                        reach[a, to[j]] = 1
                        list[++n] = to[j]
                    }
            }
        }
        folder($1) == folder($2) && stem($1) != stem($2) { edges[stem($1)] = edges[stem($1)] " " stem($2) }
        END {
            for (a in edges) names[++modules] = a
            for (k = 1; k <= modules; k++) follow(names[k])
            for (k = 1; k <= modules; k++) {
                a = names[k]
                n = is_told = 0
                text = ""
                for (m = 1; m <= modules; m++)
                    if (((a, names[m]) in reach) && ((names[m], a) in reach)) {
                        n++
                        text = text " " names[m]
                        is_told = is_told || m < k
                    }
                if (n > most && !is_told) print folder(a) ": " n " modules in a circle:" text
            }
        }'
}
# door HEADER PLACE: files that include HEADER outside of PLACE, both patterns.
door() {
    includes "$root_of_door" runtime host plugins opencl cli examples | grep ":$1\$" | grep -Ev "^$2:"
}
doors() {
    root_of_door=$1
    door 'dlfcn\.h' '(cli/conformance/subject\.c|runtime/base/library\.c|opencl/library\.c|plugins/(broken|chaos|wrong)/[^/]*)'
    door 'ffi\.h' 'runtime/function/native_call\.c'
    door 'zlib\.h' '(runtime/data/format/inflate|runtime/base/gzip|cli/gunzip)\.c'
    door 'jansson\.h' 'runtime/cluster/(tf_config|json)_[^/]*\.c'
    door 'omp\.h' 'host/[^/]*'
    door 'CL/.*' 'opencl/[^/]*'
    door 'mpi\.h' 'plugins/mpi/[^/]*'
    # their functions follow the locale: runtime/base/ascii.h and cli/ascii.h do not
    door 'runtime/repeat/.*' 'runtime/(repeat|program)/[^/]*'
    door 'ctype\.h' 'examples/[^/]*'
    door 'strings\.h' 'examples/[^/]*'
}

for rule in public_headers users plugins core nouns circles doors; do
    found=$($rule "$srcdir")
    is "$found" "" "nothing breaks the rule of $rule"
done

# breaks RULE FILE HEADER: each rule is able to fail.
breaks() {
    rm -rf "$scratch/tree"
    mkdir -p "$scratch/tree/${2%/*}"
    printf '#include <%s>\n' "$3" >"$scratch/tree/$2"
    has "$($1 "$scratch/tree")" "$2:$3" "$2 may not include $3"
}
breaks public_headers include/cohort/value.h runtime/value/value.h
breaks public_headers include/cohort/plugin.h cohort/status.h
breaks public_headers include/cohort/plugin.h cohort/image.h
breaks users cli/main.c runtime/base/log.h
breaks users examples/nn.h cli/cli.h
breaks plugins host/host.c runtime/base/log.h
breaks plugins host/host.c cohort/status.h
breaks plugins plugins/loopback.c host/host.h
breaks core runtime/base/log.c runtime/run/run.h
breaks core runtime/value/value.c runtime/reduce/tree.h
breaks core runtime/value/value.c host/host.h
breaks core runtime/data/format/bytes.c runtime/data/dataset/dataset.h
breaks core runtime/data/dataset/batch.c runtime/strategy/strategy.h
breaks core runtime/data/dataset/batch.c runtime/value/value.h
breaks core runtime/data/format/npy.c runtime/plugin/device.h
breaks doors runtime/run/run.c dlfcn.h
breaks doors runtime/function/parse.c ffi.h
breaks doors runtime/base/log.c omp.h
breaks doors host/host.c CL/cl.h
breaks doors runtime/exchange/mpi.c mpi.h
breaks doors cli/env.c strings.h
breaks doors runtime/function/lexer.c ctype.h
breaks doors runtime/server/server.c runtime/repeat/series.h

# knows FILE TEXT WHAT: so is the rule of nouns.
knows() {
    rm -rf "$scratch/tree"
    mkdir -p "$scratch/tree/include" "$scratch/tree/runtime/run" "$scratch/tree/${1%/*}"
    printf 'typedef struct cohort_binder {\n    int n;\n} cohort_binder;\n' >"$scratch/tree/runtime/run/binder.h"
    printf '%s\n' "$2" >"$scratch/tree/$1"
    has "$(nouns "$scratch/tree")" "$1:$3" "$1 may not have '$2'"
}
knows runtime/strategy/strategy.h '    struct cohort_binder *binder;' cohort_binder
knows runtime/strategy/scope.h 'extern _Thread_local int depth;' 'extern _Thread_local'

# ring N: files of N modules, each of which includes the next one in its .c or its .h.
ring() {
    rm -rf "$scratch/tree"
    mkdir -p "$scratch/tree/runtime/run"
    for i in $(seq "$1"); do
        extension=$([ $((i % 2)) = 0 ] && echo c || echo h)
        echo "#include \"runtime/run/m$((i % $1 + 1)).h\"" >"$scratch/tree/runtime/run/m$i.$extension"
    done
}
ring 3
is "$(circles "$scratch/tree")" "" "three modules may include each other in a circle"
ring 4
echo '#include "runtime/run/m1.h"' >"$scratch/tree/runtime/run/above.c"
has "$(circles "$scratch/tree")" "runtime/run/: 4 modules in a circle:" "four may not"
# Who logs says so: COHORT_LOG has levels of it.
foreign_subsystems() {
    # shellcheck disable=SC2016 # perl's own
    (cd "$1" && find runtime/*/ -name '*.c' ! -name log.c -exec perl -0ne '
        my ($folder) = $ARGV =~ m,runtime/([a-z]+)/,;
        while (/\bcohort_log\(\s*(\w+)/g) {
            print "$folder $1\n" if $1 ne "COHORT_SUBSYSTEM_" . uc $folder;
        }' {} +)
}
is "$(foreign_subsystems "$srcdir")" "" "each line of the log is of the folder that it is written in"
mkdir -p "$scratch/log/runtime/mesh"
echo 'cohort_log(COHORT_SUBSYSTEM_DATA, 1, "x");' >"$scratch/log/runtime/mesh/a.c"
is "$(foreign_subsystems "$scratch/log")" "mesh COHORT_SUBSYSTEM_DATA" "... and one that is not is found"
tap_done
