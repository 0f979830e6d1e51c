#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC2317 # rules are functions that are called by name
# Who may include whom, and the one door of each outside interface (HACKING.md).
. "${srcdir:-.}/tests/tap.sh"
scratch include_direction
runtime="base arithmetic function plugin executor operation placement strategy value reduce run metric data input" # each uses those before it

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
    includes "$1" host plugins opencl | grep ':cohort/' | grep -Ev ':cohort/(plugin|codes)\.h$'
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
# Datasets and formats need nothing of execution.
data() {
    includes "$1" runtime/data |
        grep -E ':runtime/(plugin|executor|operation|placement|strategy|value|reduce|run|metric)/' |
        grep -Ev ':runtime/value/(array|number)\.h$'
}
# door HEADER PLACE: files that include HEADER outside of PLACE, both patterns.
door() {
    includes "$root_of_door" runtime host plugins opencl cli examples | grep ":$1\$" | grep -Ev "^$2:"
}
doors() {
    root_of_door=$1
    door 'dlfcn\.h' '(runtime/base/library\.c|opencl/library\.c|plugins/wrong/[^/]*)'
    door 'ffi\.h' 'runtime/function/call\.c'
    door 'zlib\.h' 'runtime/data/format/inflate\.c'
    door 'omp\.h' 'host/[^/]*'
    door 'hwloc\.h' 'host/[^/]*'
    door 'CL/.*' 'opencl/[^/]*'
    door 'mpi\.h' 'plugins/mpi/[^/]*'
}

for rule in public_headers users plugins core data doors; do
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
breaks users cli/main.c runtime/base/log.h
breaks users examples/nn.h cli/cli.h
breaks plugins host/host.c runtime/base/log.h
breaks plugins host/host.c cohort/status.h
breaks plugins plugins/loopback.c host/host.h
breaks core runtime/base/log.c runtime/run/run.h
breaks core runtime/value/value.c runtime/reduce/tree.h
breaks core runtime/value/value.c host/host.h
breaks core runtime/data/format/bytes.c runtime/data/dataset/dataset.h
breaks data runtime/data/dataset/batch.c runtime/strategy/strategy.h
breaks data runtime/data/dataset/batch.c runtime/value/value.h
breaks data runtime/data/format/npy.c runtime/plugin/device.h
breaks doors runtime/run/run.c dlfcn.h
breaks doors runtime/function/parse.c ffi.h
breaks doors runtime/base/log.c omp.h
breaks doors host/host.c CL/cl.h
tap_done
