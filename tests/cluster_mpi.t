#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Communicators of real MPIs, and the resolver of one: some processes, started by mpirun.
. "${srcdir:-.}/tests/tap.sh"
scratch cluster_mpi
# MPI leaves memory behind when it ends.
ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0"
# Open MPI asks for consent to be run by root, and to more processes than cores.
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
# What MPI says of machines without ptrace, or without its networks, is no word of a test.
OMPI_MCA_btl_vader_single_copy_mechanism=none UCX_LOG_LEVEL=error
export OMPI_MCA_btl_vader_single_copy_mechanism UCX_LOG_LEVEL
export ASAN_OPTIONS OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM OMPI_MCA_rmaps_base_oversubscribe
COHORT_PLUGIN_PATH="$builddir/host/.libs:$builddir/plugins/mpi/.libs"
export COHORT_PLUGIN_PATH

# What mpirun of an MPI is called, in $mpirun: Debian has both under names of their own.
find_mpirun() {
    for mpirun in "mpirun.$1" mpirun; do
        case $("$mpirun" --version 2>/dev/null) in
        *"Open MPI"*) [ "$1" != openmpi ] || return 0 ;;
        *HYDRA*) [ "$1" != mpich ] || return 0 ;;
        esac
    done
    return 1
}

# ranks N COMMAND...: $code and $out of the command on so many ranks, for a minute at most.
ranks() {
    n=$1
    shift
    run env RANKS="$n" timeout 60 "$mpirun" -n "$n" "$@"
}

# explained N: cohort cluster on so many ranks, each with an output of its own, so that none cuts another's; all in $out.
explained() {
    rm -f "$scratch"/rank.*
    # shellcheck disable=SC2016 # each rank expands it
    ranks "$1" sh -c '"$0" cluster >"$1/rank.$$" 2>&1' "$builddir/cli/cohort" "$scratch"
    out=$(cat "$scratch"/rank.*)
}

# quiet CLAIM: the last command has ended well, without a word.
quiet() {
    is "$code:$out" 0: "$1"
}

check_mpi() {
    mpi=$1
    if [ ! -e "$builddir/plugins/mpi/.libs/cohort-communicator-$mpi.so" ]; then
        skip "$mpi" "its plugin was not built (--with-$mpi)"
        return
    fi
    if ! find_mpirun "$mpi" || ! timeout 60 "$mpirun" -n 2 true >/dev/null 2>&1; then
        skip "$mpi" "its mpirun is not there, or starts nothing here"
        return
    fi
    for n in 1 2 3 4; do
        ranks "$n" "$builddir/tests/cluster_ranks" exchange
        quiet "$mpi, $n ranks: every exchange, of 0 bytes to 5 MB"
        ranks "$n" "$builddir/tests/cluster_ranks" resolver
        quiet "$mpi, $n ranks: the resolver answers"
        ranks "$n" "$builddir/tests/cluster_given-$mpi"
        quiet "$mpi, $n ranks: a program with an MPI of its own passes half of its ranks"
    done
    ranks 2 "$builddir/tests/cluster_ranks" handles
    quiet "$mpi: handles of no communicator are refused, and all goes on"
    ranks 2 "$builddir/tests/cluster_ranks" forked
    quiet "$mpi: a child of fork ends, and has no part in it"
    ranks 2 "$builddir/tests/cluster_ranks" shorter
    has "$out" "told: rank 0 has sent 3 bytes, and 8 are expected" "$mpi: a message that is too short is an error"
    ranks 2 "$builddir/tests/cluster_ranks" longer
    has "$out" "told: rank 0 has sent more than the 2 bytes that are expected" "$mpi: and so is one that is too long"
    start=$(date +%s)
    COHORT_TIMEOUT_WORKER=0.5
    export COHORT_TIMEOUT_WORKER
    ranks 2 "$builddir/tests/cluster_ranks" late
    unset COHORT_TIMEOUT_WORKER
    has "$out" "told: cohort_resolver_mpi: " "$mpi: a rank that does not come is noticed"
    [ "$code" != 0 ] && [ $(($(date +%s) - start)) -lt 50 ]
    ok $? "$mpi: and the others do not wait for it"
    explained 3
    has "$out" "worker 2, not the chief, number 2 of 3" "$mpi: cohort cluster tells each its task"
    COHORT_PLUGINS=^communicator-$mpi
    export COHORT_PLUGINS
    explained 2
    unset COHORT_PLUGINS
    has "$out" "plugin 'communicator-$mpi' is not used" "$mpi: a plugin that is left out is told"
    has "$out" "mpirun has started it" "$mpi: and why that one is wanted"
}

check_mpi openmpi
check_mpi mpich
tap_done
