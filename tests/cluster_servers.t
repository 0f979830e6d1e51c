#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Parameter servers: workers, servers and evaluators of real MPIs, started by mpirun.
. "${srcdir:-.}/tests/tap.sh"
. "$srcdir/tests/mpi.sh"
scratch cluster_servers

# tasks MODE WORKERS SERVERS [EVALUATORS]
tasks() {
    ranks $(($2 + $3 + ${4:-0})) "$builddir/tests/cluster_servers" "$1" "$3" "${4:-0}"
}

# quiet CLAIM: the last command has ended well, without a word.
quiet() {
    is "$code:$out" 0: "$1"
}

check_wrong() {
    tasks refusals 2 1
    quiet "$mpi: what is wrong is refused, and changes nothing"
    tasks shape 3 2
    is "$code" 0 "$mpi: a variable of another shape is refused, and all go on"
    has "$out" "variable 'w' is float32[2] here, made by another worker, and float32[3] is asked for" "$mpi: which is told"
    tasks paces 2 1
    is "$code:$(echo "$out" | grep -c "told: .*: the staleness of worker 0 of 2 is 1, of worker 1 of 2 2; all have the same")" 0:3 "$mpi: another bound of staleness is told to all"
    tasks no-pace 2 1
    is "$code:$(echo "$out" | grep -c 'told: .*a staleness of -1 writes')" 0:3 "$mpi: so is a bound that is none"
    if [ -x "$builddir/tests/golden" ]; then
        tasks contradict 2 1
        is "$code:$(echo "$out" | grep -c '^told: ')" 0:27 "$mpi: what one task has wrong is told to all, and then all go on"
        has "$out" "told: 2: cohort_server_run: parameter-server: worker 1 of 2 has failed: strategy: resolver 'tf_config' says that this is worker 0 of 2, and MPI that it is rank 1 of 3" "$mpi: a TF_CONFIG of other jobs"
        has "$out" "told: 1: strategy: parameter-server: worker 0 of 2 has failed: strategy: resolver 'tf_config': TF_CONFIG: byte 25" "$mpi: one that is none"
        has "$out" "told: 1: strategy: parameter-server: parameter server 0 of 1 has failed: cohort_server_run: resolver 'tf_config' says that this is worker 1 of 3" "$mpi: one of a server"
        has "$out" "told: 2: cohort_server_run: the cluster of worker 0 of 2 is '... worker 1 b:1, ps 0 c:1' of resolver 'tf_config', of worker 1 of 2 '... worker 1 b:2, ps 0 c:1' of resolver 'tf_config'" "$mpi: an address that is another"
        has "$out" "told: 0: strategy: the cluster of worker 0 of 2 is worker=2,ps=1,evaluator=0, of parameter server 0 of 1 worker=1,ps=2,evaluator=0" "$mpi: jobs that share the processes out in another way"
        has "$out" "told: 2: cohort_server_run: the placement of worker 0 of 2 is sharded(3, 0), of worker 1 of 2 sharded(2, 0)" "$mpi: and another placement"
        has "$out" "the placement of worker 0 of 2 is a policy of a name that is longer than what is s(0, 0), digest edc3d3abb6a7766b, of worker 1 of 2" "$mpi: also one whose name is long"
        tasks misplaced 2 1
        is "$code:$(echo "$out" | grep -c '^told: ')" 0:12 "$mpi: a task that makes something else is told to all at once, and then all go on"
        has "$out" "told: 0: strategy: parameter-server: worker 1 of 2 has failed: cohort_server_run: this process is task 1 of job 'worker'; those of job ps are servers" "$mpi: a worker that serves"
        has "$out" "told: 1: strategy: parameter-server: parameter server 0 of 1 has failed: strategy: this process is parameter server 0 of 1, which calls cohort_server_run instead" "$mpi: a server that trains"
        has "$out" "told: 2: cohort_server_run: parameter-server: worker 0 of 2 has failed: strategy: resolver 'mpi' says that this is worker 0 of 2, and MPI that it is rank 0 of 3" "$mpi: a worker that is mirrored, and not over all"
        has "$out" "told: 0: strategy: worker 1 of 3 calls parameter-server meanwhile" "$mpi: and one that is mirrored over all, by a TF_CONFIG of its own"
        has "$out" "told: 2: cohort_server_run: parameter-server: worker 0 of 2 calls strategy meanwhile" "$mpi: which servers are told of, too"
    else
        skip "$mpi: what one task has wrong is told to all, and then all go on" "configured without jansson"
    fi
    ranks 2 "$builddir/tests/cluster_servers" places 2
    has "$out" "cohort_resolver_mpi_jobs: the jobs want 3 processes or more, and there are 2" "$mpi: too few processes are told of"
    ranks 2 "$builddir/tests/cluster_servers" places 0
    has "$out" "2 jobs take all tasks that are left; one can" "$mpi: jobs that cannot be shared out are told of"
}

check_works() {
    for pair in 1:1 2:1 3:2 1:3; do
        workers=${pair%:*} servers=${pair#*:}
        for mode in places writes rows functions steps twice; do
            tasks $mode "$workers" "$servers"
            quiet "$mpi, $workers workers, $servers servers: $mode"
        done
    done
    own_path=$COHORT_PLUGIN_PATH
    COHORT_PLUGIN_PATH=$COHORT_PLUGIN_PATH:$builddir/plugins/.libs TEST_SERVER_DEVICE=stream
    export TEST_DEVICES TEST_SERVER_DEVICE
    for pair in 2:1 3:2; do
        for TEST_DEVICES in stream/2 loopback,host:0; do
            for mode in writes rows functions steps; do
                tasks $mode "${pair%:*}" "${pair#*:}"
                quiet "$mpi, ${pair%:*} workers, ${pair#*:} servers, on $TEST_DEVICES: $mode"
            done
        done
    done
    unset TEST_DEVICES TEST_SERVER_DEVICE
    COHORT_PLUGIN_PATH=$own_path
    tasks stale 3 1
    quiet "$mpi: with a bound of staleness nobody is further ahead"
    tasks leaves 3 2
    quiet "$mpi: and nobody waits for who has left"
    EVALUATOR_MARK=$scratch/evaluator-$mpi
    export EVALUATOR_MARK
    tasks evaluated 2 1 1
    quiet "$mpi: an evaluator reads what workers train, and writes nothing"
}

# launch OPTION VALUE COMMAND...: by cohort launch, for a minute at most.
launch() {
    run timeout 60 "$builddir/cli/cohort" launch --mpi "$mpi" "$@" </dev/null
}

# A table that servers hold in parts; of one worker its last words are the same however many servers there are.
check_example() {
    launch --jobs worker=1,ps=1 "$builddir/examples/parameter_server" 1
    has "$out" "usage: parameter_server [WORDS, at least 120]" "$mpi: the example wants words"
    launch -n 2 "$builddir/examples/parameter_server" 40000
    has "$out" "the cluster has no job ps" "$mpi: and a server"
    ranks 2 env COHORT_JOBS=worker=2,ps=1 "$builddir/examples/parameter_server" 40000
    has "$out" "the jobs want 3 processes, and there are 2" "$mpi: as many processes as COHORT_JOBS says"
    ranks 1 env COHORT_JOBS=worker=1,worker=1 "$builddir/examples/parameter_server" 40000
    has "$out" "COHORT_JOBS: 'worker=1,worker=1' is no list of jobs, each once, such as worker=2,ps=1" "$mpi: which has to be a list of jobs"
    for servers in 1 2; do
        launch --jobs "ps=$servers,worker=1" "$builddir/examples/parameter_server" 40000
        is "$code" 0 "$mpi: one worker and $servers servers train a table"
        echo "$out" | grep -o 'groups 1\..*' >"$scratch/$servers.end"
    done
    has "$(cat "$scratch/1.end")" "groups 1." "$mpi: well"
    is "$(cat "$scratch/1.end")" "$(cat "$scratch/2.end")" "$mpi: and end alike"
    echo '{"cluster": {"worker": ["localhost:1", "localhost:2", "localhost:3"], "ps": ["localhost:4"]}}' >"$scratch/cluster"
    launch --tf-config "$scratch/cluster" "$builddir/examples/parameter_server" 400000
    build_lacks jansson "$mpi: the three workers of a file" ||
        is "$code:$(echo "$out" | grep -c 'table of 51 MB on 1 servers, .* groups 1\.')" 0:3 "$mpi: the three workers of a file do so at their own pace, too"
}

check_faults() {
    COHORT_TIMEOUT_WORKER=2
    export COHORT_TIMEOUT_WORKER
    tasks too-stale 2 1
    has "$out" "worker 1 of 2 has not come to within 1 writes of this one in 1.5" "$mpi: who is waited for in vain is named"
    tasks not-made 2 1
    has "$out" "variable 'w' begins with the content of worker 0 of 2, which has not made it" "$mpi: so is a chief that makes no such variable"
    tasks frozen 1 1
    has "$out" "parameter server 0 of 1 has not come within 2 s (COHORT_TIMEOUT_WORKER)" "$mpi: a server that stands is named"
    tasks one-frozen 1 2
    has "$out" "parameter server 1 of 2 has not come within 2 s (COHORT_TIMEOUT_WORKER)" "$mpi: one of two servers that stands is named"
    is "$(echo "$out" | grep -c 'worker 0 of 1')" 0 "$mpi: and the other one does not blame the worker"
    tasks silent 2 1
    has "$out" "cohort_server_run: worker 1 of 2 has neither made a call of its strategy nor left for 1.5 s" "$mpi: and so is a worker"
    tasks busy 1 1
    quiet "$mpi: one that computes for longer than that, in several calls, is there"
    tasks busy-program 1 1
    quiet "$mpi: and so it is in the many steps of one"
    unset COHORT_TIMEOUT_WORKER
}

for mpi in openmpi mpich; do
    can_use "$mpi" || continue
    check_wrong
    check_works
    check_example
    check_faults
done
tap_done
