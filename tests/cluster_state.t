#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Checkpoints of variables on parameter servers, by each MPI: saved by a chief while closures are under way, by a worker
# while another one writes, and while a server stands or is killed; taken by other numbers of servers and workers.
# SEED=... plays the kills again; COUNT=all kills fifty servers.
. "${srcdir:-.}/tests/tap.sh"
. "$srcdir/tests/mpi.sh"
scratch cluster_state
cohort=$builddir/cli/cohort
job=$builddir/tests/cluster_state
seed=${SEED:-$(date +%s)}
kills=5
[ "${COUNT:-}" != all ] || kills=50
folder=$scratch/run

# tasks JOBS MODE [STEPS]: one process for each task.
tasks() {
    COHORT_JOBS=$1
    export COHORT_JOBS
    n=$(echo "$1" | tr ',' '\n' | awk -F= '{ n += $2 } END { print n }')
    ranks "$n" "$job" "$2" "$folder" "${3:-0}"
}

# state_of MODE [STEPS]: by one process.
state_of() {
    run "$job" "$1" "$folder" "${2:-0}" </dev/null
}

# whole CLAIM: all generations are.
whole() {
    run "$cohort" checkpoint verify "$folder"
    is "$code" 0 "$1"
}

check_wrong() {
    rm -rf "$folder"
    tasks worker=1,ps=2 wrong
    is "$code:$out" 0: "$mpi: what does not match is refused, and changes nothing"
    rm -rf "$folder"
    mkdir "$folder"
    tasks worker=1,ps=1,evaluator=1 evaluated
    is "$code:$out" 0: "$mpi: an evaluator saves, and restores nothing"
}

check_training() {
    rm -rf "$folder"
    step=0
    for jobs in chief=1,worker=2,ps=2 chief=1,worker=1,ps=1 chief=1,worker=3,ps=3; do
        tasks "$jobs" train 12
        is "$code:$out" "0:from step $step" "$mpi: $jobs goes on from step $step"
        step=$((step + 12))
    done
    whole "$mpi: what managers have saved meanwhile is whole"
    n=0
    for file in "$folder"/*.safetensors; do
        run "$job" instant "$file" </dev/null
        [ "$code" = 0 ] || break
        n=$((n + 1))
    done
    is "$code:$out" 0: "$mpi: and none of its $n generations has a step in part"
    state_of alone 4
    is "$code:$out" "0:from step $step" "$mpi: one process goes on from there"
    tasks chief=1,worker=1,ps=2 train 2
    is "$code:$out" "0:from step $((step + 4))" "$mpi: and servers from what it has saved"
}

check_writers() {
    rm -rf "$folder"
    COHORT_TIMEOUT_WORKER=4
    export COHORT_TIMEOUT_WORKER
    tasks worker=2,ps=2 writes 6
    is "$code:$out" 0: "$mpi: what is saved while another worker writes is of one instant, or refused"
    unset COHORT_TIMEOUT_WORKER
}

# random N: from 0 to N - 1, in $random, the next of the seed.
state=$seed
random() {
    state=$(((state * 1103515245 + 12345) % 2147483648))
    random=$((state / 65536 % $1))
}

check_faults() {
    rm -rf "$folder"
    COHORT_TIMEOUT_WORKER=2
    export COHORT_TIMEOUT_WORKER
    tasks worker=1,ps=2 stopped 500
    has "$out" "parameter server" "$mpi: a server that stands in mid-save is named"
    has "$out" "has not come within 2 s (COHORT_TIMEOUT_WORKER)" "$mpi: and is waited for as long as for any"
    unset COHORT_TIMEOUT_WORKER
    whole "$mpi: what was saved before is whole"
    rm -rf "$folder"
    at=0
    while [ "$at" -lt "$kills" ]; do
        random 300
        tasks worker=1,ps=2 killed $((100 + random))
        [ "$code" != 0 ]
        ok $? "$mpi: servers are killed while it saves"
        # a server may be gone before the first save
        [ ! -d "$folder" ] || whole "$mpi: and what was saved before is whole"
        at=$((at + 1))
    done
    [ -d "$folder" ]
    ok $? "$mpi: of which there is something, after $kills kills"
}

diag "SEED=$seed"
for mpi in openmpi mpich; do
    can_use "$mpi" || continue
    check_wrong
    check_training
    check_writers
    check_faults
done
tap_done
