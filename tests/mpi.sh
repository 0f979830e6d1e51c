# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh disable=SC2034 # used by the scripts
# Processes of a real MPI, for scripts that have sourced tests/tap.sh.

: "${builddir:?}"

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
        *"Open MPI"* | *OpenRTE*) [ "$1" != openmpi ] || return 0 ;;
        *HYDRA*) [ "$1" != mpich ] || return 0 ;;
        esac
    done
    return 1
}

# starts CLAIM COMMAND...: that mpirun with its options starts processes; else one test is skipped, with what it says: some
# want a network. What says nothing, but stands or dies of a signal three times, is a failure and no reason to skip.
# No process ends at once, as `true` does: MPICH's mpirun dies of SIGPIPE now and then where it has more to say to one, on a
# busy machine.
starts() {
    start_claim=$1
    shift
    for _ in 1 2 3; do
        run "$@" sleep 0.1 </dev/null
        [ "$code" != 0 ] || return 0
    done
    case $code in
    124 | 13[0-9] | 14[0-9])
        ok 1 "$start_claim: its mpirun starts two processes"
        diag "three times, the last with status $code (124: it stood): $out"
        ;;
    *) skip "$start_claim" "its mpirun starts nothing here: $(printf '%s\n' "$out" | grep -m 1 '[a-z]' || echo "status $code")" ;;
    esac
    return 1
}

# can_start MPI CLAIM: its mpirun is there, in $mpirun, and starts something within $start_patience seconds; else as starts.
start_patience=60
can_start() {
    if ! find_mpirun "$1"; then
        skip "$2" "its mpirun is not installed"
        return 1
    fi
    starts "$2" timeout "$start_patience" "$mpirun" -n 2
}

# ranks N COMMAND...: $code and $out of the command on so many ranks, for $patience seconds at most.
patience=60
ranks() {
    n=$1
    shift
    run env RANKS="$n" timeout "$patience" "$mpirun" -n "$n" "$@" </dev/null
}

# can_use MPI: its plugin was built, and its mpirun starts something; else one test is skipped with the reason, or has
# failed. TEST_MPIS: those that are wanted, "openmpi mpich".
can_use() {
    case " ${TEST_MPIS:-$1} " in
    *" $1 "*) ;;
    *)
        skip "$1" "TEST_MPIS is $TEST_MPIS"
        return 1
        ;;
    esac
    if [ ! -e "$builddir/plugins/mpi/.libs/cohort-communicator-$1.so" ]; then
        skip "$1" "its plugin was not built (--with-$1)"
        return 1
    fi
    can_start "$1" "$1"
}
