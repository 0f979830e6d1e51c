#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# cohort_update of variables on parameter servers: workers, servers and evaluators of real MPIs, started by mpirun.
. "${srcdir:-.}/tests/tap.sh"
. "$srcdir/tests/mpi.sh"
scratch cluster_update

# tasks MODE WORKERS SERVERS [EVALUATORS]
tasks() {
    ranks $(($2 + $3 + ${4:-0})) "$builddir/tests/cluster_update" "$1" "$3" "${4:-0}"
}

# quiet CLAIM: the last command has ended well, without a word.
quiet() {
    is "$code:$out" 0: "$1"
}

check_wrong() {
    tasks options 1 1
    has "$code:$out" "0:told: strategy: parameter server 0 of 1: functions 0 and 1 of the server's list have one name, 'decay'" "$mpi: two functions of one name are told to the worker, too"
    has "$out" "unknown type 'flaot'" "$mpi: so is one that does not parse"
    has "$out" "reserved[1] of the options is not zero" "$mpi: and a reserved word"
    tasks refusals 1 2
    quiet "$mpi: what is wrong is refused, where a body fails its shard alone is as before"
    EVALUATOR_MARK=$scratch/evaluator-$mpi
    export EVALUATOR_MARK
    tasks evaluated 2 1 1
    quiet "$mpi: an evaluator updates nothing"
}

check_works() {
    for servers in 1 2 3; do
        tasks as-here 1 $servers
        quiet "$mpi, $servers servers: an update has the bits of one without servers"
        tasks programs 1 $servers
        quiet "$mpi, $servers servers: and a program those of its calls made one by one"
    done
    own_path=$COHORT_PLUGIN_PATH
    COHORT_PLUGIN_PATH=$COHORT_PLUGIN_PATH:$builddir/plugins/.libs TEST_SERVER_DEVICE=stream TEST_DEVICES=loopback,stream
    export TEST_DEVICES TEST_SERVER_DEVICE
    for mode in as-here programs; do
        tasks $mode 1 2
        quiet "$mpi: so it has where no device shows its memory: $mode"
    done
    unset TEST_DEVICES TEST_SERVER_DEVICE
    COHORT_PLUGIN_PATH=$own_path
    for pair in 1:1 2:1 3:2 4:2; do
        tasks together "${pair%:*}" "${pair#*:}"
        quiet "$mpi, ${pair%:*} workers, ${pair#*:} servers: no update is lost"
        tasks programs-together "${pair%:*}" "${pair#*:}"
        quiet "$mpi, ${pair%:*} workers, ${pair#*:} servers: nor one that was recorded"
        tasks programs-of-ways "${pair%:*}" "${pair#*:}"
        quiet "$mpi, ${pair%:*} workers, ${pair#*:} servers: each goes its own way in a program"
    done
    tasks stale 3 1
    quiet "$mpi: with a bound of staleness nobody is further ahead"
}

for mpi in openmpi mpich; do
    can_use "$mpi" || continue
    check_wrong
    check_works
done
tap_done
