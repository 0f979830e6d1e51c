#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# cohort demo --checkpoint: stopped anywhere and started again, on other devices too, it ends as the undisturbed training.
# SEED=... KILLS=... plays the kills again, or more of them.
. "${srcdir:-.}/tests/tap.sh"
cohort=$builddir/cli/cohort
scratch demo_resume
folder=$scratch/run
seed=${SEED:-$(date +%s)}
kills=${KILLS:-5}

# demo OPTION...: four replicas, three epochs of 45 steps.
demo() {
    "$cohort" demo --replicas 4 --seed 7 --epochs 3 --output-dir "$scratch" "$@"
}

# wrong CODE TEXT CLAIM OPTION...
wrong() {
    wrong_code=$1 wrong_text=$2 wrong_claim=$3
    shift 3
    run demo --devices host "$@"
    is "$code" "$wrong_code" "$wrong_claim"
    has "$out" "$wrong_text" "and the message says so"
}

# What a training has found out: digest, figures of each epoch, confusion, rows of each replica where devices are the same.
facts() {
    sed -n '/"history": /,/^  \],/p; /"confusion": /,/^  \],/p; /^  "digest": /p' "$1"
}

# step_of: that of the newest generation; nothing without one.
step_of() {
    "$cohort" checkpoint show "$folder" 2>/dev/null | sed -n '1s/.*: step //p'
}

from_step() {
    sed -n 's/^  "from_step": \(.*\),/\1/p' "$1"
}

# keep STEP: the generations of later steps are gone, as if the training had been stopped before their saves.
keep() {
    "$cohort" checkpoint list "$folder" | while read -r file _ step _; do
        [ "$step" -le "$1" ] || rm "$folder/$file"
    done
}

# ---------------------------------------------------------------- wrong usage
wrong 2 "--every is for --checkpoint, which is missing" "a number of steps alone is wrong usage" --every 5
wrong 2 "--every 0: expected an integer from 1" "so are no steps" --checkpoint "$folder" --every 0
wrong 1 "no/such" "a folder in none fails" --checkpoint "$scratch/no/such"
echo mine >"$scratch/file"
wrong 1 "$scratch/file" "so does a file" --checkpoint "$scratch/file"
mkdir "$scratch/other"
cp "$srcdir/tests/data/checkpoint/format-1.safetensors" "$scratch/other/checkpoint-000001.safetensors"
wrong 1 "cohort demo has not saved it" "so do checkpoints of another program" --checkpoint "$scratch/other"
is "$(ls "$scratch/other")" checkpoint-000001.safetensors "to which nothing is added"

# ---------------------------------------------------------------- the same training
demo --devices host --json >"$scratch/undisturbed.json" 2>"$scratch/error"
is "$?" 0 "a training without a checkpoint"
demo --devices host/2 --checkpoint "$folder" --every 7 --json >"$scratch/whole.json" 2>"$scratch/error"
is "$?" 0 "and one with it"
is "$(facts "$scratch/whole.json")" "$(facts "$scratch/undisturbed.json")" "find out the same"
is "$(from_step "$scratch/whole.json")" 0 "the first begins at the beginning"
is "$(step_of)" 135 "and ends with a checkpoint of its end"
demo --devices host/4 --checkpoint "$folder" --json >"$scratch/over.json" 2>"$scratch/error"
is "$(facts "$scratch/over.json"),$(from_step "$scratch/over.json")" "$(facts "$scratch/undisturbed.json"),135" \
    "a training that is over is only shown"
wrong 1 "is of another training, which does not go on here: it had --replicas 4 --seed 7 " "another seed is refused" \
    --checkpoint "$folder" --seed 8
wrong 1 "this one has --replicas 5 --seed 7" "so is another number of replicas" --checkpoint "$folder" --replicas 5
wrong 1 "but not less than were done" "so are fewer epochs than were trained" --checkpoint "$folder" --epochs 2
run demo --devices host/2 --checkpoint "$folder" --epochs 4
has "$out" "  checkpoints in $folder: went on from step 135" "more of them may follow"
is "$(step_of)" 180 "and are saved"

# ---------------------------------------------------------------- stopped in the middle
rm -r "$folder"
demo --devices host --checkpoint "$folder" --every 3 --json >/dev/null 2>&1
keep 127
middle=$(step_of)
is "$((middle % 45 > 0)),$((middle > 90))" 1,1 "a training that was stopped in the middle of an epoch ($middle)"
demo --devices host/4 --checkpoint "$folder" --every 3 --json >"$scratch/resumed.json" 2>"$scratch/error"
is "$(from_step "$scratch/resumed.json")" "$middle" "goes on there"
is "$(facts "$scratch/resumed.json")" "$(facts "$scratch/undisturbed.json")" "and ends as the undisturbed one"
demo --devices host/2 --json >"$scratch/rows.json" 2>/dev/null
rm -r "$folder"
demo --devices host/2 --checkpoint "$folder" --every 3 --json >/dev/null 2>&1
keep 130
demo --devices host/2 --checkpoint "$folder" --json >"$scratch/resumed.json" 2>/dev/null
is "$(grep '"rows"' "$scratch/resumed.json")" "$(grep '"rows"' "$scratch/rows.json")" "rows that were trained before count"

# The only device is lost, with all that it had.
case $("$cohort" devices) in
*loopback:0*)
    rm -r "$folder"
    run env COHORT_LOOPBACK_LOST_AT=5001 "$cohort" demo --replicas 4 --seed 7 --epochs 3 --devices loopback --checkpoint "$folder" \
        --every 7 --output-dir "$scratch"
    is "$code" 1 "a training whose only device is lost fails"
    has "$out" "loopback was told to be lost" "with what the device says"
    middle=$(step_of)
    demo --devices host --checkpoint "$folder" --json >"$scratch/resumed.json" 2>"$scratch/error"
    is "$(from_step "$scratch/resumed.json")" "$middle" "on another one it goes on from what it had saved ($middle)"
    is "$(facts "$scratch/resumed.json")" "$(facts "$scratch/undisturbed.json")" "as if nothing had been lost"
    ;;
*) skip "a training whose only device is lost goes on on another one" 'no loopback plugin' ;;
esac

# The input of recorded steps goes on in the middle of its rows too.
rm -r "$folder"
demo --devices host --steps-per-run 4 --checkpoint "$folder" --every 4 --json >/dev/null 2>&1
keep 127
middle=$(step_of)
wrong 1 "it had --replicas 4 --seed 7 --batch 32 --steps-per-run," "recorded steps go on as such" --checkpoint "$folder"
demo --devices host/2 --steps-per-run 5 --checkpoint "$folder" --json >"$scratch/resumed.json" 2>"$scratch/error"
is "$((middle % 45 > 0)),$(from_step "$scratch/resumed.json")" "1,$middle" "recorded steps that were stopped at $middle"
is "$(facts "$scratch/resumed.json")" "$(facts "$scratch/undisturbed.json")" "end as the undisturbed ones"

# So do the figures of steps, but for their times.
rm -r "$folder"
demo --devices host --log "$scratch/undisturbed.csv" --log-steps 10 >/dev/null 2>&1
demo --devices host --checkpoint "$folder" --every 3 --log "$scratch/log.csv" --log-steps 10 >/dev/null 2>&1
keep 127
demo --devices host/2 --checkpoint "$folder" --log "$scratch/log.csv" --log-steps 10 >/dev/null 2>&1
for file in undisturbed log; do
    cut -d, -f1-7 "$scratch/$file.csv" >"$scratch/$file.figures"
done
is "$(cat "$scratch/log.figures")" "$(cat "$scratch/undisturbed.figures")" "the figures of steps are those of the undisturbed training"

# ---------------------------------------------------------------- stopped in order
# The save of the beginning says that it has asked for the signal.
rm -r "$folder"
"$cohort" demo --replicas 4 --seed 7 --epochs 1000 --devices host --checkpoint "$folder" --output-dir "$scratch" \
    >"$scratch/stopped" 2>&1 &
process=$!
while kill -0 "$process" 2>/dev/null && [ -z "$(step_of)" ]; do sleep 0.01; done
kill "$process"
kill "$process" 2>/dev/null
wait "$process"
is "$?" 143 "SIGTERM ends a training with the exit code that it has elsewhere"
has "$(cat "$scratch/stopped")" "stopped by SIGTERM; the same command goes on from $folder" "and says so"
stopped=$(step_of)
[ "$stopped" -gt 0 ]
ok "$?" "the step is saved ($stopped)"
run "$cohort" checkpoint verify "$folder"
is "$code" 0 "whole"

# At whichever thread is started SIGTERM comes, that of the last save too, it is not lost.
brief() {
    rm -rf "$folder"
    strace -f -o "$scratch/trace" -e trace=clone,clone3 "$@" "$cohort" demo --replicas 4 --epochs 1 --devices host \
        --checkpoint "$folder" --output-dir "$scratch" >/dev/null 2>"$scratch/error"
}

if command -v strace >/dev/null && strace -f -o /dev/null "$cohort" version >/dev/null 2>&1 && brief -e signal=none; then
    main=$(sed -n '1s/ .*//p' "$scratch/trace")
    call=$(sed -n "s/^$main *\\(clone3*\\)(.*/\\1/p" "$scratch/trace" | tail -1)
    n=$(grep -c "^$main *$call(" "$scratch/trace")
    lost=
    at=1
    while [ "$at" -le "$n" ]; do
        brief -e "inject=$call:signal=SIGTERM:when=$at"
        code=$?
        [ "$code" = 143 ] || lost="$lost $at: $code;"
        at=$((at + 1))
    done
    is "$lost" "" "SIGTERM at any of $n starts of a thread ends it"
else
    skip "SIGTERM at any start of a thread" "no strace, or the command cannot be traced"
fi

# ---------------------------------------------------------------- killed at any moment
# random N: from 0 to N - 1, in $random, the next of the seed.
state=$seed
random() {
    state=$(((state * 1103515245 + 12345) % 2147483648))
    random=$((state / 65536 % $1))
}

# newest: the number in the name of the newest generation.
newest() {
    newest=0
    for file in "$folder"/checkpoint-*.safetensors; do
        file=${file##*/checkpoint-} file=${file%.safetensors}
        case $file in *[!0-9]*) ;; *) newest=$file ;; esac
    done
    newest=$(echo "$newest" | sed 's/^0*\(.\)/\1/')
}

# Kill the training of DEVICES after some more saves, and some time: what it does then, nobody knows. Or ask it to end.
play() {
    newest
    random 2
    signal=$((random == 0 ? 9 : 15))
    random 30
    until=$((newest + 1 + random))
    random 20
    "$cohort" demo --replicas 4 --seed 7 --epochs 3 --devices "$1" --checkpoint "$folder" --every 1 --json \
        --output-dir "$scratch" >"$scratch/killed.json" 2>"$scratch/error" &
    process=$!
    while kill -0 "$process" 2>/dev/null && [ "$newest" -lt "$until" ]; do
        sleep 0.01
        newest
    done
    sleep "0.00$random"
    kill "-$signal" "$process" 2>/dev/null
    wait "$process" 2>/dev/null
    was=$?
    case $was in 0 | $((128 + signal))) ;; *) wrong_ends="$wrong_ends $at: $was after signal $signal;" ;; esac
    return "$was"
}

diag "SEED=$seed"
rm -rf "$folder"
others="host host/2 host/4"
case $("$cohort" devices) in *loopback:0*) others="host host/2 loopback/3,host" ;; esac
at=0
over='' wrong_ends=''
while [ "$at" -lt "$kills" ]; do
    for devices in $others; do
        [ "$at" -lt "$kills" ] || break
        if play "$devices"; then
            [ "$(facts "$scratch/killed.json")" = "$(facts "$scratch/undisturbed.json")" ] || over="$over $at"
            rm -rf "$folder"
        fi
        at=$((at + 1))
    done
done
is "$over" "" "trainings that were over before the kill are the undisturbed one"
is "$wrong_ends" "" "the others ended by SIGKILL, or in order by SIGTERM"
stopped=$(step_of)
demo --devices host/2 --checkpoint "$folder" --every 1 --json >"$scratch/killed.json" 2>"$scratch/error"
is "$?" 0 "a training that was killed $kills times, last at step ${stopped:-0} of 135, goes on"
is "$(from_step "$scratch/killed.json")" "${stopped:-0}" "where it was"
is "$(facts "$scratch/killed.json")" "$(facts "$scratch/undisturbed.json")" "and ends as the undisturbed one"
is "$(find "$folder" -name '*-[0-9]' | wc -l)" 0 "nothing of unfinished saves is left"
run "$cohort" checkpoint verify "$folder"
is "$code" 0 "and all that it kept is whole"
tap_done
