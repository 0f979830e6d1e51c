#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The command without a device: help, usage errors, settings, versions.
. "${srcdir:-.}/tests/tap.sh"
cohort=$builddir/cli/cohort
scratch cli
find_python

for command in check checkpoint cluster completion data demo devices doctor embed env new plugin run version; do
    run "$cohort" "$command" --help
    is "$code" 0 "cohort $command --help is fine"
    has "$out" "usage: cohort $command" "and shows the usage of $command"
    first=$out
    run "$cohort" help "$command"
    is "$out" "$first" "cohort help $command is the same text"
    run "$cohort" "$command" --nonsense
    is "$code" 2 "an unknown option of $command is wrong usage"
    has "$out" "cohort: $command: unknown option --nonsense" "and is named"
    has "$out" "fix: cohort $command --help" "with what to do"
    if [ "$command" != data ]; then # which takes any number of files
        run "$cohort" "$command" --json one two
        is "$code" 2 "words that $command does not take are wrong usage"
    fi
    run "$cohort"
    has "$out" "  $command " "cohort alone lists $command"
done
is "$code" 2 "cohort alone is wrong usage"

run "$cohort" --help
is "$code" 0 "cohort --help is fine"
run "$cohort" help
is "$code" 0 "cohort help is fine"
run "$cohort" --version
is "$code" 0 "cohort --version is fine"
has "$out" "cohort 0." "and says the version"
run "$cohort" demos
is "$code" 2 "an unknown command is wrong usage"
has "$out" "did you mean 'cohort demo'?" "and gets a suggestion"
run "$cohort" help device
has "$out" "did you mean 'cohort devices'?" "also after help"
run "$cohort" frobnicate
has "$out" "fix: cohort help lists the commands" "a word that is far from all gets the list"

# wrong_option PART OF THE MESSAGE; OPTIONS...
wrong_option() {
    part=$1
    shift
    run "$cohort" demo --output-dir "$scratch" "$@"
    is "$code" 2 "demo $* is wrong usage"
    has "$out" "$part" "and says why"
}
for number in 0 -1 x 1x '' 1.5 NaN inf 0x10 99999999999999999999999; do
    wrong_option "expected an integer from 1 to" --epochs "$number"
    wrong_option "expected an integer from 1 to" --batch "$number"
    wrong_option "expected an integer from 1 to 65536" --replicas "$number"
    wrong_option "expected an integer from 1 to 1000000" --steps-per-run "$number"
done
wrong_option "expected an integer from 0 to" --seed -1
wrong_option "expected an integer from 0 to" --seed 9223372036854775808
wrong_option "--replicas 65537" --replicas 65537
wrong_option "there are 1437 images" --batch 1438
wrong_option "option --batch wants a value" --batch
wrong_option "unexpected 'word'" word

run "$cohort" demo --output-dir "$scratch/none"
is "$code" 1 "an output folder that is not there fails"
has "$out" "none: No such file or directory" "and is named"
: >"$scratch/file"
run "$cohort" demo --output-dir "$scratch/file"
is "$code" 1 "a file as output folder fails"
if [ "$(id -u)" != 0 ]; then
    mkdir "$scratch/locked" && chmod 555 "$scratch/locked"
    run "$cohort" demo --output-dir "$scratch/locked"
    is "$code" 1 "a folder that may not be written to fails"
else
    skip "a folder that may not be written to fails" "root may write everywhere"
fi

mkdir "$scratch/data"
run env COHORT_DATA_PATH="$scratch/data" "$cohort" demo --output-dir "$scratch"
installed=$("$cohort" version | sed -n 's/^data folder *//p')/digits.csv
if [ -e "$installed" ]; then
    skip "data that is nowhere is said" "$installed is there"
else
    is "$code" 1 "data that is nowhere fails"
    has "$out" "fix: set COHORT_DATA_PATH" "and says what to do"
fi
# bad_data LINES CLAIM
bad_data() {
    printf '%b' "$1" >"$scratch/data/digits.csv"
    run env COHORT_DATA_PATH="$scratch/data" "$cohort" demo --output-dir "$scratch"
    is "$code" 1 "$2"
    has "$out" "digits.csv" "and the file is named"
}
bad_data '' "an empty data file fails"
bad_data '1,2,3\n' "a short line fails"
good=$(sed -n 1p "$srcdir/examples/data/digits.csv")
bad_data "$good\n" "one image is not enough"
bad_data "17${good#0}\n" "a pixel above 16 fails"
bad_data "$good,1\n" "a long line fails"

run "$cohort" env
is "$code" 0 "cohort env is fine"
has "$out" "COHORT_PLUGIN_PATH=" "and shows what is set"
has "$out" "COHORT_DEVICES is not set" "and what is not"
run "$cohort" env timeout_co
has "$out" "COHORT_TIMEOUT_COPY" "a filter in any case finds its setting"
case $out in *COHORT_DEVICES*) ok 1 "and nothing else" ;; *) ok 0 "and nothing else" ;; esac
run "$cohort" env no-such-thing
is "$code" 1 "a filter that finds nothing fails"
"$cohort" env --json >"$scratch/env.json"
json_has_keys "$scratch/env.json" \
    "schema settings settings[].default settings[].documentation settings[].name settings[].type settings[].value" \
    "cohort env --json has its keys"
run env COHORT_DEVICES="$(printf 'a"\\\001\377\303\244')" "$cohort" env COHORT_DEVICES --json
has "$out" 'a\"\\\u0001\ufffdä' "JSON texts are escaped, and what is not UTF-8 is replaced"

run "$cohort" version
has "$out" "plugin ABI     1." "cohort version says the plugin ABI"
case $(printf '%s\n' "$out" | grep '^configure ') in
*"$builddir"[\ /=\']* | *"$srcdir"[\ /=\']*) ok 1 "and no folder it was built in" ;;
*) ok 0 "and no folder it was built in" ;;
esac
has "$out" "configure " "and how it was configured"
if has_equal_bits; then
    has "$out" "equal bits     promised" "and that bits are equal"
else
    has "$out" "equal bits     not promised: FLT_EVAL_METHOD is " "and that bits may differ"
fi
"$cohort" version --json >"$scratch/version.json"
json_has_keys "$scratch/version.json" "abi configure data_folder equal_bits example_folder plugin_folder schema version" \
    "cohort version --json has its keys"

if [ -c /dev/full ]; then
    out=$("$cohort" env 2>&1 >/dev/full)
    is "$?" 1 "output that cannot be written fails"
    has "$out" "cohort: standard output: No space left" "and says why"
else
    skip "output that cannot be written fails" "no /dev/full"
fi
run env COHORT_LOG=loud "$cohort" env
has "$out" "COHORT_LOG=loud is none of" "an unknown log level is said"
run env COHORT_LOG=warn,exec=debug "$cohort" env
has "$out" "cohort: warning: COHORT_LOG=warn,exec=debug: 'exec=debug' is neither error" "and so is a subsystem that is none"
COHORT_LOG=warn,plugin=debug COHORT_LOG_FORMAT=json COHORT_PLUGIN_PATH="$(printf '/no/"\\ÿ')" "$cohort" devices 2>"$scratch/log" >/dev/null
has "$(cat "$scratch/log")" '"level": "debug", "subsystem": "plugin", "rank": null' "the log of the command is JSON lines on request"
find_python
if [ -n "$python" ]; then
    run "$python" -c 'import json, sys; [json.loads(line)["message"] for line in sys.stdin if line[0] == "{"]' <"$scratch/log"
    is "$out" "" "whatever is in it"
else
    skip "whatever is in it" 'no python3'
fi
tap_done
