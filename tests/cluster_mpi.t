#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Communicators of real MPIs, and the resolver of one: some processes, started by mpirun.
. "${srcdir:-.}/tests/tap.sh"
. "$srcdir/tests/mpi.sh"
scratch cluster_mpi

# apart N COMMAND...: as ranks, each with an output of its own, so that none cuts another's; all in $out.
apart() {
    n=$1
    shift
    rm -f "$scratch"/rank.*
    # shellcheck disable=SC2016 # each rank expands it
    ranks "$n" sh -c 'exec "$@" >"$0/rank.$$" 2>&1' "$scratch" "$@"
    out=$(cat "$scratch"/rank.*)
}

# quiet CLAIM: the last command has ended well, without a word.
quiet() {
    is "$code:$out" 0: "$1"
}

# A strategy over all ranks beside one that hosts all their replicas.
check_workers() {
    for pair in 1:1 1:5 2:2 2:5 2:8 3:3 3:7 4:5 4:9; do
        n=${pair%:*} replicas=${pair#*:}
        ranks "$n" "$builddir/tests/cluster_workers" bits "$replicas"
        quiet "$mpi, $n ranks, $replicas replicas: the bits of one process"
    done
    # More roots than are combined at once, and so has a half of the tree: no replicas of a worker are large nodes of it.
    ranks 24 "$builddir/tests/cluster_workers" hosted 3,62,61,51,62,16,11,23,56,18,58,57 reduce_many_roots
    quiet "$mpi, 24 ranks, 956 replicas, 134 roots: the bits of one process"
    # Devices that do not show their memory, of all ranks, beside one that does, and of one rank alone.
    own_path=$COHORT_PLUGIN_PATH
    COHORT_PLUGIN_PATH=$COHORT_PLUGIN_PATH:$builddir/plugins/.libs
    for n in 2 3; do
        for devices in stream loopback stream/2,host:0; do
            ranks "$n" "$builddir/tests/cluster_workers" bits 9 "" "$devices"
            quiet "$mpi, $n ranks, $devices: the bits of one process on its host"
        done
        # shellcheck disable=SC2016 # each rank expands it
        ranks "$n" sh -c 'case ${OMPI_COMM_WORLD_RANK:-$PMI_RANK} in 0) on=loopback ;; 1) on=host:0/2 ;; *) on=stream/2 ;; esac; exec "$0" bits 7 "" "$on"' \
            "$builddir/tests/cluster_workers"
        quiet "$mpi, $n ranks: and with memory that is shown by some of them alone"
    done
    COHORT_PLUGIN_PATH=$own_path
    # What TensorFlow answered with as many workers: the 51 rows that tests/golden.t leaves to several processes, and 38 more.
    for pair in 2:44 3:45; do
        n=${pair%:*} rows=${pair#*:}
        if [ -x "$builddir/tests/golden" ]; then
            apart "$n" "$builddir/tests/golden" --workers "$srcdir"/tests/data/golden/*.json
            is "$code:$(echo "$out" | grep -c '^ok')" "0:$((n * rows))" "$mpi, $n ranks: $rows rows come out as they say"
            is "$(echo "$out" | grep -c -e '^not ok' -e '# SKIP')" 0 "$mpi, $n ranks: all of them, on each"
            echo "$out" | grep -A 4 '^not ok' | sed 's/^/# /'
        else
            skip "$mpi, $n ranks: $rows rows come out as they say" "configured without jansson"
        fi
    done
    COHORT_DATA_PATH=$srcdir/examples/data
    export COHORT_DATA_PATH
    "$builddir/cli/cohort" demo --replicas 4 --seed 7 --epochs 3 --json --output-dir "$scratch" >"$scratch/alone" 2>&1
    for n in 1 2 3 4; do
        ranks "$n" "$builddir/cli/cohort" demo --replicas 4 --seed 7 --epochs 3 --json --output-dir "$scratch"
        is "$code:$(echo "$out" | digest_of)" "0:$(digest_of <"$scratch/alone")" "$mpi, $n ranks: cohort demo has the weights of one process"
    done
    "$builddir/examples/train_digits" "$srcdir/examples/data/digits.csv" host 4 7 >"$scratch/alone.example"
    ranks 2 "$builddir/examples/train_digits" "$srcdir/examples/data/digits.csv" host 4 7
    is "$code:$out" "0:$(cat "$scratch/alone.example")" "$mpi: and so has an example, which says the same, once"
    for n in 2 3; do
        "$builddir/examples/workers" "$srcdir/examples/data/digits.csv" "host:0/$n" >"$scratch/alone.example"
        ranks "$n" "$builddir/examples/workers" "$srcdir/examples/data/digits.csv" host:0
        is "$code:$out" "0:$(cat "$scratch/alone.example")" "$mpi, $n ranks: and so has one whose workers read rows of their own"
    done
    ranks 2 "$builddir/cli/cohort" demo --replicas 4 --seed 7 --epochs 3 --steps-per-run 20 --json --output-dir "$scratch"
    is "$code:$(echo "$out" | digest_of)" "0:$(digest_of <"$scratch/alone")" "$mpi: and so it has recorded"
    # shellcheck disable=SC2016 # each rank expands it
    ranks 2 sh -c 'case ${OMPI_COMM_WORLD_RANK:-$PMI_RANK} in 0) on=host:0/2 ;; *) on=host:0 ;; esac; exec "$0" demo --devices $on "$@"' \
        "$builddir/cli/cohort" --replicas 4 --seed 7 --epochs 3 --json --output-dir "$scratch"
    is "$code:$(echo "$out" | digest_of)" "0:$(digest_of <"$scratch/alone")" "$mpi: and with other devices on each rank"
    run timeout 60 "$builddir/cli/cohort" launch --mpi "$mpi" -n 2 "$builddir/cli/cohort" demo --replicas 4 --seed 7 --epochs 3 --json --output-dir "$scratch"
    is "$code:$(echo "$out" | digest_of)" "0:$(digest_of <"$scratch/alone")" "$mpi: and started by cohort launch"
    echo '{"cluster": {"worker": ["localhost:1", "127.0.0.1:1", "localhost:2"]}}' >"$scratch/here"
    run timeout 60 "$builddir/cli/cohort" launch --mpi "$mpi" --tf-config "$scratch/here" "$builddir/cli/cohort" demo --replicas 4 --seed 7 --epochs 3 --json --output-dir "$scratch"
    build_lacks jansson "$mpi: and on the machines of a file" ||
        is "$code:$(echo "$out" | digest_of)" "0:$(digest_of <"$scratch/alone")" "$mpi: and on the machines of a file, of which one comes again"
    ranks 2 env TF_CONFIG='{"cluster": {"worker": ["a:1", "b:1", "c:1"]}, "task": {"type": "worker", "index": 0}}' \
        "$builddir/tests/cluster_faults" contradiction
    build_lacks jansson "$mpi: a TF_CONFIG of another cluster" ||
        has "$out" "told: 0: strategy: resolver 'tf_config' says that this is worker 0 of 3, and MPI that it is rank 0 of 2" "$mpi: a TF_CONFIG of another cluster is an error"
}

# Some steps, whose positions are saved, then the rest by as many workers and replicas as there are then: every row once.
check_positions() {
    for pair in 2:5-2:5 2:5-3:4 3:5-2:5 4:7-1:3 2:4-3:5 1:3-2:3; do
        before=${pair%-*} after=${pair#*-}
        for manner in data hint; do
            rm -f "$scratch"/position-*
            ranks "${before%:*}" "$builddir/tests/cluster_positions" save "$scratch" "$manner" "${before#*:}" 2
            echo "$out" >"$scratch/rows"
            has "$(head -n 1 "$scratch/rows")" "row " "$mpi, $manner, $before replicas: some rows are read, and the position saved"
            ranks "${after%:*}" "$builddir/tests/cluster_positions" restore "$scratch" "$manner" "${after#*:}" 100
            echo "$out" >>"$scratch/rows"
            is "$code:$(sort -u "$scratch/rows" | grep -c '^row '):$(grep -c . "$scratch/rows")" 0:61:61 \
                "and then by $after the others, each once"
        done
    done
    # Once workers have hosted other numbers of replicas, only each one's own position says where it is.
    rm -f "$scratch"/position-*
    ranks 2 "$builddir/tests/cluster_positions" save "$scratch" hint 4 2
    echo "$out" >"$scratch/rows"
    ranks 2 "$builddir/tests/cluster_positions" move "$scratch" hint 5 2
    echo "$out" >>"$scratch/rows"
    ranks 3 "$builddir/tests/cluster_positions" restore "$scratch" hint 5 2
    has "$out" "or hosted other numbers of replicas; restore it in the same pipeline" "$mpi: a position of workers that changed meanwhile is theirs alone"
    ranks 2 "$builddir/tests/cluster_positions" move "$scratch" hint 5 100
    echo "$out" >>"$scratch/rows"
    is "$code:$(sort -u "$scratch/rows" | grep -c '^row '):$(grep -c . "$scratch/rows")" 0:61:61 "$mpi: who go on, and leave out no row"
}

# differ WHAT TEXT...: of the inputs of which worker 1 makes something else all are told; each TEXT is in what they say.
differ() {
    what=$1
    shift
    is "$(echo "$out" | grep -c "^told: [0-9]: $what: ")" "$n" "$mpi, $n ranks: of inputs whose workers differ all are told: $what"
    for text; do
        has "$out" "$text" "$mpi, $n ranks: with both sides: $what"
    done
}

# Inputs that worker 1 makes of something else than the others, and of what may differ.
check_inputs() {
    for n in 2 3; do
        rm -rf "$scratch/inputs"
        mkdir "$scratch/inputs"
        apart "$n" "$builddir/tests/cluster_inputs" "$scratch/inputs"
        is "$code:$(echo "$out" | grep -c '^told: ')" "0:$((23 * n))" "$mpi, $n ranks: what an input is made of is compared, and then all go on"
        at=cohort_distribute_dataset
        differ rows "$at: the dataset of worker 1 of $n: 'slices 80 rows', of worker 0: 'slices 96 rows'; all workers have the same, or each has data of its own (COHORT_SHARD_OFF)" \
            "$at: the dataset of worker 0 of $n: 'slices 96 rows', of worker 1: 'slices 80 rows'"
        differ seed "of worker 1 of $n: 'shuffle buffer 96, seed 8', of worker 0: 'shuffle buffer 96, seed 7'"
        differ unshuffled "of worker 1 of $n: 'shuffle buffer 96, seed 7', of worker 0: 'slices 96 rows'"
        differ taken "of worker 1 of $n: 'take 48', of worker 0: 'take 96'"
        differ batch "of worker 1 of $n: 'batch rows 12', of worker 0: 'batch rows 24'"
        differ policy "$at: the policy of worker 1 of $n: COHORT_SHARD_OFF, of worker 0: COHORT_SHARD_DATA; all workers have the same"
        differ split "$at: the options of worker 1 of $n: 'COHORT_SPLIT_BALANCED', of worker 0: 'COHORT_SPLIT_FILL'"
        differ "global batch" "of worker 1 of $n: 'global batch 32', of worker 0: 'global batch 24'"
        differ weights "of worker 1 of $n: 'weight 1 is 2', of worker 0: 'weight 1 is 1'"
        differ dtype "$at: the elements of worker 1 of $n: 'component 0 float64', of worker 0: 'component 0 float32'"
        differ "dtype of a function" "cohort_distribute_datasets_from_function: the elements of worker 1 of $n: 'component 0 float64'"
        differ "file rows" "$at: the files of worker 1 of $n: 'short.npy of 164 bytes, 9 rows', of worker 0: 'short.npy of 176 bytes, 12 rows'"
        differ "file sizes" "of worker 1 of $n: 'lines.txt of 14 bytes', of worker 0: 'lines.txt of 8 bytes'"
        differ "file order" "of worker 1 of $n: '3.npy', of worker 0: '0.npy'"
        differ "file list" "of worker 1 of $n: nothing more, of worker 0: '3.npy'"
        differ "file seed" "of worker 1 of $n: 'shuffle buffer 48, seed 8', of worker 0: 'shuffle buffer 48, seed 7'"
        differ "hint seed" "of worker 1 of $n: 'shuffle buffer 96, seed 8', of worker 0: 'shuffle buffer 96, seed 7'"
        differ contents "$at: the contents of worker 1 of $n: 'array 0 has checksum " "', of worker 0: 'array 0 has checksum "
        differ "contents below" "$at: the contents of worker 1 of $n: 'array 0 has checksum "
        differ "contents with gaps" "$at: the contents of worker 1 of $n: 'array 0 has checksum "
        differ "contents of a large array" "$at: the contents of worker 1 of $n: 'array 0 has checksum "
        differ missing "told: 0: missing: $at: worker 1 of $n has failed: $at: the dataset is NULL, because of an earlier error: " "none.npy: No such file"
        differ "made otherwise" "$at: worker 1 of $n calls cohort_distribute_datasets_from_function meanwhile"
    done
}

# unlike HOW WHAT TEXT: so were writes in which worker 1 differed, with both sides; then all are alike.
unlike() {
    is "$(echo "$out" | grep -c "^told: [0-9]: $1: $2: ")" "$n" "$mpi, $n ranks: writes in which workers differ are told to all: $1, $2"
    has "$out" "told: 0: $1: $2: cohort_reduce: $3" "$mpi, $n ranks: with both sides: $1, $2"
}

# What all have is written by worker 1 alone, or by the others, with other numbers and in another order.
check_writes() {
    cure="all workers write the same; cohort_strategy_recover, and then cohort_strategy_broadcast_variables, make them alike"
    for n in 2 3; do
        apart "$n" "$builddir/tests/cluster_writes"
        is "$code:$(echo "$out" | grep -c '^told: ')" "0:$((63 * n))" "$mpi, $n ranks: writes that workers do not all make alike are told at the next exchange"
        at="of worker 1 of $n is"
        for pair in "assign:cohort_variable_assign of 'w' at cluster_writes.c:" "assign_add:cohort_variable_assign_add of 'w' at cluster_writes.c:" \
            "assign_sub:cohort_variable_assign_sub of 'w' at cluster_writes.c:" "assign_value:cohort_variable_assign of 'w' at cluster_writes.c:" \
            "assign_components:cohort_variable_assign of 'components' at cluster_writes.c:" \
            "scatter:cohort_variable_scatter_update of 'w' at cluster_writes.c:" "scatter_ids:cohort_variable_scatter_add of 'w' at cluster_writes.c:" \
            "scatter_value:cohort_variable_scatter_sub of 'w' at cluster_writes.c:" \
            "update:cohort_update(set_to) of 'w' at cluster_writes.c:" "update_array:cohort_update(add_array) of 'w' at cluster_writes.c:" \
            "update_value:cohort_update(add_first) of 'w' at cluster_writes.c:" \
            "update_non_slot:cohort_update_non_slot(set_to) at cluster_writes.c:" "broadcast:cohort_broadcast at cluster_writes.c:" "step:cohort_replica_update(set_to) of 'w' at cluster_writes.c:"; do
            kind=${pair%%:*} call=${pair#*:}
            unlike alone "$kind" "write "
            unlike missing "$kind" "write 1 $at none, of worker 0 $call"
            unlike other "$kind" "write 1 $at $call"
            unlike order "$kind" "write 1 $at cohort_"
        done
        has "$out" "told: 0: alone: update: cohort_reduce: write 2 $at cohort_update(set_to) of 'w' at cluster_writes.c:" "$mpi, $n ranks: and with the way to make them alike"
        has "$out" "told: 1: other: assign: cohort_reduce: write 1 of worker 0 of $n is cohort_variable_assign of 'w' at cluster_writes.c:" "$mpi, $n ranks: each names another one and itself"
        has "$out" ", with other numbers; $cure" "$mpi, $n ranks: of one call it is the numbers"
        unlike other reduced "write 1 $at cohort_reduce, of worker 0 cohort_reduce, with other numbers"
        unlike other copied "write 1 $at cohort_variable_assign of 'w' at cluster_writes.c:"
        unlike alone reset "write 2 $at cohort_metric_reset of 'm', of worker 0 none"
        unlike other program "write 5 $at cohort_value_set at cluster_writes.c:"
        unlike alone program "write 2 $at cohort_program_run of 4 steps, of worker 0 cohort_program_run of 3 steps"
        unlike order program "write 2 $at cohort_value_set at cluster_writes.c:"
        unlike other "long ago" "worker 1 of $n has written something else than worker 0, more than 32 writes ago"
    done
}

# What steps send beside what their workers have written: as much as before anything was compared, but for lists of means
# of integers and 16-bit floats, which have crossed one by one.
check_counts() {
    for n in 2 3; do
        apart "$n" "$builddir/tests/cluster_counted"
        echo "$out" | LC_ALL=C sort >"$scratch/counted"
        grep " of $n: " "$srcdir/tests/data/messages.txt" | diff - "$scratch/counted" >"$scratch/differs"
        is "$code:$(cat "$scratch/differs")" 0: "$mpi, $n ranks: steps of each kind send as many messages and bytes as they did, and 16 bytes more in each meeting"
    done
}

# The first digest of cohort demo --json.
digest_of() {
    sed -n 's/.*"digest": "\([0-9a-f]*\)".*/\1/p' | head -n 1
}

# told MODE COUNT CLAIM TEXT...: three ranks, of which COUNT tell an error, and all end well; each TEXT is among what they tell.
told() {
    mode=$1 count=$2 claim=$3
    shift 3
    ranks 3 "$builddir/tests/cluster_faults" "$mode"
    is "$code:$(echo "$out" | grep -c '^told: ')" "0:$count" "$mpi: $claim"
    for text; do
        has "$out" "$text" "$mpi: $mode: which is told"
    done
}

# lost PART: worker 1 stands in the middle of an exchange, and its messages arrive when the others have given it up. A busy
# machine may take longer than a second for what comes before that, and then it is not worker 1 that is lost.
lost() {
    export COHORT_TIMEOUT_WORKER
    ASAN_OPTIONS=$with_leaks
    for COHORT_TIMEOUT_WORKER in 1 10; do
        ranks 3 "$builddir/tests/cluster_lost-$mpi" "$1"
        kept=$(echo "$out" | grep -c "^kept: [012]: $1$")
        [ "$kept" != 3 ] || break
    done
    unset COHORT_TIMEOUT_WORKER
    ASAN_OPTIONS=$without_leaks
    is "$kept" 3 "$mpi: what is given up keeps its memory: $1"
    [ "$kept" = 3 ] || diag "the last try ended with status $code (124: it stood) and said: $out"
    # A leak checker finds what MPI forgets, too.
    is "$(echo "$out" | grep -c " in cohort_")" 0 "$mpi: which has an owner: $1"
}
without_leaks=$ASAN_OPTIONS with_leaks=${ASAN_OPTIONS%:detect_leaks=0}
[ "$with_leaks" != detect_leaks=0 ] || with_leaks=

check_faults() {
    told call 3 "another call of one rank is an error of all, which recover" \
        "told: 0: cohort_reduce: worker 1 of 3 calls cohort_variable_create meanwhile" \
        "told: 1: cohort_variable_create: worker 0 of 3 calls cohort_reduce meanwhile"
    told shape 3 "so is another shape" "told: 2: cohort_reduce: the component of replica 1 is float32[12], that of replica 0 float32[6]"
    told list 12 "so is a list of other values" "told: 0: cohort_reduce_list: worker 1 of 3 has a list of 3 values, worker 0 of 2" \
        "told: 2: cohort_reduce_list: value 39 of 40: the component of replica 1 is float32[12], that of replica 0 float32[6]" \
        "told: 0: cohort_reduce_list: value 0 of 2: worker 1 of 3 reduces along other axes than worker 0" \
        "told: 0: cohort_reduce_list: worker 1 of 3 reduces 6 elements of float32 by sum, divided by 3, worker 0 6 elements of float32 by sum; all workers"
    told program 6 "so is a shape in a recorded step, whose sums cross together" \
        "told: 0: step 3 of a program: calls 2 to 6: cohort_reduce: value 1 of 3: the component of replica 1 is float32[3], that of replica 0 float32[6]" \
        "told: 1: step 4 of a program: call 5, cohort_run: multiply, replica 1 on host:0: n is 3 elements" \
        "told: 2: step 4 of a program: calls 2 to 6: cohort_reduce: worker 1 of 3 has failed: step 4 of a program: call 5, cohort_run: "
    told weights 3 "so are weights of another rank" "told: 0: cohort_reduce_with: the weights of 2 workers are one number for each component, of 1 one for each element"
    told function 3 "so is a function of another name" "told: 0: cohort_reduce_with: worker 1 of 3 combines with 'add_again', worker 0 with 'add'"
    told halo 9 "so are halos of other rows" "told: 0: cohort_halo: rows 2, edge 0 on worker 1 of 3; rows 1, edge 0 on worker 0" \
        "told: 1: cohort_halo: rows 1, edge 0 on worker 0 of 3; rows 1, edge 1 on worker 1" "told: 2: cohort_halo: the component of replica 2 is float32[1][3], that of replica 0 float32[2][2]"
    told root 9 "so are broadcasts of other roots" "the root of worker 1 of 3 is replica 5, of worker 0 replica 2" \
        "the value of worker 1 of 3 is the same for all, that of worker 0 per replica" "worker 1 of 3 has failed: step function broadcast"
    told scatter 6 "so are scatters into other variables" "worker 1 of 3 scatters 2 rows of 8 bytes into 'b', worker 0 rows of 8 into 'a'" \
        "told: 1: variable 'a': id 3 of replica 2 is no row of it" "worker 1 of 3 has failed: variable 'a': id 3 of replica 2"
    told numbers 3 "replicas are called as the program knows them" "replica 2 on host:0.1: cohort_replica_read"
    told barrier 3 "so is a barrier that the others do not come to" "worker 1 of 3 calls cohort_barrier meanwhile"
    told variable 3 "so is another variable" "told: 0: cohort_variable_create: worker 1 of 3 creates 'v' of 4 bytes, worker 0 'w' of 4"
    told strategy 6 "so is another strategy" "told: 0: strategy: the rollback of worker 1 of 3 is off, of worker 0 on" \
        "told: 2: strategy: the placement of worker 1 of 3 is sharded(3, 0), of worker 2 sharded(2, 0); all workers have the same"
    told device 3 "so is a device that one rank has not" "told: 2: strategy: worker 1 of 3 has failed: no device 'nowhere:0'"
    COHORT_PLUGIN_PATH=$COHORT_PLUGIN_PATH:$builddir/plugins/wrong/.libs
    told plugins 6 "so is another version of a plugin that two of them use" \
        "told: 0: strategy: plugin 'wrong' is version '1.4' (ABI 1." "told: 1: strategy: plugin 'wrong' is version '1.4' (ABI 1." \
        "told: 2: strategy: plugin 'wrong' is version '1.4' (ABI 1." "on worker 0 of 3, and '1.5' (ABI 1."
    COHORT_PLUGIN_PATH=${COHORT_PLUGIN_PATH%:*}
    told failed 9 "so is what one rank does wrong" "told: 2: cohort_reduce: worker 1 of 3 has failed: cohort_value_read: the value is float64"
    told destroyed 2 "so is a strategy that one rank has destroyed" "worker 1 of 3 calls cohort_strategy_destroy meanwhile"
    told two 3 "two strategies do not know of each other"
    for part in variables components lost destroyed late wrong alike elements restarted; do
        ranks 3 "$builddir/tests/cluster_recovery" "$part"
        quiet "$mpi: all go on alike after a failure of one: $part"
    done
    told first_row 9 "replicas that ask for their first rows alone are told of" \
        "worker 1 of 3 calls it for all replicas, worker 0 in a step function" "worker 1 of 3 calls cohort_barrier meanwhile" \
        "worker 1 of 3 has failed: step function number_own"
    for part in calls starts; do
        ranks 3 "$builddir/tests/cluster_short" "$scratch" "$part"
        quiet "$mpi: whichever allocation of one is refused, all are told, and go on: $part"
    done
    told refused 3 "so is a value that nothing has written on one rank" \
        "told: 0: number_rows: worker 1 of 3 has failed: number_rows: "
    told parts 18 "each worker reads its own rows, and is told so where a program asks for all" \
        "told: 0: cohort_value_read: the value has 4 elements here, the array 10; this worker holds 4 of the 10 rows; cohort_gather brings all" \
        "told: 2: cohort_value_read: the value has 6 elements here, the array 20; this worker holds 3 of the 10 rows; cohort_gather brings all" \
        "told: 1: cohort_value_read: the value has 0 elements here, the array 10; this worker holds 0 rows; cohort_gather" \
        "told: 1: cohort_value_scalar: the value has 3 elements here, the array 1; this worker holds 3 rows; cohort_gather" \
        "told: 1: cohort_value_shape: another worker hosts replica 2 of 3; this one has 1 to 1; cohort_gather brings all"
    told kinds 9 "so is a strategy of another kind, at once" \
        "told: 0: strategy: worker 1 of 3 has failed: strategy: no strategy 'multi-worker-mirored'" \
        "told: 0: strategy: worker 1 of 3 has failed: strategy: the cluster has no job ps" \
        "told: 2: strategy: worker 1 of 3 has failed: cohort_server_run: the cluster has no job ps"
    told asked 3 "so are jobs that are none, which one asks for" \
        "told: 1: cohort_resolver_mpi_jobs: job 0 is 'wurker'" "told: 2: strategy: worker 1 of 3 has failed: cohort_resolver_mpi_jobs: job 0 is 'wurker'"
    export COHORT_JOBS
    COHORT_JOBS=worker=2,evaluator=1
    told jobs 3 "workers beside an evaluator know at once that they are not all" \
        "told: 1: strategy: resolver 'mpi' says that this is worker 1 of 2, and MPI that it is rank 1 of 3" "told: 0: this one is alone"
    COHORT_JOBS=worker=2,ps=1
    told jobs 3 "and so do workers beside a parameter server, and it" "told: 1: strategy: resolver 'mpi' says that this is worker 1 of 2"
    unset COHORT_JOBS
    if [ -x "$builddir/tests/golden" ]; then
        told misled 9 "a TF_CONFIG of one rank that is wrong is told to the others at once" \
            "told: 0: strategy: worker 1 of 3 has failed: strategy: resolver 'tf_config' says that this is worker 1 of 2, and MPI that it is rank 1 of 3" \
            "told: 0: strategy: worker 1 of 3 has failed: strategy: resolver 'tf_config': TF_CONFIG: byte 55" \
            "told: 2: strategy: worker 1 of 3 has failed: strategy: resolver 'tf_config': TF_CONFIG: byte 21"
        told differing 12 "so is one of one rank that only differs" \
            "told: 0: strategy: the cluster of worker 1 of 3 is '... worker 1 b:2, worker 2 c:1' of resolver 'tf_config', of worker 0 '... worker 1 b:1, worker 2 c:1' of resolver 'tf_config'; all workers have the same" \
            "told: 2: strategy: the cluster of worker 1 of 3 is '... worker 1 c:1, worker 2 b:1' of resolver 'tf_config', of worker 2 '... worker 1 b:1" \
            "told: 1: strategy: the cluster of worker 0 of 3 is 'worker 0 a:1, worker 1 b:1, worker 2 c:1' of resolver 'tf_config', of worker 1 'worker 0 " \
            "' of resolver 'mpi'; all" "is 'ps 0 d:2, worker 0 a:1, worker 1 b:1, worker 2 c:1' of resolver 'tf_config', of worker 0 'worker 0 a:1"
    else
        skip "$mpi: a TF_CONFIG of one rank that is wrong is told to the others at once" "configured without jansson"
    fi
    for part in sum function gather halo broadcast scatter variable; do
        lost "$part"
    done
    ranks 3 "$builddir/tests/cluster_faults" exited
    is "$code:$(echo "$out" | grep -c '^told: ')" 3:4 "$mpi: a rank that ends in mid-run is told of at once"
    has "$out" "told: 0: cohort_reduce: worker 1 of 3 has failed: its process ends, and has not destroyed its strategy" "$mpi: which says who"
    has "$out" "told: 2: cohort_strategy_recover: worker 1 of 3 has destroyed its strategy, or ended" "$mpi: and that it does not come back"
    for where in in_body in_combine in_value in_step beside_body beside_exchange; do
        start=$(date +%s)
        ranks 3 "$builddir/tests/cluster_faults" "exited_$where"
        is "$code:$(echo "$out" | grep -c ' has failed: its process ends\| has destroyed its strategy, or ended')" 3:4 \
            "$mpi: also where it ends in the middle of a call: $where"
        [ $(($(date +%s) - start)) -lt 50 ]
        ok $? "$mpi: and nobody waits for it: $where"
    done
    # Left without MPI_Finalize by several at once, Open MPI's mpirun now and then stood, or crashed.
    left=0
    for _ in 1 2 3 4 5; do
        ranks 3 "$builddir/tests/cluster_faults" ended
        case $code:$out in
        3:*"without calling"*) ;;
        3:*) left=$((left + 1)) ;;
        esac
    done
    is "$left" 5 "$mpi: where all end after an error they finalise, and the exit code is theirs"
    told late 0 "a rank may be late in making its strategy"
    COHORT_TIMEOUT_WORKER=3
    export COHORT_TIMEOUT_WORKER
    ranks 3 "$builddir/tests/cluster_faults" absent
    has "$out" ": strategy: worker 1 of 3 has not come within 3 s (COHORT_TIMEOUT_WORKER)" "$mpi: one that makes none is named"
    ranks 2 env TF_CONFIG='{"cluster": {"worker": ["a:1", "b:1"]}, "task": {"type": "worker", "index": 0}}' \
        "$builddir/tests/cluster_faults" contradiction
    build_lacks jansson "$mpi: a TF_CONFIG of another task" ||
        has "$out" "told: 1: strategy: resolver 'tf_config' says that this is worker 0 of 2, and MPI that it is rank 1 of 2" "$mpi: a TF_CONFIG of another task is an error"
    start=$(date +%s)
    ranks 3 "$builddir/tests/cluster_faults" frozen
    has "$out" "worker 1 of 3 has not come within 3 s (COHORT_TIMEOUT_WORKER)" "$mpi: a rank that stands is named"
    ranks 3 "$builddir/tests/cluster_faults" body
    has "$out" "cohort_reduce_with: worker 1 of 3 has not come within 3 s (COHORT_TIMEOUT_WORKER)" "$mpi: and one that stands in the middle of a call"
    ranks 3 "$builddir/tests/cluster_faults" killed
    [ "$code" != 0 ] && [ $(($(date +%s) - start)) -lt 50 ]
    ok $? "$mpi: and one that is killed ends the job, which waits for neither"
    unset COHORT_TIMEOUT_WORKER
}

# Also where they are on several machines, as far as the environment says: then each machine counts its own.
absent() {
    export COHORT_TIMEOUT_WORKER
    COHORT_TIMEOUT_WORKER=1
    ranks 3 "$builddir/tests/cluster_given-$mpi" late
    is "$(echo "$out" | grep -c "told: cohort_resolver_mpi: MPI_Comm_idup: rank 1 of 3 has not come$")" 2 \
        "$mpi: one that has MPI and does not come is named by all who have, on whatever machines"
    COHORT_TIMEOUT_WORKER=0.5
    ranks 2 env OMPI_COMM_WORLD_LOCAL_SIZE=1 MPI_LOCALNRANKS=1 "$builddir/tests/cluster_ranks" late
    has "$out" ": missing, or ended, is one on another machine than $(uname -n), where all 1 have come" \
        "$mpi: of several machines it is told that it is another one"
    if [ "$mpi" = openmpi ]; then
        ranks 2 env OMPI_COMM_WORLD_SIZE=4 "$builddir/tests/cluster_ranks" late
        has "$out" ": missing, or ended, is 1 of the 2 processes on $(uname -n)" "$mpi: or how many of this one"
        # As srun --mpi=pmix starts them.
        ranks 2 env -u OMPI_COMM_WORLD_SIZE -u OMPI_COMM_WORLD_RANK SLURM_STEP_NUM_TASKS=2 SLURM_STEP_TASKS_PER_NODE=2 SLURM_NODEID=0 \
            "$builddir/tests/cluster_ranks" late
        has "$out" ": missing, or ended, is rank 1 of 2" "$mpi: and so it is under Slurm"
    fi
    unset COHORT_TIMEOUT_WORKER
}

check_mpi() {
    mpi=$1
    can_use "$mpi" || return
    for n in 1 2 3 4; do
        ranks "$n" "$builddir/tests/cluster_ranks" exchange
        quiet "$mpi, $n ranks: every exchange, of 0 bytes to 5 MB"
        ranks "$n" "$builddir/tests/cluster_ranks" resolver
        quiet "$mpi, $n ranks: the resolver answers"
        ranks "$n" "$builddir/tests/cluster_given-$mpi"
        quiet "$mpi, $n ranks: a program with an MPI of its own passes half of its ranks"
    done
    if [ "$mpi" = openmpi ]; then
        # As srun --mpi=pmix starts them.
        ranks 2 env -u OMPI_COMM_WORLD_SIZE -u OMPI_COMM_WORLD_RANK "$builddir/tests/cluster_workers" bits 5
        quiet "$mpi: a launcher with PMIx is known, and the bits are those of one process"
    fi
    ranks 2 env TF_CONFIG='{}' "$builddir/tests/cluster_faults" contradiction
    build_lacks jansson "$mpi: a TF_CONFIG that names no task" ||
        has "$out" "told: 1: strategy: mpirun of" "$mpi: a TF_CONFIG that names no task leaves nobody to train alone"
    ranks 2 env TF_CONFIG='{"cluster": {"worker": ["a:1"]}, "task": {"type": "worker", "index": 0}}' "$builddir/tests/cluster_faults" contradiction
    build_lacks jansson "$mpi: a TF_CONFIG of one worker" ||
        has "$out" "told: 1: strategy: resolver 'tf_config' says that this is worker 0 of 1, and MPI that it is rank 1 of 2" "$mpi: nor does one of a single worker"
    for level in single funneled serialized; do
        ranks 2 "$builddir/tests/cluster_given-$mpi" threads "$level"
        quiet "$mpi: step functions of several devices exchange where MPI is for several threads: $level"
    done
    ranks 2 "$builddir/tests/cluster_given-$mpi" launched
    quiet "$mpi: of processes that another launcher has started all are told of jobs that are none"
    run "$builddir/tests/cluster_given-$mpi" alone
    quiet "$mpi: a call that is refused leaves MPI to a program that no mpirun has started"
    ranks 2 "$builddir/tests/cluster_ranks" handles
    quiet "$mpi: handles of no communicator are refused, and all goes on"
    case $mpi in openmpi) other=mpich ;; *) other=openmpi ;; esac
    own_mpirun=$mpirun
    if can_start "$other" "$mpi: the mpirun of another MPI is told of"; then
        ranks 2 "$builddir/tests/cluster_given-$mpi" world
        has "$out" "has started 2 processes" "$mpi: the mpirun of another MPI is told of"
    fi
    mpirun=$own_mpirun
    ranks 2 "$builddir/tests/cluster_ranks" forked
    quiet "$mpi: a child of fork ends, and has no part in it"
    ranks 2 "$builddir/tests/cluster_ranks" shorter
    has "$out" "told: rank 0 has sent 3 bytes, and 8 are expected" "$mpi: a message that is too short is an error"
    ranks 2 "$builddir/tests/cluster_ranks" longer
    has "$out" "told: rank 0 has sent more than the 2 bytes that are expected" "$mpi: and so is one that is too long"
    ranks 2 "$builddir/tests/cluster_ranks" longest
    has "$out" "told: rank 0 has sent more than the 2 bytes that are expected" "$mpi: also where it might be shorter"
    start=$(date +%s)
    COHORT_TIMEOUT_WORKER=0.5
    export COHORT_TIMEOUT_WORKER
    ranks 2 "$builddir/tests/cluster_ranks" late
    unset COHORT_TIMEOUT_WORKER
    has "$out" "told: cohort_resolver_mpi: " "$mpi: a rank that does not come is noticed"
    has "$out" ": missing, or ended, is rank 1 of 2" "$mpi: and named"
    [ "$code" != 0 ] && [ $(($(date +%s) - start)) -lt 50 ]
    ok $? "$mpi: and the others do not wait for it"
    absent
    check_workers
    check_positions
    check_inputs
    check_writes
    check_counts
    check_faults
    apart 3 "$builddir/cli/cohort" cluster
    has "$out" "worker 2, not the chief, number 2 of 3" "$mpi: cohort cluster tells each its task"
    COHORT_PLUGINS=^communicator-$mpi
    export COHORT_PLUGINS
    apart 2 "$builddir/cli/cohort" cluster
    unset COHORT_PLUGINS
    has "$out" "plugin 'communicator-$mpi' is not used" "$mpi: a plugin that is left out is told"
    has "$out" "mpirun has started it" "$mpi: and why that one is wanted"
}

check_mpi openmpi
check_mpi mpich
tap_done
