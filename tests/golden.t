#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Every table of recorded cases, row by row; and what tests/golden makes of files that are none.
. "${srcdir:-.}/tests/tap.sh"
golden=$builddir/tests/golden
if [ ! -x "$golden" ]; then
    echo '1..0 # SKIP configured without jansson, which reads the tables'
    exit 0
fi
scratch golden
cd "$scratch" || exit 1

# The rows themselves: their lines are ours, but for the plan. Nine of ten have to run.
"$golden" "$srcdir"/tests/data/golden/*.json >rows
rows_status=$?
grep -v '^1\.\.' rows
tap_count=$(grep -c -E '^(not )?ok ' rows)
tap_failures=$(grep -c '^not ok ' rows)
[ "$rows_status" = 0 ] || [ "$tap_failures" -gt 0 ]
ok $? 'the program says by its exit status what its lines say'
skipped=$(grep -c '^ok .*# SKIP' rows)
[ $((skipped * 10)) -le "$tap_count" ]
ok $? "nine of ten rows are run ($skipped of $tap_count are skipped)"
is "$(grep -c 'SKIP operation .* is not known' rows)" 0 'every operation of the tables is known'
is "$(grep -c '# SKIP several processes$' rows)" 51 '51 rows need several processes'
# Workers that only read, and parameter devices, are one process: what else is skipped names another reason.
one_process=$("$golden" "$srcdir/tests/data/golden/multi-worker.json" "$srcdir/tests/data/golden/central-ps.json" |
    grep '# SKIP' | grep -vc 'SKIP several processes')
is "$one_process" 5 'five more of workers and parameter devices are skipped: nothing is scheduled, or the row does not say what runs'

# The same rows on one host of two parts, and on OpenCL.
# elsewhere DEVICES: every row comes out as it says there, and as many are run.
elsewhere() {
    "$golden" --devices "$1" "$srcdir"/tests/data/golden/*.json >other
    is "$?" 0 "all rows come out the same on $1"
    grep -A 4 '^not ok' other | sed 's/^/# /'
    is "$(grep -c '^ok .*# SKIP' other) of $(grep -c '^ok ' other)" "$skipped of $(grep -c '^ok ' rows)" \
        "and no other ones are skipped on $1"
}
elsewhere host/2
case $("$builddir/cli/cohort" devices) in
*opencl:0*) elsewhere opencl:0 ;;
*) skip 'all rows come out the same on opencl:0' 'no OpenCL device' ;;
esac

# What replicas get lies in other memory on other devices.
inputs="$srcdir/tests/data/golden/input-split.json $srcdir/tests/data/golden/input-end.json"
for device in loopback stream; do
    # shellcheck disable=SC2086 # two files
    "$golden" --devices $device $inputs >other
    is "$?" 0 "the rows of inputs come out the same on $device"
    grep '^not ok' other | sed 's/^/# /'
done

# ends STATUS CLAIM WORDS...: the program ends with STATUS.
ends() {
    wanted=$1
    claim=$2
    shift 2
    "$golden" "$@" >out 2>err
    is "$?" "$wanted" "$claim"
}
ends 2 'no file is a wrong call'
ends 2 'an option that is not known is a wrong call' --nothing
ends 0 'the known operations can be listed' --list
ends 2 'a file that is not there is refused' nowhere.json
has "$(cat err)" nowhere.json 'and named'
for text in '' '{' '{}' '[1]' '[{"id": 1, "op": "reduce"}]' '[{"id": "a"}]' '[{"id": "a", "op": "reduce", "args": 3}]'; do
    printf '%s' "$text" >table.json
    ends 2 "no table: '$text'" table.json
done

row='"id": "a", "op": "reduce", "replicas": 2, "strategy": "mirrored"'
values='"per_replica": [1.5, 2.0]'
printf '[{%s, "args": {"op": "SUM", "axis": null, %s}, "result": {"dtype": "float32", "shape": [], "data": [3.5]}}]' \
    "$row" "$values" >table.json
ends 0 'a row that comes out as it says passes' table.json
sed -i.orig 's/3\.5\]/3.4]/' table.json
ends 1 'one that does not fails' table.json
sed 's/3\.4\]/3.5]/; s/float32/float64/' table.json >other.json
ends 1 'so does one of another dtype' other.json
printf '[{%s, "args": {"op": "SUM", "axis": null, "per_replica": [1.5]}, "result": 1}]' "$row" >table.json
ends 1 'a row with the wrong number of values fails' table.json
printf '[{%s, "args": {"op": "SUM", "per_replica": [{"dtype": "float32", "shape": [99999999999], "data": []}, 1]}}]' \
    "$row" >table.json
ends 1 'so does one with a shape that is not there' table.json

# malformed CLAIM ROW: the row fails, and says that it is the row.
malformed() {
    printf '[{"id": "a", "replicas": 2, "strategy": "mirrored", %s}]' "$2" >table.json
    ends 1 "$1 fails" table.json
    has "$(cat out)" '# the case itself: ' 'as malformed'
}
sum='"result": {"dtype": "float32", "shape": [], "data": [3.5]}'
given='"op": "SUM", "axis": null, "per_replica": [1.5, 2.0]'
malformed 'a row with an argument that nobody reads' "\"op\": \"reduce\", \"args\": {$given, \"axes\": 3}, $sum"
malformed 'a row with a member that nobody knows' "\"op\": \"reduce\", \"args\": {$given}, \"cohort_results\": 1, $sum"
malformed 'a row without a result' "\"op\": \"reduce\", \"args\": {$given}"
malformed 'a row with a result of its own that does not differ' \
    "\"op\": \"reduce\", \"args\": {$given}, \"cohort_result\": 1, $sum"
malformed 'a row with words behind what is known' \
    '"op": "container that run gives for bool or so", "args": {}, "result": {}'
malformed 'a row with words that args contradict' \
    '"op": "range(14).batch(8)", "args": {"n": 13, "G": 8}, "result": {"steps": []}'
malformed 'a tensor with a member that nobody knows' "\"op\": \"reduce\", \"args\": {\"op\": \"SUM\", \"axis\": null,
    \"per_replica\": [{\"dtype\": \"float32\", \"shape\": [], \"data\": [1], \"rank\": 0}, 1]}, $sum"
malformed 'an integer that its dtype does not hold' "\"op\": \"reduce\", \"args\": {\"op\": \"SUM\", \"axis\": null,
    \"dtype\": \"int8\", \"per_replica\": [128, 1]}, $sum"
scatter='"op": "scatter_add", "result": {}, "args": {"init": [1.0, 2.0], "synchronization": "ON_WRITE",
    "aggregation": "SUM", "context": "replica", "delta": '
for delta in '{"x": 1.0}' '{"0": "R"}' '"replica i: {0: R}"' '"replica i: {R: 1}"' '"replica i: {0: 1} and more"' \
    '"replica i: {0.5: 1}"' '"{0: 1}"'; do
    malformed "a scatter of $delta" "$scatter$delta}"
done
malformed 'a context that is none' \
    '"op": "assign", "args": {"init": 8, "context": "crass", "argument": "literal", "value": 7}, "result": {}'

for argument in '"literal?"' '"captured by whom"' 3; do
    malformed "an argument that is $argument" \
        "\"op\": \"assign\", \"args\": {\"init\": 8, \"argument\": $argument, \"value\": 7}, \"result\": {}"
done
malformed 'a synchronization that is none' '"op": "assign", "args": {"init": 8, "synchronization": "ON_WRITE?",
    "argument": "literal", "value": 7}, "error": {}'

row='"id": "a", "op": "range(3).repeat().batch(4), first 4 steps", "replicas": 2, "strategy": "mirrored"'
steps='[[0, 1], [2, 0]], [[1, 2], [0, 1]], [[2, 0], [1, 2]], [[0, 1], [2, 0]]'
printf '[{%s, "args": {"n": 3, "G": 4}, "cohort": "differs", "cohort_result": {"steps": [%s]},
 "cohort_ceil": "same", "result": {"dtype": "int64", "steps": [%s]}}]' "$row" "$steps" "$steps" >table.json
ends 0 'data without end is divided by the option too' table.json
row='"id": "a", "op": "range(14).batch(8)", "replicas": 2, "strategy": "mirrored"'
steps='[[0, 1, 2, 3], [4, 5, 6, 7]], [[8, 9, 10, 11], [12, 13]]'
ceil='[[0, 1, 2, 3], [4, 5, 6, 7]], [[8, 9, 10], [11, 12, 13]]'
printf '[{%s, "args": {"n": 14, "G": 8}, "cohort": "differs", "cohort_result": {"steps": [%s]},
 "cohort_ceil": "same", "result": {"dtype": "int64", "steps": [%s]}}]' "$row" "$steps" "$ceil" >table.json
ends 0 'what replicas get of an input is compared, and with the split of TensorFlow once more' table.json
is "$(grep -c '^ok ' out)" 2 'as a line of its own'
sed 's/13\]\]\]},$/14]]]},/' table.json >other.json
ends 1 'another row fails' other.json
sed 's/13\]\]\]}}/14]]]}}/' table.json >other.json
ends 1 'so does another row with that split' other.json
sed 's/11\], \[12, 13/11, 12], [13/' table.json >other.json
ends 1 'so does a row on another replica' other.json
printf '[{"id": "a", "op": "dance", "replicas": 2, "strategy": "mirrored"}]' >table.json
ends 0 'a row that asks for something else is skipped' table.json
has "$(cat out)" "ok 1 - a # SKIP operation 'dance' is not known" 'and says for what'
tap_done
