#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Every snippet of the guide: files are written, commands are run by a shell, in the order of the page and in one folder, and
# print what the page shows. tests/guide_split.awk has the words of a fence.
. "${srcdir:-.}/tests/tap.sh"
if ldd "$builddir/.libs/libcohort.so" 2>/dev/null | grep -q 'lib[a-z]*san\.'; then
    skip_all "the library has sanitizers in it, which a program of others has not"
fi
command -v pkg-config >/dev/null 2>&1 || skip_all "no pkg-config"
builddir=$(cd "$builddir" && pwd) # commands run in other folders
scratch guide

# ---- What the reader has installed: the command, the library to pkg-config, the examples.
mkdir -p "$scratch/bin" "$scratch/examples/skeleton" "$scratch/pages"
ln -s "$builddir/cohort" "$scratch/bin/cohort"
printf '#!/bin/sh\nPATH=%s\nexec %s -Wall -Wextra -Werror "$@"\n' "$PATH" "${CC:-cc}" >"$scratch/bin/cc"
chmod +x "$scratch/bin/cc"
ln -s "$srcdir"/examples/*.[ch] "$scratch/examples"
ln -s "$srcdir"/plugins/skeleton/* "$scratch/examples/skeleton"
sed "s|^libdir=.*|libdir=$builddir/.libs|; s|^includedir=.*|includedir=$srcdir/include|;
    s|^exampledir=.*|exampledir=$scratch/examples|; s|^pkgdatadir=.*|pkgdatadir=$srcdir/examples/data|" \
    "$builddir/cohort.pc" >"$scratch/cohort.pc"
PATH=$scratch/bin:$PATH
PKG_CONFIG_PATH=$scratch
LD_LIBRARY_PATH=$builddir/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
COHORT_PLUGIN_PATH=$builddir/host/.libs:$builddir/opencl/.libs:$builddir/plugins/mpi/.libs
# Open MPI asks for consent to be run by root, and says what it misses on machines without ptrace or its networks.
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
OMPI_MCA_btl_vader_single_copy_mechanism=none UCX_LOG_LEVEL=error
export PATH PKG_CONFIG_PATH LD_LIBRARY_PATH COHORT_PLUGIN_PATH OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM \
    OMPI_MCA_rmaps_base_oversubscribe OMPI_MCA_btl_vader_single_copy_mechanism UCX_LOG_LEVEL

# lacks NEED: why a snippet that needs this cannot run here; nothing when it can.
lacks() {
    case $1 in
    '') ;;
    opencl) $has_opencl || echo "no OpenCL device" ;;
    mpi) $has_mpi || echo "no mpirun that starts two processes, or no plugin for it" ;;
    root) echo "it changes the machine" ;;
    *) echo "needs:$1 is not known" && return 1 ;;
    esac
}
has_opencl=false
case $(cohort devices) in *opencl:0*) has_opencl=true ;; esac
has_mpi=false
if timeout 60 cohort launch -n 2 cohort version >/dev/null 2>&1; then has_mpi=true; fi

# ---- One step: "good", or what is wrong.
check_command() {
    (cd "$folder" && timeout 120 sh "$steps/$line.text") >"$steps/$line.found" 2>&1 </dev/null
    code=$?
    case $kind:$code in
    command:0 | failure:[1-9] | failure:[1-9]?) ;;
    *) echo "exit code $code" && cat "$steps/$line.found" && return ;;
    esac
    if awk -f "$srcdir/tests/guide_like.awk" "$steps/$line.want" "$steps/$line.found"; then
        echo good
    else
        echo "it prints" && cat "$steps/$line.found"
    fi
}

check_excerpt() {
    case $(cat "$folder/$name" 2>&1) in
    *"$(cat "$steps/$line.text")"*) echo good ;;
    *) echo "it does not stand so in $name" ;;
    esac
}

check_step() {
    case $kind in
    file) cp "$steps/$line.text" "$folder/$name" 2>&1 && echo good ;;
    excerpt) check_excerpt ;;
    command | failure) check_command ;;
    *) echo "neither a file with its name nor a console" ;;
    esac
}

# run_page PAGE RESULTS: a line for each step: "good CLAIM", "skip REASON|CLAIM" or "bad CLAIM", then what was found, with "# ".
run_page() {
    steps=$scratch/steps.$$ folder=$scratch/work.$$
    rm -rf "$steps" "$folder"
    mkdir -p "$steps" "$folder"
    awk -v to="$steps" -f "$srcdir/tests/guide_split.awk" "$1" >"$steps/list"
    while IFS='|' read -r line kind needs name <&3; do
        claim="${1##*/}:$line: $kind $name"
        if reason=$(lacks "$needs") && [ -n "$reason" ]; then
            echo "skip $reason|$claim"
            continue
        fi
        verdict=${reason:-$(check_step)}
        case $verdict in
        good) echo "good $claim" ;;
        *) echo "bad $claim" && diag "$verdict" ;;
        esac
    done 3<"$steps/list" >"$2"
}

# ---- A page that is right, and copies of it with a mistake each.
page=$scratch/pages/page.md
cat >"$page" <<'END'
```c two.c
#include <stdio.h>
int main(void)
{
    printf("one\ntwo of 3\nthree\n");
}
```
```c in:two.c
    printf("one\ntwo of 3\nthree\n");
```
```console
$ cc two.c -o two && \
> ./two
one
two of ...
three
$ ./two
...
three
```
```console fails
$ ls nowhere
...nowhere...
```
END
# bad_steps: those of the page that are wrong.
bad_steps() {
    run_page "$page" "$scratch/results"
    sed -n 's/^bad [^:]*:\([0-9]*\): .*/\1/p' "$scratch/results" | paste -sd' ' -
}
is "$(bad_steps)" "" "a page whose snippets are right passes"
is "$(grep -c '^good' "$scratch/results")" 5 "... with all of its steps"
# broken EDIT STEPS CLAIM: these lines of the page are wrong after an edit.
broken() {
    cp "$page" "$scratch/right.md"
    sed "$1" "$scratch/right.md" >"$page"
    if cmp -s "$scratch/right.md" "$page"; then
        ok 1 "the page has a line for this edit: $1"
    else
        is "$(bad_steps)" "$2" "$3"
    fi
    cp "$scratch/right.md" "$page"
}
broken '5s/;//' "8 12 17" "a file that does not compile is found"
broken '5s/three/four/' "8 12 17" "so is one that prints something else"
broken '9s/one/won/' 8 "an excerpt that stands nowhere"
broken '14s/one/One/' 12 "a line of output"
broken '16d' 12 "a line that is not shown"
broken '19s/.*/&\nfour/' 17 "a line that does not come"
broken '18d' 17 "lines that are not left out with ..."
broken '21s/ fails//' 22 "a failure that nobody expects"
broken '11s/$/ fails/' "12 17" "a failure that does not come"
broken '1s/ two.c//' "1 8 12 17" "a fence without a name"
broken '11s/$/ needs:luck/' "12 17" "a need that is not known"

# ---- The guide.
chapters=0
for chapter in "$srcdir"/doc/guide/*.md; do
    chapters=$((chapters + 1))
    run_page "$chapter" "$scratch/results"
    while IFS= read -r result; do
        claim=${result#* }
        case $result in
        good*) ok 0 "$claim" ;;
        bad*) ok 1 "$claim" ;;
        skip*) skip "${claim#*|}" "${claim%%|*}" ;;
        *) printf '%s\n' "$result" ;;
        esac
    done <"$scratch/results"
done
[ "$chapters" -gt 0 ]
ok "$?" "the guide has chapters"
tap_done
