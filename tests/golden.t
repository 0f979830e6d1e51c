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

# The rows themselves: their lines are ours, but for the plan. Of those of one process 95 of 100 have to run.
"$golden" "$srcdir"/tests/data/golden/*.json >rows
rows_status=$?
grep -v '^1\.\.' rows
tap_count=$(grep -c -E '^(not )?ok ' rows)
tap_failures=$(grep -c '^not ok ' rows)
[ "$rows_status" = 0 ] || [ "$tap_failures" -gt 0 ]
ok $? 'the program says by its exit status what its lines say'
skipped=$(grep -c '^ok .*# SKIP' rows)
several=$(grep -c '# SKIP several processes$' rows)
is "$several" 51 '51 rows need several processes'
[ $(((skipped - several) * 20)) -le $((tap_count - several)) ]
ok $? "of the others 95 of 100 are run ($((skipped - several)) of $((tap_count - several)) are skipped)"
is "$(grep 'SKIP .* is not known$' rows)" '' 'every word of the tables is known'
is "$(grep -v '# SKIP [a-z]' rows | grep -c '# SKIP')" 0 'and what is skipped says why'
# Workers that only read, and parameter devices, are one process: what else is skipped names another reason.
one_process=$("$golden" "$srcdir/tests/data/golden/multi-worker.json" "$srcdir/tests/data/golden/central-ps.json" |
    grep '# SKIP' | grep -vc 'SKIP several processes')
is "$one_process" 5 'five more of workers and parameter devices are skipped: nothing is scheduled, or the row does not say what runs'

# The same rows on one host of two parts, on devices with memory of their own, and on OpenCL.
# elsewhere DEVICES: every row comes out as it says there, and as many are run.
elsewhere() {
    "$golden" --devices "$1" "$srcdir"/tests/data/golden/*.json >other
    is "$?" 0 "all rows come out the same on $1"
    grep -A 4 '^not ok' other | sed 's/^/# /'
    is "$(grep -c '^ok .*# SKIP' other) of $(grep -c '^ok ' other)" "$skipped of $(grep -c '^ok ' rows)" \
        "and no other ones are skipped on $1"
}
elsewhere host/2
elsewhere loopback
elsewhere stream
case $("$builddir/cli/cohort" devices) in
*opencl:0*) elsewhere opencl:0 ;;
*) skip 'all rows come out the same on opencl:0' 'no OpenCL device' ;;
esac

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
text_row='"id": "a", "op": "gather", "replicas": 2, "strategy": "mirrored"'
printf '[{%s, "args": {"axis": 0, "dtype": "string", "per_replica": [["one"], ["", "two"]]},
    "result": {"dtype": "string", "shape": [3], "data": ["one", "", "two"]}}]' "$text_row" >table.json
ends 0 'texts are what the row has' table.json
for other in 's/"", "two"\]}}/"", "tw"]}}/' 's/"", "two"\]}}/"", "two!"]}}/' 's/\[3\], "data": \["one"/[2], "data": ["one"/' \
    's/\["one", "", "two"\]}}/["one", "two"]}}/' 's/\["one", "", "two"\]}}/["one", 0, "two"]}}/'; do
    sed "$other" table.json >other.json
    ends 1 'others fail' other.json
done
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
malformed 'a row with words that args contradict' \
    '"op": "range(14).batch(8)", "args": {"n": 13, "G": 8}, "result": {"steps": []}'
malformed 'a tensor with a member that nobody knows' "\"op\": \"reduce\", \"args\": {\"op\": \"SUM\", \"axis\": null,
    \"per_replica\": [{\"dtype\": \"float32\", \"shape\": [], \"data\": [1], \"rank\": 0}, 1]}, $sum"
long='"a text that is much longer than what all texts of the tables have room for"'
malformed 'a text that is too long' "\"op\": \"pipeline\", \"args\": {\"pipeline\": \"array(texts, 'string')\", \"texts\": [$long]},
    \"result\": {}"
malformed 'a list of texts with a number' "\"op\": \"gather\", \"args\": {\"dtype\": \"string\", \"axis\": 0,
    \"per_replica\": [[\"a\"], [3]]}, \"result\": {}"
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
# unknown WORD ROW: the row is skipped, with the word.
unknown() {
    printf '[{"id": "a", "replicas": 2, %s}]' "$2" >table.json
    ends 0 "so is one with an unknown $1" table.json
    has "$(cat out)" "SKIP $1 '" 'which is named'
}
unknown strategy '"op": "reduce", "strategy": "quantum", "args": {"per_replica": [1, 2]}, "result": 3'
unknown dtype '"op": "reduce", "strategy": "mirrored", "args": {"dtype": "qint8", "per_replica": [1, 2]}, "result": 3'
unknown name '"op": "pipeline", "args": {"pipeline": "range(3).rejoice(2)"}, "result": {"elements": []}'
unknown pipeline '"op": "inferred batch size", "strategy": "mirrored", "args": {"pipeline": "batch5-sing"}, "result": {"value": 5}'
unknown word '"op": "reduce_to", "strategy": "mirrored", "args": {"op": "SUM", "per_replica": [1, 2], "destinations": "moon"},
    "result": {"list": []}'
unknown option '"op": "distribute a function with InputOptions", "strategy": "mirrored",
    "args": {"pipeline": "range(3)", "options": {"speed": 3}}, "result": {"steps": []}'
printf '[{"id": "a", "op": "variable of 7 rows in 2 parts or so", "args": {"rows": 7, "parts": 2}, "result": {}}]' >table.json
ends 0 'so is one with words behind what is known' table.json
has "$(cat out)" "SKIP operation 'variable of 7 rows in 2 parts or so' is not known" 'and says which'
tap_done
