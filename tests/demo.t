#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The demo and the list of devices, on the host.
. "${srcdir:-.}/tests/tap.sh"
cohort=$builddir/cli/cohort
scratch demo
find_python

run "$cohort" devices
is "$code" 0 "cohort devices is fine"
has "$out" "host:0" "and lists the host"
has "$out" "Try: cohort demo --devices host:0/2" "which can be cut in two"
esc=$(printf '\033')
mkdir "$scratch/plugins"
printf 'none' >"$scratch/plugins/cohort-${esc}[31mred.so"
run env COHORT_PLUGIN_PATH="$scratch/plugins:$COHORT_PLUGIN_PATH" "$cohort" devices
has "$out" '\x1b[31mred' "the name of a file that is no plugin is shown with an escape"
case $out in *"$esc"*) ok 1 "and none reaches the terminal" ;; *) ok 0 "and none reaches the terminal" ;; esac
"$cohort" devices --json >"$scratch/devices.json"
is "$?" 0 "cohort devices --json is fine"
keys="devices devices[].compute_units devices[].id devices[].memory_bytes devices[].name devices[].note devices[].plugin schema unused"
if grep -q '"candidate"' "$scratch/devices.json"; then
    keys="$keys unused[].candidate unused[].fix unused[].reason"
fi
json_has_keys "$scratch/devices.json" "$keys" "and has its keys"
run "$cohort" devices --svg
is "$code" 2 "a picture of the devices wants a file"
run "$cohort" devices --svg "$scratch/none/devices.svg"
is "$code" 1 "which has to have a folder"
has "$out" "$scratch/none/devices.svg: No such file or directory" "or is named"
for file in first second; do
    env COHORT_PLUGIN_PATH="$scratch/plugins:$COHORT_PLUGIN_PATH" "$cohort" devices --json --svg "$scratch/$file.svg" >"$scratch/drawn.json"
    is "$?" 0 "the devices are drawn"
done
grep -q '"unused"' "$scratch/drawn.json"
ok "$?" "and listed"
cmp -s "$scratch/first.svg" "$scratch/second.svg"
ok "$?" "in the same way each time"
has "$(cat "$scratch/first.svg")" ">host:0: " "the host is a box"
has "$(cat "$scratch/first.svg")" ">cores and memory of this machine" "in that of the machine"
has "$(cat "$scratch/first.svg")" "not used: $scratch/plugins/cohort-" "with what is not used"
has "$(cat "$scratch/first.svg")" "prefers-color-scheme: dark" "and has colours for the dark"
if [ -n "$python" ]; then
    "$python" -c 'import sys, xml.etree.ElementTree as e; e.parse(sys.argv[1])' "$scratch/first.svg"
    is "$?" 0 "it is well-formed, whatever names have in them"
else
    skip "it is well-formed, whatever names have in them" 'no python3'
fi
run env COHORT_PLUGIN_PATH="$scratch" COHORT_PLUGINS=none "$cohort" devices --svg "$scratch/none.svg"
is "$code" 3 "without a device there is a picture"
has "$(cat "$scratch/none.svg")" "</svg>" "of the machine alone"
run env COHORT_PLUGIN_PATH="$scratch" COHORT_PLUGINS=none "$cohort" devices
is "$code" 3 "without a device the exit code is 3"
has "$out" "fix: " "with what to do"
run "$cohort" devices --plugin "$scratch/no-such.so"
is "$code" 1 "a plugin that is not there fails"
has "$out" "no-such.so" "and is named"

run "$cohort" demo --devices nosuch --output-dir "$scratch"
is "$code" 3 "an unknown device is exit code 3"
has "$out" "nosuch" "and is named"
has "$out" "fix: cohort devices" "with where to look"
run "$cohort" demo --devices host/4 --replicas 2 --output-dir "$scratch"
is "$code" 2 "fewer replicas than devices are wrong usage"
run "$cohort" demo --strategy mirored --output-dir "$scratch"
is "$code" 2 "an unknown strategy is wrong usage"
has "$out" "--strategy mirored: expected mirrored, central, one-device, round-robin, sharded or multi-worker-mirrored" "which lists all"
run "$cohort" demo --strategy one-device --devices host/2 --output-dir "$scratch"
is "$code" 2 "one device of several is wrong usage"
has "$out" "--strategy one-device: it has one device, not 2
fix: name one with --devices, such as --devices host:0; more" "with what to do"
run "$cohort" demo --strategy one-device --devices host:0 --epochs 1 --output-dir "$scratch"
is "$code" 0 "which helps"
run "$cohort" demo --devices host/2 --replicas 1 --output-dir "$scratch"
has "$out" "strategy: 1 replica on 2 devices; name fewer devices, ask for more replicas" "one replica is one"


# Hosting moves no bit of a digest, and what is none is told.
digest_of() {
    "$cohort" demo --replicas 8 --seed 7 --epochs 1 --json --output-dir "$scratch" "$@" 2>&1 | sed -n 's/^  "digest": "\(.*\)",/\1/p'
}
wanted=$(digest_of --devices host)
is "${#wanted}" 16 "the demo has a digest"
for hosting in 4,4 5,3 1,7 0,8 8,0; do
    is "$(digest_of --devices host:0/2 --hosting "$hosting")" "$wanted" "the same one with --hosting $hosting"
done
is "$(digest_of --devices host:0/2 --balance)" "$wanted" "and with --balance"
is "$(digest_of --devices host:0/2 --stats)" "$wanted" "and with --stats"
run "$cohort" demo --devices host:0/2 --epochs 1 --stats --output-dir "$scratch"
has "$out" "statistics: " "which tells what the devices were asked"
has "$out" "% in bodies" "and where their time has gone"
run "$cohort" demo --devices host:0/2 --epochs 1 --stats --json --steps-per-run 5 --output-dir "$scratch"
ok "$(printf '%s\n' "$out" | grep -q '^  "stats": { .*"device": "host:0.1"'; echo $?)" "--json has it in one member"
is "$(digest_of --devices host:0/2 --balance --hosting 1,7 --steps-per-run 5)" "$wanted" "recorded, too"
wanted=$(digest_of --replicas 32 --devices host)
is "${#wanted}" 16 "32 replicas have a digest"
for how in '--devices host/2' '--devices host/4' '--devices host:0/2 --hosting 20,12' '--devices host:0/4 --hosting 1,0,30,1' \
    '--devices host:0/2 --balance'; do
    # shellcheck disable=SC2086 # a list of options
    is "$(digest_of --replicas 32 $how)" "$wanted" "the same one with $how"
done
for hosting in '4,x' '4,,4' '-1,9' '4,4,' ''; do
    run "$cohort" demo --devices host/2 --replicas 8 --hosting "$hosting" --output-dir "$scratch"
    is "$code" 2 "--hosting '$hosting' is wrong usage"
done
run "$cohort" demo --devices host/2 --replicas 8 --hosting 4,3 --output-dir "$scratch"
has "$out" "hosted[] sums to 7, but there are 8 replicas" "another sum"
run "$cohort" demo --devices host/2 --replicas 8 --hosting 8 --output-dir "$scratch"
has "$out" "n_hosted is 1" "a number for each device"

# The whole, as people see it.
run "$cohort" demo --output-dir "$scratch"
is "$code" 0 "the demo is fine"
has "$out" "epoch 25/25 loss " "it tells each epoch where there is no terminal"
has "$out" "digest equal, largest weight difference 0" "one device gives the same weights"
has "$out" "wrote $scratch/loss.svg $scratch/confusion.svg" "it names the files that it wrote"
has "$out" ", validation loss " "each epoch is validated"
last=$(printf '%s\n' "$out" | sed -n 's/^epoch 25\/25 loss \([0-9.]*\) .*/\1/p')
has "$out" ", training loss $last, " "the last line says that its loss is of the rows to train"
has "$out" "confusion of the test rows: a line for each label" "and it shows which digits are taken for which"
has "$(cat "$scratch/loss.svg")" ">validation</text>" "the picture names its curves"
has "$(cat "$scratch/loss.svg")" "prefers-color-scheme: dark" "and has colours for the dark"
accuracy=$(printf '%s\n' "$out" | sed -n 's/^test accuracy \([0-9.]*\),.*/\1/p')
ok "$(awk -v a="$accuracy" 'BEGIN { print !(a >= 0.95 && a <= 1) }')" "at least 95 % of the test images are right ($accuracy)"
if [ -n "$python" ]; then
    "$python" -c 'import sys, xml.etree.ElementTree as e; e.parse(sys.argv[1])' "$scratch/loss.svg"
    ok "$?" "loss.svg is XML"
    "$python" -c 'import sys, xml.etree.ElementTree as e; e.parse(sys.argv[1])' "$scratch/confusion.svg"
    ok "$?" "so is confusion.svg"
else
    skip "loss.svg and confusion.svg are XML" 'no python3'
fi
run "$builddir/examples/train_digits" "$srcdir/examples/data/digits.csv" host/2
is "$(printf '%s\n' "$out" | sed -n 's/.*digest //p')" \
    "$("$cohort" demo --json --devices host/2 --output-dir "$scratch" | sed -n 's/^  "digest": "\(.*\)",/\1/p')" \
    "examples/train_digits ends with the weights of the demo"

# Same bits for a number of replicas, whatever hosts them.
digest() {
    "$cohort" demo --replicas "$1" --seed 7 --epochs 1 --json --devices "$2" --output-dir "$scratch" >"$scratch/$1.json" || return
    sed -n 's/^  "digest": "\(.*\)",/\1/p' "$scratch/$1.json"
}
four=$(digest 4 host)
is "$four" 2f5346be65a5d95d "4 replicas have the weights that they have on every machine"
for devices in host/2 host/4; do
    is "$(digest 4 $devices)" "$four" "4 replicas on $devices give the weights of host"
done
case $("$cohort" devices) in
*loopback:0*) is "$(digest 4 loopback/3,host)" "$four" "4 replicas on loopback/3,host give the weights of host" ;;
*) skip "4 replicas on loopback/3,host give the weights of host" 'no loopback plugin' ;;
esac
case $("$cohort" devices) in
*opencl:0*)
    for devices in opencl host,opencl:0; do
        is "$(digest 4 $devices)" "$four" "4 replicas on $devices give the weights of host"
    done
    run "$cohort" demo --devices opencl:0/2 --replicas 4 --epochs 1 --output-dir "$scratch"
    case $out in
    *'can be cut into 1 to 1 parts'*) skip '4 replicas on opencl:0/2 give the weights of host' 'opencl:0 cannot be cut' ;;
    *) is "$(digest 4 opencl:0/2)" "$four" '4 replicas on opencl:0/2 give the weights of host' ;;
    esac
    is "$(sed -n 's/^  "largest_difference": \(.*\),/\1/p' "$scratch/4.json")" 0 "and the host alone agrees"
    run "$cohort" demo --devices host,opencl:0 --replicas 4 --epochs 1 --output-dir "$scratch"
    has "$out" "  opencl:0     2 replicas, 7" "an OpenCL device beside the host trains its share"
    has "$out" "same training on host:0 alone: digest equal" "with the same weights"
    ;;
*)
    skip "4 replicas on opencl give the weights of host" 'no OpenCL device'
    run "$cohort" demo --devices opencl --output-dir "$scratch"
    is "$code" 3 "without an OpenCL device, --devices opencl is exit code 3"
    ;;
esac

# The same bits wherever the weights live.
strategy_digest() {
    "$cohort" demo --strategy "$1" --replicas 4 --seed 7 --epochs 1 --json --devices "$2" --output-dir "$scratch" \
        >"$scratch/strategy.json" || return
    sed -n 's/^  "digest": "\(.*\)",/\1/p' "$scratch/strategy.json"
}
several=host/2
case $("$cohort" devices) in *loopback:0*) several="host/2 loopback/3,host" ;; esac
case $("$cohort" devices) in *opencl:0*) several="$several opencl host,opencl:0" ;; esac
for devices in $several; do
    for strategy in central round-robin sharded; do
        is "$(strategy_digest "$strategy" "$devices")" "$four" "$strategy on $devices ends with the weights of mirrored"
    done
done
is "$(strategy_digest one-device host)" "$four" "one-device on host, too"
case $("$cohort" devices) in
*opencl:0*) is "$(strategy_digest one-device opencl)" "$four" "and one-device on opencl" ;;
*) skip "and one-device on opencl" 'no OpenCL device' ;;
esac
is "$(sed -n 's/^  "strategy": "\(.*\)",/\1/p' "$scratch/strategy.json")" one-device "--json says which strategy it was"

eight=$(digest 8 host)
is "$(digest 8 host/4)" "$eight" "8 replicas on host/4 give the weights of 8 on host"
[ "$eight" != "$four" ]
ok "$?" "which are not those of 4 replicas"
forty=$(digest 40 host)
is "$(digest 40 host/2)" "$forty" "replicas without rows change nothing: 40 for batches of 32"
json_has_keys "$scratch/8.json" "batch confusion confusion[].count confusion[].label confusion[].prediction \
devices devices[].id devices[].replicas devices[].rows devices[].share \
digest epochs files final_loss history history[].accuracy history[].epoch history[].loss history[].validation_accuracy \
history[].validation_loss largest_difference one_device one_device.digest one_device.id \
one_device.max_weight_difference replicas \
schema seconds seed strategy test_accuracy" "demo --json has its keys"
accuracy=$(sed -n 's/^  "test_accuracy": \(.*\),/\1/p' "$scratch/8.json")
is "$(sed -n 's/^      "validation_accuracy": \(.*\)/\1/p' "$scratch/8.json" | tail -1)" "$accuracy" "the last validation is the test"
is "$(awk -F'[:,]' '/"count"/ { sum += $2 } END { print sum }' "$scratch/8.json")" 360 "every test row is in the confusion matrix"
is "$(awk '/"label"/ { label = $2 } /"prediction"/ { same = label == $2 } /"count"/ && same { right += $2 }
    END { printf "%.12g", right / 360 }' "$scratch/8.json")" "$(awk -v a="$accuracy" 'BEGIN { printf "%.12g", a }')" \
    "whose diagonal has those that the test finds right"
is "$(grep -c '"rows": ' "$scratch/8.json")" 4 "each device says how many rows it trained"
is "$(awk -F'[:,]' '/"rows"/ { sum += $2 } END { print sum }' "$scratch/8.json")" 1437 "which are all rows"
out=$("$cohort" demo --epochs 1 --json --output-dir "$scratch" 2>/dev/null) # a sanitizer may have something to say
case $out in "{"*"}") ok 0 "with --json there is nothing but JSON" ;; *) ok 1 "with --json there is nothing but JSON" ;; esac
run "$cohort" demo --epochs 1 --strategy one-device --output-dir "$scratch"
case $out in
*"one-device, 1 replica on host:0
"* | *"one-device, 1 replica on opencl:"* | *"fix: name one with --devices"*) ok 0 "one-device alone takes the default device" ;;
*) ok 1 "one-device alone takes the default device" ;;
esac
run "$cohort" demo --epochs 1 --batch 1437 --replicas 7 --seed 9223372036854775807 --output-dir "$scratch"
is "$code" 0 "one batch of all rows is fine"
run env COHORT_DEVICES=host/3 "$cohort" demo --epochs 1 --output-dir "$scratch"
has "$out" "3 replicas on host:0.0 host:0.1 host:0.2" "COHORT_DEVICES says the default devices"

# Recorded steps: 1,437 rows are 44 batches of 32 and one of 29.
recorded() {
    "$cohort" demo --steps-per-run "$1" --replicas "$2" --seed 7 --epochs 1 --json --devices "$3" --output-dir "$scratch" \
        >"$scratch/recorded.json" || return
    sed -n 's/^  "digest": "\(.*\)",/\1/p' "$scratch/recorded.json"
}
is "$(recorded 1 4 host)" "$four" "one recorded step per run gives the weights of the loop"
is "$(recorded 7 4 host/2)" "$four" "so do seven"
is "$(recorded 100 4 host)" "$four" "and more than an epoch has"
is "$(recorded 7 8 host/4)" "$eight" "with 8 replicas, too"
is "$(recorded 7 40 host/2)" "$forty" "and with replicas that have no rows"
is "$(grep -c '^  "steps_per_run": 7,' "$scratch/recorded.json")" 1 "--json says how many steps there were per run"
is "$(awk -F'[:,]' '/"rows"/ { sum += $2 } END { print sum }' "$scratch/recorded.json")" 1437 "and that all rows were trained"
case $("$cohort" devices) in
*loopback:0*) is "$(recorded 7 4 loopback/3,host)" "$four" "recorded steps on loopback/3,host give them as well" ;;
*) skip "recorded steps on loopback/3,host give them as well" 'no loopback plugin' ;;
esac
case $("$cohort" devices) in
*opencl:0*) is "$(recorded 7 4 host,opencl:0)" "$four" "and on host,opencl:0" ;;
*) skip "and on host,opencl:0" 'no OpenCL device' ;;
esac

# A device that is lost: in a step, which is made again, and where figures are taken.
survives() {
    COHORT_LOOPBACK_LOST_AT=$1 "$cohort" demo --steps-per-run 5 --replicas 4 --seed 7 --epochs 2 --devices loopback/2,host \
        --output-dir "$scratch" --json 2>"$scratch/lost" | sed -n 's/^  "digest": "\(.*\)",/\1/p'
}
case $("$cohort" devices) in
*loopback:0*)
    two=$("$cohort" demo --replicas 4 --seed 7 --epochs 2 --json --devices host --output-dir "$scratch" |
        sed -n 's/^  "digest": "\(.*\)",/\1/p')
    is "$(survives 5000)" "$two" "a device that is lost leaves the weights as they would have been"
    has "$(cat "$scratch/lost")" "is lost (step " "it is named, and the step"
    has "$(cat "$scratch/lost")" "hosted from now on: replicas 0 to " "who hosts its replicas"
    has "$(cat "$scratch/lost")" "of a program is made again; to go on took " "and how long that took"
    same=$two
    for at in 2000 3001 4003 6007 6500 7001 7503; do
        digest=$(survives $at)
        [ "$digest" = "$two" ] || same="$digest at operation $at"
    done
    is "$same" "$two" "wherever it is"
    ;;
*) for claim in 1 2 3 4 5; do skip "a loss ($claim)" 'no loopback plugin'; done ;;
esac
run "$cohort" demo --steps-per-run 7 --epochs 1 --devices host/2 --output-dir "$scratch"
has "$out" "batch 32 recorded, 7 steps per run, mirrored" "the demo says that it has recorded its step"
has "$out" "same training on host:0 alone: digest equal" "one device, which makes the calls one by one, ends with the same weights"

# A guard. The network keeps its gradients finite, whatever the rows are, but not what it multiplies.
run "$cohort" demo --guard refuse --output-dir "$scratch"
is "$code" 2 "an unknown guard is wrong usage"
has "$out" "--guard refuse: expected propagate, error or skip" "which lists all"
run "$cohort" demo --guard skip --output-dir "$scratch"
is "$code" 2 "calls that are made one by one are not skipped"
has "$out" "without --steps-per-run, such as --steps-per-run 1" "which says what are"
awk 'BEGIN { for (c = 0; c < 16; c++) printf "x%d,", c; print "label"
    for (i = 0; i < 200; i++) { for (c = 0; c < 16; c++) printf "%s,", i % 5 == 2 ? "3e38" : (i * 7 + c * 3) % 11 / 11; print i % 2 } }' >"$scratch/huge.csv"
guarded() {
    run "$cohort" demo --data "$scratch/huge.csv" --scale none --devices host/2 --epochs 1 --steps-per-run 3 --output-dir "$scratch" "$@"
}
guarded --guard error
is "$code" 1 "an infinity is an error with --guard error"
has "$out" "the strategy's guard refuses that" "which says where it is"
guarded
is "$code" 0 "and a number like others without"
case $out in *" skipped for "*) ok 1 "of skipped steps nothing is said then" ;; *) ok 0 "of skipped steps nothing is said then" ;; esac
guarded --guard skip
is "$code" 0 "with --guard skip it is none, as long as the gradients are finite"
has "$out" "  0 of 5 steps skipped for a NaN or an infinity" "and the report counts the steps that are skipped"
has "$out" "alone: digest equal" "the training on one device has the same guard"
guarded --guard skip --json
has "$out" '"guard": "skip",
  "skipped": 0,' "--json has both"
guarded --guard propagate --json
case $out in *'"guard"'*) ok 1 "or neither" ;; *) ok 0 "or neither" ;; esac

# What cannot be written.
rm -f "$scratch/loss.svg"
ln -s "$scratch/target" "$scratch/loss.svg"
run "$cohort" demo --epochs 1 --output-dir "$scratch"
is "$code" 0 "a symbolic link in place of the file is replaced"
[ ! -e "$scratch/target" ] && [ ! -L "$scratch/loss.svg" ]
ok "$?" "and not followed"
rm -f "$scratch/loss.svg"
mkdir "$scratch/loss.svg"
run "$cohort" demo --epochs 1 --output-dir "$scratch"
is "$code" 1 "a folder in place of the file fails"
rmdir "$scratch/loss.svg"
echo kept >"$scratch/loss.svg"
out=$( (ulimit -f 2; "$cohort" demo --epochs 9 --output-dir "$scratch") 2>&1) # 0 is too little for libomp
is "$?" 1 "a file that cannot be written fails, and no signal ends the command"
has "$out" "loss.svg: File too large" "and says why"
is "$(cat "$scratch/loss.svg")" kept "the file that was there is as before"
is "$(find "$scratch" -name '*.svg.*')" "" "and nothing is beside it"

# On a terminal.
rm -f "$scratch/loss.svg"
on_terminal() {
    TERM=$1 script -qec "'$cohort' demo --epochs 2 --output-dir '$scratch'" /dev/null </dev/null 2>&1
}
if command -v script >/dev/null 2>&1 && script -qec true /dev/null </dev/null >/dev/null 2>&1; then
    bar=$(on_terminal xterm)
    has "$bar" "${esc}[K" "a terminal gets a bar"
    has "$bar" "host:0 alone: epoch 1/2" "the second says what it is for"
    bare=$(on_terminal dumb)
    has "$bare" "epoch 2/2 loss" "a dumb one gets lines"
    case $bare in *"$esc"*) ok 1 "without escapes" ;; *) ok 0 "without escapes" ;; esac
else
    skip "a terminal gets a bar" 'no script(1)'
fi
tap_done
