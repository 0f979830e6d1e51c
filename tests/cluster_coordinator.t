#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A coordinator: a chief that hands closures to workers, beside parameter servers, of real MPIs that mpirun has started.
. "${srcdir:-.}/tests/tap.sh"
. "$srcdir/tests/mpi.sh"
scratch cluster_coordinator

# tasks MODE WORKERS SERVERS: they, and a chief.
tasks() {
    ranks $(($2 + $3 + 1)) "$builddir/tests/cluster_coordinator" "$1" "$3"
}

# living MODE WORKERS SERVERS: the same, where Open MPI lets the others live on when one has ended.
living() {
    own_mpirun=$mpirun
    [ "$mpi" != openmpi ] || mpirun="$mpirun --enable-recovery"
    # shellcheck disable=SC2086 # a command with its option
    run env RANKS="$(($2 + $3 + 1))" timeout "$patience" $mpirun -n $(($2 + $3 + 1)) \
        "$builddir/tests/cluster_coordinator" "$1" "$3" </dev/null
    mpirun=$own_mpirun
}

# quiet CLAIM: the last command has ended well, without a word.
quiet() {
    is "$code:$out" 0: "$1"
}

# outlives CLAIM RESULT ERROR: with Open MPI the others do what is left; with MPICH it is an error.
outlives() {
    case $mpi in
    openmpi) has "$out" "$2" "$mpi: $1: the others do all, each result once, in order" ;;
    *) has "$out" "$3" "$mpi: $1: an error names the worker" ;;
    esac
}

check_works() {
    for pair in 1:1 3:1 3:2 5:1; do
        workers=${pair%:*} servers=${pair#*:}
        tasks results "$workers" "$servers"
        quiet "$mpi, $workers workers, $servers servers: 200 closures, each result once, in order"
    done
    tasks per-worker 3 1
    quiet "$mpi: each worker has a dataset of its own, and the largest argument comes back"
    tasks stale 3 1
    quiet "$mpi: a bound of staleness holds up nobody who waits for work"
    tasks leaks 2 1
    quiet "$mpi: no memory is left"
}

# The chief without memory: a program of its own, which stands in for the allocator.
check_short() {
    ranks 4 "$builddir/tests/cluster_coordinator_short" 1
    quiet "$mpi: any allocation of the chief's may be refused: an error says so, and all go on"
}

check_wrong() {
    tasks wrong 2 1
    quiet "$mpi: what is wrong is refused, in words, and changes nothing"
    tasks fails 3 1
    quiet "$mpi: the first closure that fails cancels the others, and is told; then all goes on"
    run env RANKS=3 timeout "$patience" "$mpirun" -n 3 "$builddir/tests/cluster_coordinator" headless 1 </dev/null
    quiet "$mpi: a cluster without a chief has no coordinator"
}

check_losses() {
    if [ "$mpi" = openmpi ]; then
        living killed 3 1
        has "$code:$out" "results 200, workers 2, each at least once" "$mpi: a worker is killed: the others do all, each result once, in order"
        living chief-killed 2 1
        has "$out" "told: cohort_server_run: the chief has ended, and has not left" "$mpi: where the chief is killed a server is told"
        is "$(echo "$out" | grep -o 'told: cohort_worker_run: the chief has ended, and has not destroyed its coordinator' | grep -c .)" 2 \
            "$mpi: where the chief is killed workers are told"
    fi
    start=$(date +%s)
    tasks killed 3 1
    [ "$code" != 0 ] && [ $(($(date +%s) - start)) -lt 50 ]
    ok $? "$mpi: where mpirun does not let the others live it ends the job"
    living exits 3 1
    has "$out" "results 200, workers 2, each at least once" "$mpi: a worker that exits says so, and the others do all"
    living all-exit 1 1
    quiet "$mpi: where the last worker has left nothing was done, and that is an error"
    living chief-exits 2 1
    is "$(echo "$out" | grep -c '^left')" 2 "$mpi: where the chief exits, workers leave"
    COHORT_TIMEOUT_WORKER=2
    export COHORT_TIMEOUT_WORKER
    living slept 3 1
    outlives "a worker is silent for too long" "results 200, workers 2, each at least once" \
        "told: cohort_coordinator_join: worker 1 of 3 is lost: it has said nothing for 2 s (COHORT_TIMEOUT_WORKER)"
    living busy 3 1
    is "$code:$out" "0:results 200, workers 3, each at least once" "$mpi: one whose closure makes calls for longer than that is there"
    living late 3 1
    outlives "a worker does not come" "workers 2" "worker 1 of 3 is lost: it has not come to cohort_worker_run within 2 s"
    living chief-silent 2 1
    has "$out" "told: cohort_worker_run: the chief has said nothing for 2 s (COHORT_TIMEOUT_WORKER)" "$mpi: a chief that stands is named"
    tasks server-lost 2 1
    has "$out" "told: cohort_coordinator_schedule: " "$mpi: a server that stands is an error of the chief"
    has "$out" "parameter server 0 of 1 has not come within 2 s (COHORT_TIMEOUT_WORKER)" "$mpi: which names it"
    unset COHORT_TIMEOUT_WORKER
}

# Training with a coordinator, as in the tutorial: the losses come in the order of the steps.
check_example() {
    run timeout "$patience" "$builddir/cli/cohort" launch --mpi "$mpi" --jobs chief=1,worker=3,ps=1 "$builddir/examples/coordinator" </dev/null
    has "$code:$(echo "$out" | tail -n 1)" "0:accuracy 0.9" "$mpi: three workers train a model"
    is "$(echo "$out" | grep -c '^epoch [0-3]: loss [0-9.]*, on 3 workers')" 4 "$mpi: epoch by epoch"
    run timeout "$patience" "$builddir/cli/cohort" launch --mpi "$mpi" --jobs worker=3,ps=1 "$builddir/examples/coordinator" </dev/null
    has "$out" "cohort_worker_run: the cluster has no job chief" "$mpi: which wants a chief"
}

for mpi in openmpi mpich; do
    can_use "$mpi" || continue
    check_works
    check_wrong
    check_short
    check_losses
    check_example
done
tap_done
