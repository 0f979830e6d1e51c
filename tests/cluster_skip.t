#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Steps that the guard skips over workers, by each MPI: what one of them finds is skipped by all, or by none.
. "${srcdir:-.}/tests/tap.sh"
. "$srcdir/tests/mpi.sh"
scratch cluster_skip

# skips N MODE CLAIM: so many workers do, and say nothing.
skips() {
    ranks "$1" "$builddir/tests/cluster_skip" "$2"
    is "$code:$out" 0: "$mpi, $1 workers: $3"
}

# told MODE COUNT CLAIM TEXTS...: what three workers are told, in so many lines; others are mpirun's.
told() {
    mode=$1 count=$2 claim=$3
    shift 3
    ranks 3 "$builddir/tests/cluster_skip" "$mode"
    is "$(echo "$out" | grep -c '^told: '):$(echo "$out" | grep 'not so')" "$count:" "$mpi: $claim"
    for text; do
        has "$out" "$text" "$mpi: $mode: which is told"
    done
}

# stands MODE CLAIM: as worker 1 does; the first of the others to be told ends the job, maybe before the next.
stands() {
    ranks 3 "$builddir/tests/cluster_skip" "$1"
    has "$(echo "$out" | grep -v 'not so')" "worker 1 of 3 has not come within 2 s (COHORT_TIMEOUT_WORKER)" "$mpi: $2"
}

check_wrong() {
    told wrong 6 "what cannot be skipped is refused" \
        "COHORT_GUARD_SKIP needs rollback" \
        "told: 0: strategy: the guard of worker 1 of 3 is COHORT_GUARD_SKIP, of worker 0 COHORT_GUARD_ERROR"
    told served 2 "nor is a step with parameter servers" "COHORT_GUARD_SKIP needs variables that the workers hold"
    told failed 3 "a step in which a worker fails otherwise is skipped by nobody" \
        "the rows of cohort_all_reduce: worker 1 of 3 has failed: " "told: 1: step function play_or_fail"
    told failed_late 3 "nor is one in which its contribution fails" \
        "worker 1 of 3 has failed: step 1 of a program: obstruct, replica 3"
    told mixed 3 "nor is one that is no step of another worker" \
        "told: 0: a step that is skipped: worker 1 of 3 has failed: cohort_reduce: worker 0 of 3 skips the step"
    told outside 3 "outside of a step it is an error of all" \
        "told: 0: cohort_reduce: " "told: 2: cohort_reduce: worker 0 of 3 has failed: cohort_reduce: "
    told carried 3 "a program that carries a value is an error of all" \
        "told: 0: step 1 of a program: " "told: 2: step 1 of a program: "
    told ended 2 "who skips is told of a worker that has ended" "told: 0: " "told: 2: "
    told ended_late 2 "also where it was to contribute" "told: 0: " "told: 2: "
    COHORT_TIMEOUT_WORKER=2
    export COHORT_TIMEOUT_WORKER
    stands stands "and of one that stands"
    stands stands_late "also where its contribution does not come"
    unset COHORT_TIMEOUT_WORKER
}

for mpi in openmpi mpich; do
    can_use "$mpi" || continue
    check_wrong
    for n in 2 3; do
        skips "$n" grid "a step that one replica spoils is as if it had not been made"
        skips "$n" everybody "so is one that all spoil"
        skips "$n" calls "whichever reduction it is"
    done
done
tap_done
