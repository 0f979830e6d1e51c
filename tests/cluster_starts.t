#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# When tests of clusters are skipped: where there is no mpirun, or it says why it starts nothing; not where it is slow, or
# dies of a signal, as MPICH's now and then does (tests/mpi.sh).
. "${srcdir:-.}/tests/tap.sh"
. "$srcdir/tests/mpi.sh"
scratch cluster_starts

# fake LINE...: an mpirun of MPICH that does this.
# shellcheck disable=SC2016 # the script expands it
fake() {
    printf '%s\n' '#!/bin/sh' '[ "$1" != --version ] || exec echo HYDRA' "echo x >>'$scratch/starts'" "$@" >"$scratch/mpirun.mpich"
    chmod +x "$scratch/mpirun.mpich"
    rm -f "$scratch/starts"
}

# answered ANSWER STARTS CLAIM: what can_start prints of it, then "yes" where it can, and how often it was started.
answered() {
    found=$(PATH=$scratch:$PATH && tap_count=0 && can_start mpich it | grep -v '^#' && echo "no")
    [ "$found" != '' ] || found=yes
    is "$found:$(grep -c . "$scratch/starts")" "$1:$2" "$3"
}

fake 'exit 0'
answered yes 1 "an mpirun that starts something is used"
fake "[ \"\$(grep -c . '$scratch/starts')\" -ge 3 ] || kill -PIPE \$\$"
answered yes 3 "one that dies of a signal is started again"
fake 'kill -PIPE $$'
answered 'not ok 1 - it: its mpirun starts two processes
no' 3 "and is a failure where it always does"
start_patience=1
fake 'exec sleep 10'
answered 'not ok 1 - it: its mpirun starts two processes
no' 3 "and so is one that stands"
start_patience=60
fake 'echo ----; echo "no network here"; exit 1'
answered 'ok 1 - it # SKIP its mpirun starts nothing here: no network here
no' 3 "one that says why it starts nothing is a reason to skip"
# shellcheck disable=SC2123 # nothing is there
found=$(PATH=/nowhere && tap_count=0 && can_start mpich it)
is "$found" "ok 1 - it # SKIP its mpirun is not installed" "and so is none"
tap_done
