# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# Pages whose snippets are run, for scripts that have sourced tests/tap.sh and made their scratch folder: files are written,
# commands are run by a shell, in the order of the page and in one folder, and print what the page shows.
# tests/guide_split.awk has the words of a fence.
if ldd "$builddir/.libs/libcohort.so" 2>/dev/null | grep -q 'lib[a-z]*san\.'; then
    skip_all "the library has sanitizers in it, which a program of others has not"
fi
command -v pkg-config >/dev/null 2>&1 || skip_all "no pkg-config"
builddir=$(cd "$builddir" && pwd) scratch=$(cd "$scratch" && pwd) # commands run in other folders

# ---- What the reader has installed: the command, the library to pkg-config, the examples.
mkdir -p "$scratch/bin" "$scratch/examples/skeleton"
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
    jansson) $has_jansson || echo "configured without jansson" ;;
    root) echo "it changes the machine" ;;
    gdb) gdb -q -batch -ex run true 2>&1 | grep -q 'exited normally' || echo "no gdb that may run a process" ;;
    valgrind) valgrind -q true >/dev/null 2>&1 || echo "no valgrind that runs" ;;
    *) echo "needs:$1 is not known" && return 1 ;;
    esac
}
has_opencl=false
case $(cohort devices) in *opencl:0*) has_opencl=true ;; esac
has_jansson=true
case $(TF_CONFIG=x cohort cluster 2>&1) in *'without jansson'*) has_jansson=false ;; esac
has_mpi=false
# MPICH's mpirun dies of SIGPIPE now and then where a process has ended at once, as it has not on a second try.
for _ in 1 2 3; do
    ! timeout 60 cohort launch -n 2 cohort version >/dev/null 2>&1 </dev/null || has_mpi=true
    ! $has_mpi || break
done

# ---- One step: "good", or what is wrong.
# What a page shows of what commands print: all of it, or, with aside=.errors, nothing of stderr.
aside=
check_command() {
    found=$steps/$line.found errors=$steps/$line.found$aside
    : >"$found"
    (cd "$folder" && timeout 120 sh "$steps/$line.text") >>"$found" 2>>"$errors" </dev/null
    code=$?
    case $kind:$code in
    command:0 | failure:[1-9] | failure:[1-9]?) ;;
    *) echo "exit code $code" && cat "$found" "$errors" && return ;;
    esac
    if awk -f "$srcdir/tests/guide_like.awk" "$steps/$line.want" "$found"; then
        echo good
    else
        echo "it prints" && cat "$found"
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

# run_page PAGE RESULTS [FOLDER]: all steps in an empty folder, or in a copy of this one. A line for each of them: "good CLAIM",
# "skip REASON|CLAIM" or "bad CLAIM", then what was found, with "# ".
run_page() {
    steps=$scratch/steps.$$ folder=$scratch/work.$$
    rm -rf "$steps" "$folder"
    mkdir -p "$steps" "$folder"
    [ $# -lt 3 ] || cp -R "$3/." "$folder"
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

# tell_page RESULTS: those of run_page, as TAP.
tell_page() {
    while IFS= read -r result; do
        claim=${result#* }
        case $result in
        good*) ok 0 "$claim" ;;
        bad*) ok 1 "$claim" ;;
        skip*) skip "${claim#*|}" "${claim%%|*}" ;;
        *) printf '%s\n' "$result" ;;
        esac
    done <"$1"
}
