#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Checkpoints of several workers, by each MPI: any number of them goes on from what any other has saved, whoever can read it;
# one that is killed at any step of a save, or a signal, costs nothing that was saved.
# SEED=... plays the kills again; COUNT=all kills each worker at each step.
# shellcheck disable=SC2016 # each rank expands it
. "${srcdir:-.}/tests/tap.sh"
. "$srcdir/tests/mpi.sh"
scratch cluster_checkpoint
cohort=$builddir/cli/cohort
job=$builddir/tests/cluster_checkpoint
seed=${SEED:-$(date +%s)}
count=${COUNT:-5}
folder=$scratch/run

# all_of N WORD FOLDER REPLICAS STEPS EVERY: $code and $out of so many workers.
all_of() {
    n=$1
    shift
    ranks "$n" "$job" "$@"
}

# manifest: the path of the newest.
manifest() {
    for manifest in "$folder"/*.manifest.json; do :; done
}

# ---------------------------------------------------------------- numbers of workers
check_numbers() {
    rm -rf "$folder"
    step=0
    for pair in 3:4 3:4 2:5 1:3 3:7 2:2 3:3; do
        all_of "${pair%:*}" train "$folder" "${pair#*:}" $((step + 3)) 1
        is "$code:$out" "0:from step $step" "$mpi: ${pair%:*} workers with ${pair#*:} replicas go on from step $step"
        step=$((step + 3))
    done
    run "$cohort" checkpoint verify "$folder"
    is "$code:$(echo "$out" | grep -c ': whole$')" 0:5 "$mpi: all generations that are left are whole"
    is "$(find "$folder" -name '*.safetensors' | grep -c -- '-of-')" 13 "$mpi: and there are no shards but theirs"
}

# A folder of its own for each worker, as on machines that share none: the chief has all of it, and whoever has it sends.
check_apart() {
    rm -rf "$scratch"/apart
    mkdir "$scratch/apart"
    all_of 3 train "$scratch/apart/%d" 4 3 1
    is "$code:$out:$(ls "$scratch/apart")" "0:from step 0:0" "$mpi: shards of workers that do not see the folder are sent to the chief"
    mv "$scratch/apart/0" "$scratch/apart/2"
    all_of 3 train "$scratch/apart/%d" 4 5 1
    is "$code:$out" "0:from step 3" "$mpi: what the last worker alone can read goes to all"
    cp -r "$scratch/apart/0" "$scratch/apart/1"
    rm "$scratch/apart/0"/*5.manifest.json
    all_of 3 train "$scratch/apart/%d" 4 6 1
    is "$code:$out" "0:from step 5" "$mpi: and of several folders the newest counts"
}

check_wrong() {
    rm -rf "$folder"
    all_of 3 train "$folder" 4 3 1
    all_of 3 step "$folder" 4
    has "$out" "EINVAL: cohort_checkpoint_save: worker 1 of 3 is at step 1, worker 0 at 0" "$mpi: a save at different steps is refused"
    all_of 3 name "$folder" 4
    has "$out" "EINVAL: cohort_checkpoint_save: worker 1 of 3 has other variables, parts or options" "$mpi: so are other parts"
    all_of 3 chief "$folder" 4
    has "$out" "EINVAL: cohort_checkpoint_save: worker 1 of 3 has other variables, parts or options" "$mpi: and one that is the chief's on one worker alone"
    all_of 3 input "$folder" 4
    has "$out" "part 'numbers' is the chief's, and an input" "$mpi: an input is nobody's alone"
    all_of 3 allow "$folder" 4
    has "$out" "EINVAL: cohort_checkpoint_restore: worker 1 of 3 has other variables, parts or options" "$mpi: all restore by the same rules"
    all_of 2 restore "$folder" 4
    has "$out" "EINVAL: cohort_checkpoint_restore: $folder/checkpoint-000003.manifest.json: nothing has changed: 1 is of each of the workers that saved, and of no other number of them: own" \
        "$mpi: what each worker had of its own does not go to another number of them"
    all_of 3 restore "$scratch/nowhere" 4
    has "$out" "END" "$mpi: no folder is the end"
    all_of 3 look "$folder" 4
    is "$code:$(echo "$out" | grep -c OK)" 0:1 "$mpi: all look into one checkpoint"
    before=$(ls "$folder")
    all_of 3 locked "$folder" 4
    is "$code:$(echo "$out" | sed -n 's/: .*//p')" "0:EAGAIN
OK" "$mpi: a folder that another program writes to is told, and sticks nowhere"
    [ "$before" != "$(ls "$folder")" ]
    ok $? "$mpi: and is saved to when that is over"
    for shard in "$folder"/*0-of-3.safetensors; do :; done
    all_of 3 restore "$shard" 4
    has "$out" "is the shard of one worker; restore the manifest, or the folder" "$mpi: a shard alone is not restored"
    manifest
    for shard in "$folder"/*1-of-3.safetensors; do :; done
    rm "$shard"
    all_of 3 restore "$manifest" 4
    has "$out" "its shard ${shard##*/} is not there" "$mpi: nor is a manifest without one of its shards"
    all_of 3 restore "$folder" 4
    has "$out" "OK" "$mpi: of the folder the one before is taken"
}

check_manager() {
    rm -rf "$folder"
    all_of 3 manage "$folder" 4 20 4
    is "$code:$out" "0:from step 0
to step 20" "$mpi: managers of all workers save together"
    all_of 2 manage "$folder" 4 24 4
    is "$code:$out" "0:from step 20
to step 24" "$mpi: and two go on from what three have saved"
    run "$cohort" checkpoint verify "$folder"
    is "$code:$(echo "$out" | grep -c ': whole$')" 0:6 "$mpi: the newest generations and the best one stay"
    rm -rf "$folder"
    all_of 3 again "$folder" 4
    is "$code:$out" "0:to step 6" "$mpi: managers of which one fails know of the same save once all have recovered"
    run "$cohort" checkpoint verify "$folder"
    is "$code:$(echo "$out" | grep -c ': whole$')" 0:2 "$mpi: and what they save then is whole"
}

# ---------------------------------------------------------------- kills
# random N: from 0 to N - 1, in $random, the next of the seed.
state=$seed
random() {
    state=$(((state * 1103515245 + 12345) % 2147483648))
    random=$((state / 65536 % $1))
}

none_left() {
    for _ in $(seq 200); do
        left=
        while read -r pid; do
            ! kill -0 "$pid" 2>/dev/null || left="$left $pid"
        done <"$scratch/pids"
        [ "$left" != '' ] || return 0
        sleep 0.1
    done
    return 1
}

calls=pwrite64,write,fsync,rename,unlink,flock

# What a rank does: the one that is to be killed is traced at its first start, and counts its calls, or dies of one.
traced='rank=${PMI_RANK:-$PMIX_RANK}; echo $$ >>"$0/pids"
    if [ "$rank" = "$RANK" ] && [ ! -e "$0/again" ]; then
        : >"$0/again"; exec strace -o "$0/trace" -e trace='$calls' $INJECT "$@"; fi; exec "$@"'

# play RANK INJECTION COMMAND...: by three workers, which are started again once.
play() {
    RANK=$1 INJECT=$2
    export RANK INJECT
    shift 2
    rm -rf "$folder" "$scratch/pids" "$scratch/again"
    run timeout 120 "$cohort" launch --mpi "$mpi" -n 3 --restart 1 --grace 2 --no-label sh -c "$traced" "$scratch" "$@" </dev/null
}

train() {
    play "$1" "$2" "$job" train "$folder" 4 6 2
}

check_kill() {
    train "$1" "-e inject=$calls:signal=SIGKILL:when=$2"
    is "$code:$(none_left || echo "left:$left")" 0: "$mpi: worker $1 is killed at its call $2 of ${3}, and the second start goes on"
    [ "$code" = 0 ] || diag "$out"
    "$cohort" checkpoint verify "$folder" >"$scratch/verify" 2>&1
    is "$?" 0 "$mpi: and what it left is whole"
}

check_kills() {
    for worker in 0 1 2; do
        train "$worker" ""
        is "$code" 0 "$mpi: a training of which worker $worker is traced ends"
        n=$(wc -l <"$scratch/trace")
        eval "calls_of_$worker=$n"
    done
    for worker in 0 1 2; do
        eval "n=\$calls_of_$worker"
        at=1
        while [ "$count" = all ] && [ "$at" -le "$n" ]; do
            check_kill "$worker" "$at" "$n"
            at=$((at + 1))
        done
    done
    at=0
    while [ "$count" != all ] && [ "$at" -lt "$count" ]; do
        random 3
        worker=$random
        eval "n=\$calls_of_$worker"
        random "$n"
        check_kill "$worker" $((random + 1)) "$n"
        at=$((at + 1))
    done
}

# A sync or a rename of one worker fails: all are told, recover, and save anew.
check_faults() {
    for worker in 0 1; do
        for fault in fsync:error=EIO:when=3 rename:error=EIO:when=2 pwrite64:error=ENOSPC:when=2; do
            case $worker:$fault in 1:fsync*) fault=fsync:error=EIO:when=1 ;; esac
            play "$worker" "-e inject=$fault" "$job" break "$folder" 4 3
            is "$code:$(echo "$out" | grep -c 'is not saved: [A-Z]*: cohort_checkpoint_save: ')" 0:1 "$mpi: worker $worker, $fault: a save fails for all, and the next succeeds"
            "$cohort" checkpoint verify "$folder" >"$scratch/verify" 2>&1
            is "$?:$(find "$folder" -name '*-of-*' | wc -l):$(grep -c whole "$scratch/verify")" "0:9:3" "$mpi: of which alone there are shards"
        done
    done
}

check_traced() {
    if strace -o /dev/null true 2>/dev/null; then
        check_kills
        check_faults
    else
        skip "$mpi: kills and faults at the steps of a save" "no strace, or processes cannot be traced"
    fi
}

# ---------------------------------------------------------------- the demo
digest_of() {
    sed -n 's/^  "digest": "\(.*\)",*$/\1/p'
}

demo() {
    run timeout 120 "$cohort" launch --mpi "$mpi" "$@" </dev/null
}

trained='echo $$ >>"$0/pids"; exec "$@"'

check_demo() {
    rm -rf "$folder" "$scratch/pids"
    demo -n 3 "$cohort" demo --replicas 4 --seed 7 --epochs 3 --json --output-dir "$scratch" --checkpoint "$folder" --every 10
    is "$code:$(echo "$out" | digest_of)" "0:$(digest_of <"$scratch/alone")" "$mpi: the demo of three workers with checkpoints has the digest of the one without"
    for at in $(seq "$demos"); do
        rm -rf "$folder" "$scratch/pids"
        random 3
        start_stopped "$random"
        demo -n 2 --restart 1 "$cohort" demo --replicas 4 --seed 7 --epochs 3 --json --output-dir "$scratch" --checkpoint "$folder"
        is "$code:$(echo "$out" | digest_of)" "0:$(digest_of <"$scratch/alone")" "$mpi: stopped by SIGTERM ($at), two workers end it with this digest"
        rm -rf "$folder" "$scratch/pids"
        start_killed
        is "$code:$(digest_of <"$scratch/killed"):$(none_left || echo "left:$left")" "0:$(digest_of <"$scratch/alone"):" "$mpi: a worker killed ($at), cohort launch starts all again, with this digest, and no process is left"
    done
}

# await_generation N: until the folder has had so many.
await_generation() {
    for _ in $(seq 600); do
        for newest in "$folder"/*.manifest.json; do :; done
        newest=${newest##*/checkpoint-} newest=${newest%%.*}
        case $newest in *[!0-9]*) newest=0 ;; esac
        [ "$(echo "$newest" | sed 's/^0*\(.\)/\1/')" -lt "$1" ] || return 0
        sleep 0.05
    done
    return 1
}

start_stopped() {
    "$cohort" launch --mpi "$mpi" -n 3 "$cohort" demo --replicas 4 --seed 7 --epochs 1000 --output-dir "$scratch" --checkpoint "$folder" --every 4 \
        >"$scratch/stopped" 2>&1 </dev/null &
    launched=$!
    await_generation $((2 + $1))
    kill -TERM "$launched"
    wait "$launched"
    is "$?:$(grep -c 'stopped by SIGTERM; the same command goes on' "$scratch/stopped")" 143:1 "$mpi: SIGTERM ends the demo of three workers in order"
    # of more epochs than the one that goes on; what was done must be less
    "$cohort" checkpoint list "$folder" | while read -r file _ step _; do
        [ "$step" -le 130 ] || remove_generation "$file"
    done
}

remove_generation() {
    rm -f "$folder/$1" "$folder/${1%%.*}".*-of-3.safetensors
}

start_killed() {
    timeout 120 "$cohort" launch --mpi "$mpi" -n 3 --restart 2 --grace 2 sh -c "$trained" "$scratch" "$cohort" demo --replicas 4 --seed 7 --epochs 3 --json \
        --output-dir "$scratch" --checkpoint "$folder" --every 1 >"$scratch/killed" 2>"$scratch/error" </dev/null &
    launched=$!
    random 20
    await_generation $((1 + random))
    random 3
    kill -KILL "$(sed -n "$((random + 1))p" "$scratch/pids")" 2>/dev/null
    wait "$launched"
    code=$?
}

# Each allocation of one worker is refused once: once in `make check`, for it is all the same to an MPI.
check_short() {
    for part in checkpoint apart; do
        [ "$shortages" != "" ] || [ "$count" = all ] || continue
        shortages=
        patience=300
        ranks 3 "$builddir/tests/cluster_short" "$scratch" checkpoints "$part"
        is "$code:$out" 0: "$mpi: whichever allocation of one is refused, all are told, and save and restore anew: $part"
        patience=60
    done
}

check_all() {
    mpi=$1
    can_use "$mpi" || return
    check_numbers
    check_apart
    check_wrong
    check_manager
    check_traced
    check_demo
    check_short
}

diag "SEED=$seed"
shortages=wanted
demos=3
[ "$count" != all ] || demos=50
"$cohort" demo --replicas 4 --seed 7 --epochs 3 --json --output-dir "$scratch" >"$scratch/alone" 2>/dev/null
check_all openmpi
check_all mpich
tap_done
