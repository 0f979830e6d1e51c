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

# The mpirun of an MPI is there, in $mpirun, and starts something: some want a network.
starts() {
    find_mpirun "$1" && timeout 60 "$mpirun" -n 2 true >/dev/null 2>&1
}

# ranks N COMMAND...: $code and $out of the command on so many ranks, for $patience seconds at most.
patience=60
ranks() {
    n=$1
    shift
    run env RANKS="$n" timeout "$patience" "$mpirun" -n "$n" "$@" </dev/null
}

# can_use MPI: its plugin was built, and its mpirun starts something; else one test is skipped with the reason. TEST_MPIS:
# those that are wanted, "openmpi mpich".
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
    if ! starts "$1"; then
        skip "$1" "its mpirun is not there, or starts nothing here"
        return 1
    fi
}
