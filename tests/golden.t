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

# What replicas get lies in other memory on other devices.
inputs="$srcdir/tests/data/golden/input-split.json $srcdir/tests/data/golden/input-end.json"
for device in loopback stream; do
    # shellcheck disable=SC2086 # two files
    "$golden" --devices $device $inputs >rows
    is "$?" 0 "the rows of inputs come out the same on $device"
    grep '^not ok' rows | sed 's/^/# /'
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
row='"id": "a", "op": "range(14).batch(8)", "replicas": 2, "strategy": "mirrored"'
steps='[[0, 1, 2, 3], [4, 5, 6, 7]], [[8, 9, 10, 11], [12, 13]]'
ceil='[[0, 1, 2, 3], [4, 5, 6, 7]], [[8, 9, 10], [11, 12, 13]]'
printf '[{%s, "args": {}, "cohort": "differs", "cohort_result": {"steps": [%s]},
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
