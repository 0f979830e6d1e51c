#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Options of communication (cohort/communication.h), and what workers tell each other of inputs: processes of real MPIs,
# started by mpirun.
. "${srcdir:-.}/tests/tap.sh"
. "$srcdir/tests/mpi.sh"
scratch cluster_communication

# Ranks that wait for one another take turns on a busy machine.
patience=240
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

# on MACHINES COMMAND...: each rank is on the machine that its letter of the word names.
on() {
    machines=$1
    shift
    # shellcheck disable=SC2016 # each rank expands it
    ranks ${#machines} sh -c 'COHORT_MACHINE=machine-$(printf %s "$0" | cut -c $((${OMPI_COMM_WORLD_RANK:-$PMI_RANK} + 1))) exec "$@"' \
        "$machines" "$@"
}

# Machines whose replicas are one node of the tree, or several, with as many workers each, or not, one after the other, or in
# turn: sums that go by machine have the bits of one process.
check_machines() {
    for case in aab:8 aba:7 aabb:9 abab:8 abccc:9; do
        machines=${case%:*} replicas=${case#*:}
        CLUSTER_IMPLEMENTATION=hierarchical
        export CLUSTER_IMPLEMENTATION
        for part in reduce_sizes reduce_dtypes reduce_halves recorded_sums; do
            on "$machines" "$builddir/tests/cluster_workers" bits "$replicas" $part
            [ "$code:$out" = 0: ] || break
        done
        is "$code:$out" 0: "$mpi, $replicas replicas on machines $machines: the bits of one process"
        unset CLUSTER_IMPLEMENTATION
    done
    on aab "$builddir/tests/cluster_short" "$scratch" calls
    is "$code:$out" 0: "$mpi: whichever allocation is refused of one of three on two machines, all are told, and go on"
    on abab "$options" bits
    is "$code:$out" 0: "$mpi: and so they have on other packs, recorded"
}

# crossing MACHINES EACH WANTED CLAIM: bytes of a sum of 512 KiB that cross between machines, of all ranks, in KiB: whole, in
# slices, by machine, and as by default.
crossing() {
    on "$1" "$options" crossing "$1" "$2"
    sum_of() {
        echo "$out" | awk -v way="$1" '$1 == "crossing:" && $2 == way { sum += $3 } END { print sum / 1024 }'
    }
    is "$code:$(sum_of whole) $(sum_of slices) $(sum_of hierarchical) $(sum_of auto)" "0:$3" "$mpi: $4"
}

# Of R roots each machine sends one in place of those of its workers, and gets one result in place of as many.
check_crossing() {
    crossing aabb 1 "4096 2048 1024 1024" "by machine a quarter crosses of what is sent whole, and half of slices"
    crossing aaaabbbb 1 "16384 4096 1024 1024" "and of more workers on each machine no more"
    crossing aabb 3 "8192 3072 1536 1536" "machines whose replicas are two nodes of the tree send two"
    crossing abab 1 "4096 2048 1536 1536" "ranks that are placed in turn are as many nodes as there are ranks"
    crossing aaab 1 "3072 1536 1280 1280" "three workers on a machine, and one on another, have the nodes (0 1), 2 and 3"
    crossing abc 1 "3072 2048 2048 2048" "machines with a worker each send slices"
    crossing aaa 1 "0 0 0 0" "one machine sends nothing"
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
    check_machines
    check_crossing
    check_told
done

tap_done
