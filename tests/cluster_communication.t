#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Options of communication (cohort/communication.h), and what workers tell each other of inputs: processes of real MPIs,
# started by mpirun.
. "${srcdir:-.}/tests/tap.sh"
. "$srcdir/tests/mpi.sh"
scratch cluster_communication

options=$builddir/tests/cluster_options

check_same() {
    for n in 2 3 5; do
        ranks "$n" "$options" bits
        is "$code:$out" 0: "$mpi, $n ranks: no bit depends on packs or implementation"
    done
    for n in 2 3; do
        ranks "$n" "$options" inputs
        is "$code:$out" 0: "$mpi, $n ranks: an input has as many steps as it says, of all workers"
    done
}

# Rank 0 of three: a sum of 1 MiB in slices is a third to each of two, twice; it has three replicas, and so two roots. Ten
# sums of 8,000 bytes are one meeting, and two roots of each to two others; or as many meetings as packs.
check_sent() {
    ranks 3 "$options" sent
    is "$code:$(echo "$out" | wc -l)" 0:6 "$mpi: what is sent is counted"
    sent_by() {
        echo "$out" | sed -n "s/^$1 \([0-9]*\) KiB in \([0-9]*\) messages/\\$2/p"
    }
    [ "$(sent_by whole 1)" -gt "$(sent_by slices 1)" ]
    ok "$?" "$mpi: slices send less of a large sum"
    is "$(sent_by auto 1)" "$(sent_by slices 1)" "$mpi: and are chosen by its size"
    one=$(sent_by "one pack" 2)
    is "$(($(sent_by "two packs" 2) - one)) $(($(sent_by "each alone" 2) - one))" "2 18" "$mpi: each pack is a meeting with two others"
    echo "$out" | sed 's/^/# /'
}

check_told() {
    ranks 3 "$options" late
    for rank in 0 2; do
        has "$out" "told: $rank: late: " "$mpi: rank $rank does not wait for worker 1, which does not come"
    done
    has "$out" "worker 1 of 3 has not come within 0.5 s (timeout_seconds)" "$mpi: and names it, and the option"
    ranks 2 "$options" differ
    at=cohort_strategy_set_communication
    is "$code:$(echo "$out" | grep -c '^told: ')" 0:4 "$mpi: options that differ are told to both, who go on once they are alike"
    has "$out" "told: 0: packs: " "$mpi: packs"
    has "$out" "told: 1: implementation: " "$mpi: and implementations"
    is "$(echo "$out" | grep -c "write 1 of worker [01] of 2 is $at, of worker [01] $at, with other numbers")" 4 "$mpi: by the call that set them"
}

for mpi in openmpi mpich; do
    can_use $mpi || continue
    check_same
    check_sent
    check_told
done

tap_done
