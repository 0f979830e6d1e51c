#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What cohort demo --log writes.
. "${srcdir:-.}/tests/tap.sh"
cohort=$builddir/cli/cohort
scratch demo_log
find_python

# demo OPTION...: two epochs on two replicas; what is on both outputs in $out.
demo() {
    run "$cohort" demo --devices host/2 --epochs 2 --output-dir "$scratch" "$@"
}

# wrong CODE TEXT CLAIM OPTION...
wrong() {
    wrong_code=$1 wrong_text=$2 wrong_claim=$3
    shift 3
    demo "$@"
    is "$code" "$wrong_code" "$wrong_claim"
    has "$out" "$wrong_text" "and the message says so"
}
log=$scratch/log
wrong 2 "fix: end it with .csv, .jsonl, or with / for TensorBoard's folder" "a name without a format is wrong usage" --log "$log"
wrong 2 "--log-format xml: expected csv, jsonl or tensorboard" "so is an unknown format" --log "$log" --log-format xml
wrong 2 "are for --log, which is missing" "a format without a file" --log-format csv
wrong 2 "are for --log, which is missing" "steps without a file" --log-steps 5
wrong 2 "--log-steps 0: expected an integer from 1" "no steps" --log "$log.csv" --log-steps 0
wrong 2 "not for the recorded steps" "and those of a program" --log "$log.csv" --log-steps 5 --steps-per-run 3
wrong 1 "fix: --log names what can be made in a folder that exists" "a folder that is not there fails" --log "$scratch/none/log.csv"
wrong 1 "Is a directory" "so does a folder for a file" --log "$scratch" --log-format csv
echo mine >"$log"
wrong 1 "Not a directory" "and a file for a folder" --log "$log" --log-format tensorboard
is "$(cat "$log")" mine "which stays as it was"
cp "$srcdir/examples/data/digits.csv" "$scratch/mine.csv"
wrong 2 "would replace the file of --data" "the rows to train with are not written over" --data "$scratch/mine.csv" --log "$scratch/./mine.csv"
is "$(ls "$scratch")" "log
mine.csv" "before the training, and nothing was made"
if [ -c /dev/full ]; then
    wrong 1 "/dev/full: " "a full disk fails" --log /dev/full --log-format csv
else
    skip "a full disk fails" 'no /dev/full'
fi

digest() {
    printf '%s\n' "$out" | sed -n 's/^test accuracy.*digest //p'
}
demo
plain=$(digest)
demo --log "$log.csv" --log-steps 20
is "$code" 0 "a log of steps is fine"
has "$out" "confusion.svg $log.csv" "and named"
is "$(digest)" "$plain" "it changes no weight"
is "$(sed -n 1p "$log.csv")" kind,epoch,step,loss,accuracy,validation_loss,validation_accuracy,time "a CSV file has its header"
is "$(sed 1d "$log.csv" | cut -d, -f1-3)" "steps,1,20
steps,1,40
steps,1,45
epoch,1,45
steps,2,65
steps,2,85
steps,2,90
epoch,2,90" "a row for so many steps, the rest of an epoch, and the epoch"
is "$(awk -F, 'NF != 8' "$log.csv")" "" "of as many fields each"
"$cohort" data --check "$log.csv" --columns 1-4,7 >/dev/null
is "$?" 0 "which cohort data reads"
# The mean of its steps, by their number, is that of the epoch.
is "$(awk -F, '$1 == "steps" && $2 == 1 { rows = $3 == 45 ? 4 * 32 + 29 : 640; sum += $4 * rows }
    $1 == "epoch" && $2 == 1 { printf "%d", (sum / 1437 - $4) * 1e6 }' "$log.csv")" 0 "the figures of steps add up to those of the epoch"

demo --log "$log.jsonl" --json --steps-per-run 7
is "$code" 0 "JSON lines are fine, with recorded steps"
has "$out" "\"$log.jsonl\"" "--json names the file"
is "$(grep -c '^{"kind": "epoch", "epoch": [12], "step": [0-9]*, "loss": .*, "accuracy": .*, "validation_loss": .*, "validation_accuracy": .*, "time": .*}$' \
    "$log.jsonl")" 2 "a line for each epoch"
if [ -n "$python" ]; then
    is "$("$python" -c 'import json, sys; print(sum(json.loads(line)["step"] for line in open(sys.argv[1])))' "$log.jsonl")" 135 "each is JSON"
else
    skip "each is JSON" 'no python3'
fi

# What TensorBoard 2.21's EventAccumulator reads of these files.
demo --log "$scratch/board/" --log-steps 45
is "$code" 0 "a folder is TensorBoard's"
"$cohort" data --check "$scratch"/board/*/events.out.tfevents.* >/dev/null
is "$?" 0 "its checksums are those of TFRecord"
if [ -z "$python" ]; then
    skip "its events are those that TensorBoard reads" 'no python3'
elif ! has_equal_bits; then
    skip "its events are those that TensorBoard reads" 'floats have other bits here'
else
    is "$(PYTHONDONTWRITEBYTECODE=1 "$python" "$srcdir/tests/events.py" "$scratch"/board/train/* "$scratch"/board/validation/* 2>&1)" \
        "brain.Event:2
45 batch_loss 0.7804
45 batch_accuracy 0.7523
1 epoch_loss 0.7804
1 epoch_accuracy 0.7523
90 batch_loss 0.1932
90 batch_accuracy 0.9381
2 epoch_loss 0.1932
2 epoch_accuracy 0.9381
brain.Event:2
1 epoch_loss 0.2320
1 epoch_accuracy 0.9139
2 epoch_loss 0.1507
2 epoch_accuracy 0.9528" "its events are those that TensorBoard reads"
fi
is "$(find "$scratch" -name '*.??????' -type f ! -name '*.jsonl' ! -name 'events*')" "" "nothing is left beside the files"
tap_done
