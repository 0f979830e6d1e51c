#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A driver that ends whoever asks it, opens its device, builds or runs a kernel there, or that never comes back: devices,
# doctor and check name it, go on with the others, and end as they say. plugins/wrong is that driver.
. "${srcdir:-.}/tests/tap.sh"
cohort=$(cd "$builddir" && pwd)/cli/cohort
scratch cli_probe
scratch=$(cd "$scratch" && pwd)
find_python
wrong=$(cd "$builddir/plugins/wrong/.libs" && pwd)
mkdir "$scratch/home"
COHORT_PLUGIN_PATH=$(cd "$builddir/host/.libs" && pwd):$wrong
export HOME="$scratch/home" COHORT_PLUGIN_PATH
unset COHORT_PLUGINS COHORT_DEVICES COHORT_CACHE XDG_CACHE_HOME COHORT_LOG
asked='entry enumerate' used='device_open kernel_create launch'
case $("$cohort" devices 2>&1) in
*wrong:0*) ;;
*) skip_all "the plugins of the build folder are not trusted, or loopback is not built" ;;
esac

# stage OPERATION: what the process did when it was ended.
stage() {
    case $1 in
    device_open) echo "opened it" ;;
    kernel_create | launch) echo "ran a kernel there" ;;
    *) echo "asked it for its devices" ;;
    esac
}
# how ANSWER: how it ended. Sanitizers answer most signals themselves.
how() {
    case $1 in
    exit) echo ", with exit code 0" ;;
    *) if grep -q fsanitize "$builddir/config.status"; then
        echo ", "
    else
        case $1 in
        abort) echo ", by SIGABRT" ;;
        sigill) echo ", by SIGILL" ;;
        stack) echo ", by SIGSEGV" ;;
        esac
    fi ;;
    esac
}
# try OPERATION ANSWER COMMAND...: into the file and code of these words.
try() {
    COHORT_WRONG="loopback $1 $2" "$cohort" "$3" >"$scratch/$1.$2.$3" 2>&1
    echo $? >"$scratch/$1.$2.$3.code"
}
# tell OPERATION ANSWER CODE-OF-DEVICES SENTENCE: what the three commands have to say.
tell() {
    for command in devices doctor check; do
        found=$(cat "$scratch/$1.$2.$command") code=$(cat "$scratch/$1.$2.$command.code")
        case $command:$asked in
        devices:*"$1"*)
            is "$code" 0 "devices ends well where $1 answers with $2"
            has "$found" "cohort-wrong.so  it $3" "... names the plugin, and how it ended"
            has "$found" "fix: export COHORT_PLUGINS=^wrong" "... with what to do"
            has "$found" "  host:0 " "... and lists the others"
            ;;
        devices:*)
            is "$code" 0 "devices opens nothing, and so meets no $2 of $1"
            has "$found" "  wrong:0 " "... and lists the device"
            ;;
        doctor:*"$1"*)
            is "$code" 1 "doctor says that $2 of $1 is wrong"
            has "$found" "cohort-wrong.so: it $3" "... names the plugin, and how it ended"
            has "$found" "ok     kernels   host:0 builds and runs a kernel" "... and looks at the others"
            ;;
        doctor:*)
            is "$code" 1 "doctor says that $2 of $1 is wrong"
            has "$found" "wrong  kernels   wrong:0: its driver $3" "... names the device, and how it ended"
            has "$found" "ok     kernels   host:0 builds and runs a kernel" "... and looks at the others"
            ;;
        check:*)
            is "$code" 1 "check fails where $1 answers with $2"
            has "$found" "not ok 1 - wrong" "... in a test of that plugin"
            has "$found" "$3" "... which says how it ended"
            has "$found" "host:0: the same training, its step recorded" "... and tests the others"
            ;;
        esac
    done
}

for operation in $asked $used; do
    for answer in abort exit sigill stack; do
        for command in devices doctor check; do try "$operation" "$answer" "$command"; done
        tell "$operation" "$answer" "ended the process that $(stage "$operation")$(how "$answer")"
        grep -q fsanitize "$builddir/config.status" ||
            has "$(cat "$scratch/$operation.$answer.doctor")" "its last line: wrong: $answer of $operation" "... with its last line"
    done
done

# All at once, as each waits for its time to be over.
COHORT_TIMEOUT_OPEN=15
export COHORT_TIMEOUT_OPEN
for operation in $asked $used; do
    for command in devices doctor check; do try "$operation" hang "$command" & done
done
wait
for operation in $asked $used; do
    tell "$operation" hang "did not answer the process that $(stage "$operation") for 15 s (COHORT_TIMEOUT_OPEN)"
done
unset COHORT_TIMEOUT_OPEN

# ------------------------------------------------------------------ what is asked for

export COHORT_WRONG="loopback device_open abort"
run "$cohort" check --devices wrong:0,host/2
is "$code" 1 "of a list of devices those that end nobody are tested"
has "$out" "ok 2 - host/2: a strategy opens" "... alone, as no other is left"
run "$cohort" check --devices wrong
is "$code" 1 "where none is left, that is what fails"
is "$(printf '%s\n' "$out" | tail -n 1)" "1..1" "... and all that is told"
run "$cohort" check --devices host
is "$code" 0 "a driver that is not in the list fails no test"
run env COHORT_DEVICES=host,wrong:0 "$cohort" doctor
has "$out" "wrong  settings  COHORT_DEVICES=host,wrong:0: wrong:0: its driver ended" "a variable that names it is told, and not tried"

export COHORT_WRONG="loopback entry exit"
run "$cohort" check --devices nothing
is "$code" 3 "an error that says what there is asks no driver that ends processes"
has "$out" "no device 'nothing'; have host:0" "... and names the others"
run env COHORT_PLUGIN_PATH="${COHORT_PLUGIN_PATH%%:*}" "$cohort" devices --plugin "$wrong/cohort-wrong.so"
is "$code" 1 "a file of --plugin that ends the process is an error"
has "$out" "cohort-wrong.so: it ended the process that asked it for its devices, with exit code 0" "... which names it"
run env COHORT_PLUGIN_PATH="$wrong" "$cohort" devices
is "$code" 3 "where there is no other there is no device"
run env COHORT_PLUGIN_PATH="$wrong" "$cohort" check
is "$code" 1 "and check fails"
"$cohort" devices --json >"$scratch/json" 2>&1
has "$(cat "$scratch/json")" '"reason": "it ended the process that asked it for its devices, with exit code 0' "--json tells it"
"$cohort" check --json >"$scratch/json" 2>&1
json_has_keys "$scratch/json" "ok schema tests tests[].reason tests[].result tests[].test" "that of check has the keys that it has always"

# A plugin of the same name behind it has its place.
mkdir "$scratch/first"
cp "$wrong/cohort-wrong.so" "$scratch/first/cohort-loopback.so"
run env COHORT_PLUGIN_PATH="$scratch/first:$(cd "$builddir/plugins/.libs" && pwd)" "$cohort" devices
has "$out" "  loopback:0 " "where the first of a name ends the process the second is used"
has "$out" "first/cohort-loopback.so  it ended" "... and the first is told"
unset COHORT_WRONG

run sh -c '"$1" devices <&- 2>&1' sh "$cohort"
has "$out" "  wrong:0 " "it needs no standard input"
run sh -c 'exec >&- 2>&- && "$1" devices' sh "$cohort"
[ "$code" -lt 126 ]
ok "$?" "and without output it ends in no other way than it does"
run sh -c 'ulimit -n 7 && exec "$1" devices' sh "$cohort"
case $out in
*'plugins are asked in this process'*) ok 0 "where no process can be started for it, that is said" ;;
*) skip "where no process can be started for it, that is said" "so few files are too few for the command" ;;
esac
tap_done
