#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# cohort report: what it refuses, traces that are damaged, and, in traces that are made for it, that it names the cause.
. "${srcdir:-.}/tests/tap.sh"
scratch cli_report
cohort=$builddir/cli/cohort
find_python

# ------------------------------------------------------------------ what is refused

# refused CODE TEXT ARGUMENT...
refused() {
    refused_code=$1 refused_text=$2
    shift 2
    run "$cohort" report "$@"
    is "$code" "$refused_code" "report $*: exit code $refused_code"
    has "$out" "$refused_text" "... and why"
}
refused 2 "which trace?"
has "$out" "fix: COHORT_TRACE=trace.json PROGRAM writes one" "and how to get one"
refused 2 "did you mean --html?" --htmt x trace.json
refused 2 "option --html wants a value" trace.json --html
refused 1 "$scratch/none: No such file" "$scratch/none"
refused 1 "$scratch: not a regular file; expected a trace" "$scratch"
mkfifo "$scratch/fifo"
refused 1 "not a regular file" "$scratch/fifo"
printf '[' >"$scratch/begun"
refused 2 "is the trace itself" "$scratch/begun" --html "$scratch/begun"
refused 1 "$scratch/none/x.html: No such file" "$scratch/begun" --html "$scratch/none/x.html"
refused 1 "no device has done anything in it" "$scratch/begun"

# damaged TEXT CONTENT: what is said of a file with that content.
damaged() {
    printf '%s' "$2" >"$scratch/damaged"
    refused 1 "$1; expected a trace, as COHORT_TRACE writes it" "$scratch/damaged"
}
damaged "no device has done anything in it" ""
damaged "byte 5: what is no value" "hello
"
damaged "byte 1: no array of events, which begins with [" "{}"
damaged "byte 2: no event, which is {...}" "[1]"
damaged "byte 14: a comma that is missing" '[{"ph":"X" "a":1}]'
damaged "byte 9: a colon that is missing" '[{"ph""X"}]'
damaged "byte 9: a number that is none" '[{"ts":1-}]'
damaged "byte 9: an escape that is none" '[{"a":"\q"}]'
damaged "more than 64 brackets in one another" "[{\"a\":$(printf '%070d' 0 | tr 0 '[')"
damaged "a number of more than 63 digits" "[{\"ts\":$(printf '%070d' 0)}]"
LC_ALL=C awk 'BEGIN { for (i = 0; i < 5000; i++) printf "%s{\"ph\":\"X\",\"cat\":\"body\",\"tid\":%d}", i ? "," : "[", i }' >"$scratch/tracks"
refused 1 "more than 4096 tracks" "$scratch/tracks"

# ------------------------------------------------------------------ traces with a known cause

# trace STEPS PERIOD [PAUSE_AT]: a trace of so many steps, each of which begins PERIOD us after the one before and is what the
# lines of the input say: CATEGORY TRACK BEGIN LENGTH NAME [ARGUMENTS]. The operations belong to the call or step of their
# time. Before step PAUSE_AT nothing happens for 100 ms.
trace() {
    LC_ALL=C awk -v steps="$1" -v period="$2" -v pause="${3:-$1}" '
        function track_of(where, kind) { return where == "thread" ? 1 : 8 + 4 * substr(where, 6) + rank[kind] }
        function arrow(phase) {
            flow = sprintf("%.0f", 8 * 2 ^ 40 + 2 * i + is_program)
            printf "{\"ph\":\"%s\",\"name\":\"call\",\"cat\":\"flow\",\"id\":%s,\"pid\":7,\"tid\":%d,\"ts\":%.3f},\n", phase, flow, tid, at
        }
        BEGIN {
            rank["body"] = 0; rank["copy"] = 1; rank["sum"] = 2; rank["other"] = 3
            print "["
        }
        { line[++n] = $0; is_program += $1 == "step"; if ($2 != "thread") device[$2] = 1 }
        END {
            for (d in device)
                for (kind in rank)
                    printf "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":7,\"tid\":%d,\"args\":{\"name\":\"%s %s\"}},\n", track_of(d, kind), d, kind
            for (i = 0; i < steps; i++)
                for (k = 1; k <= n; k++) {
                    split(line[k], word, " ")
                    tid = track_of(word[2], word[1])
                    at = i * period + word[3] + (i >= pause ? 100000 : 0)
                    printf "{\"ph\":\"X\",\"name\":\"%s\",\"cat\":\"%s\",\"pid\":7,\"tid\":%d,\"ts\":%.3f,\"dur\":%.3f%s},\n",
                        word[5] == "step" ? "step, repeated" : word[5] == "planned" ? "step, planned" : word[5],
                        word[1], tid, at, word[4], word[6] == "" ? "" : ",\"args\":{" word[6] "}"
                    if (word[1] == "call" || word[1] == "step")
                        arrow("s")
                    else if (word[2] != "thread")
                        arrow("t")
                }
        }'
}

# finds ID STEP_US CLAIM: the report of $scratch/trace has that cause first, and expects that time.
finds() {
    run "$cohort" report "$scratch/trace"
    is "$code" 0 "$3: it is reported"
    is "$(printf '%s\n' "$out" | grep -m1 -E '^(slow-device|contention|copy|reduce|setup|input|dispatch|program|wait): ' | cut -d: -f1)" "$1" \
        "... as $1"
    is "$(printf '%s\n' "$out" | grep -m1 '^  expected ' | tr -s ' ')" " expected $2 us a step" "... with the time that is expected then"
}

trace 40 1000 >"$scratch/trace" <<'END'
step thread 0 20 step
body host:0 20 980 f "replica":0
body host:1 20 420 f "replica":1
END
finds slow-device 720 "one device is twice as slow"
has "$out" "host:0 is the slowest device" "... by its name"
has "$out" "its bodies take 980 us of a step, those of a device 700 us on average" "... with the evidence"
has "$out" "cohort_strategy_set_hosted" "... and the call that changes it"
has "$out" "1 ms a step, 39 of them: steps of a recorded program" "steps are those of the program, without the first"
has "$out" "slowest replica: replica 0, whose bodies take 980 us of a step; those of replica 1, the fastest, 420 us" "replicas are compared"
has "$out" "host:0             98.0 %" "shares are of the step"
is "$(printf '%s\n' "$out" | sed -n '/^critical path/,/^slowest/p' | sed -n 2p | tr -s ' ')" " 98.0 % f on host:0" "the critical path is that of the slow device"

trace 40 1000 >"$scratch/trace" <<'END'
step thread 0 50 step
copy host:0 50 500 write "bytes":1048576
body host:0 550 450 f
END
finds copy 500 "half of each step is a copy"
has "$out" "copies take 500 us of a step there, for 1.000 MiB" "... with its bytes"

trace 40 1000 >"$scratch/trace" <<'END'
step thread 0 20 step
body host:0 20 380 f
sum host:0 400 600 reduce
body host:1 20 380 f
END
finds reduce 700 "most of each step is a reduction"

trace 40 1000 >"$scratch/trace" <<'END'
call thread 0 620 cohort_input_next_list
input thread 10 600 wait
body host:0 620 380 f
END
finds input 400 "rows come late"
has "$out" "batches, not recorded" "steps are batches"

trace 40 1000 >"$scratch/trace" <<'END'
call thread 0 900 cohort_run
call thread 900 100 cohort_update
body host:0 910 80 f
END
finds dispatch 80 "calls take longer than bodies"
has "$out" "record the step (cohort_program_record)" "... which are not recorded"
has "$out" "rounds of the same calls, not recorded" "steps are what the calls repeat"

trace 4 100000 1 >"$scratch/trace" <<'END'
call thread 0 90000 cohort_run
body host:0 10 80000 f
END
run "$cohort" report "$scratch/trace"
has "$out" "100 ms a step, 2 of them: rounds of the same calls, not recorded" "the first round, which takes twice as long, is no part of the mean"
has "$out" "note: 1 of 3 steps is left out: the first, which prepares what the others have" "... and it is said"

trace 40 1000 >"$scratch/trace" <<'END'
step thread 0 900 planned "why":"its\u0020rows\u0020vary"
body host:0 900 100 f
END
finds dispatch 100 "steps of a program are planned each time"
has "$out" "let the recorded step be repeated, which it was not, because its rows vary" "... for the reason that the trace has"
has "$out" "recording: 0 steps were repeated, 0 ns of the calling thread each; 40 were planned, 900 us each" "... and what it costs"

trace 40 1000 >"$scratch/trace" <<'END'
step thread 0 20 step
body host:0 20 280 f
END
finds program 300 "the program does something else"

trace 40 1000 >"$scratch/trace" <<'END'
call thread 0 990 cohort_for_each_replica
wait thread 300 690 wait
body host:0 20 280 f
END
finds wait 310 "everybody waits"
has "$out" "step functions, not recorded" "steps are step functions"

trace 40 1000 >"$scratch/trace" <<'END'
step thread 0 20 step
other host:0 20 500 build
body host:0 520 480 f
END
finds setup 500 "a kernel is built in each step"

trace 40 1000 >"$scratch/trace" <<'END'
step thread 0 20 step
body host:0 0 700 f
body host:1 0 700 f
body host:0 700 150 f
body host:1 850 150 f
END
finds contention 450 "bodies beside others take more than four times as long as alone"
has "$out" "f takes 700 us beside bodies of other devices, 150 us alone" "... with the evidence"

trace 40 1000 >"$scratch/trace" <<'END'
step thread 0 20 step
body host:0 10 980 f
body host:1 10 980 f
END
run "$cohort" report "$scratch/trace"
is "$code" 0 "where all devices compute all the time"
has "$out" "nothing to gain here: bodies take 98 % of a step on host:0" "... there is nothing to gain"
is "$(printf '%s\n' "$out" | grep -cE '^  (evidence|change|expected)|^warning')" 0 "... and no cause and no warning"

trace 40 1000 >"$scratch/trace" <<'END'
step thread 0 400 step
body host:0 400 100 f
body host:1 400 100 f
sum host:0 500 500 reduce
END
run "$cohort" report "$scratch/trace"
has "$out" "warning: one device is faster: all bodies of a step take 200 us one after the other, and the step takes 1 ms on 2 devices" \
    "two devices that are slower than one are warned of"

# ------------------------------------------------------------------ what else there is in a trace

{
    trace 40 1000 <<'END'
step thread 0 20 step
body host:0 20 980 f
END
    echo '{"ph":"X","name":"f","cat":"body","pid":7,"tid":8,"ts":41000.000,"dur":90000.000},'
    trace 4 1000 <<'END' | sed 1d | sed 's/"ts":/"ts":20000/'
body host:0 20 980 f
END
} >"$scratch/trace"
run "$cohort" report "$scratch/trace"
is "$code" 0 "a trace goes on behind its last step"
trace 60 1000 40 >"$scratch/trace" <<'END'
step thread 0 20 step
body host:0 20 980 f
END
run "$cohort" report "$scratch/trace"
has "$out" "1 ms a step, 47 of them" "what is beside a pause does not count"
has "$out" "note: 13 of 60 steps are left out: the first, which prepares what the others have, and 12 that took" "... and it is said"
trace 60 1000 >"$scratch/whole" <<'END'
step thread 0 20 step
body host:0 20 980 f
END
run "$cohort" report "$scratch/whole"
has "$out" "note: 1 of 60 steps is left out: the first, which prepares what the others have" "no other step of an even run is left out"

# Whatever is cut off, the rest is a trace.
size=$(wc -c <"$scratch/whole")
cut=0 wrong=0
while [ "$cut" -lt 40 ]; do
    head -c $((size - 1 - cut * 7)) "$scratch/whole" >"$scratch/trace"
    "$cohort" report "$scratch/trace" >/dev/null 2>&1 || wrong=$((wrong + 1))
    cut=$((cut + 1))
done
is "$wrong" 0 "a program that was killed leaves a trace that is read"
sed '$s/,$//' "$scratch/whole" >"$scratch/trace"
printf ']\n' >>"$scratch/trace"
run "$cohort" report "$scratch/trace"
is "$code" 0 "so does a tool that closes the array"

# Names do nothing to a terminal, nor to a page.
trace 8 1000 >"$scratch/trace" <<'END'
step thread 0 20 step
body host:0 20 980 \u001b[31m<b>&\u202e
END
run "$cohort" report "$scratch/trace" --html "$scratch/page.html"
is "$code" 0 "a name with control characters is reported"
has "$out" '\x1b[31m<b>&\u202e on host:0' "... as escapes"
is "$(grep -c '<b>' "$scratch/page.html")" 0 "... and no tag of the page"
has "$(cat "$scratch/page.html")" '[31m&lt;b&gt;&amp;' "... but its text"

# As much as is kept, and no more.
{
    printf '[\n{"ph":"M","name":"thread_name","tid":8,"args":{"name":"host:0 bodies"}},\n'
    LC_ALL=C awk 'BEGIN { for (i = 0; i < 1048577; i++) print "{\"ph\":\"X\",\"cat\":\"body\",\"tid\":8,\"ts\":" i ",\"dur\":1}," }'
} >"$scratch/large"
run "$cohort" report "$scratch/large"
is "$code" 0 "more operations than are kept are reported"
has "$out" "note: the first 1048576 operations and calls are looked at, 1 later ones are not" "... and it says how many are not looked at"
rm -f "$scratch/large"

# ------------------------------------------------------------------ forms

trace 40 1000 >"$scratch/slow" <<'END'
step thread 0 20 step
body host:0 20 980 f "replica":0
body host:1 20 420 f "replica":1
END
trace 40 1000 >"$scratch/fast" <<'END'
step thread 0 20 step
body host:0 20 200 f "replica":0
END
run "$cohort" report "$scratch/fast" "$scratch/slow"
has "$out" "slowest worker: $scratch/slow" "of several workers it names the slowest"
run "$cohort" report "$scratch/slow" --html "$scratch/page.html"
is "$(grep -ciE 'https?:|src=|@import|url\(|<script|<link' "$scratch/page.html")" 0 "the page asks for nothing"
is "$(grep -c 'prefers-color-scheme: dark' "$scratch/page.html")" 1 "it is light or dark"
is "$(grep -c '<rect class="compute" x="[0-9]*" width="[0-9]*" height="10"><title>f, replica [01], ' "$scratch/page.html")" 2 "the timeline has the bodies of both devices"
if command -v tidy >/dev/null 2>&1; then
    is "$(tidy -q -e "$scratch/page.html" 2>&1 | grep -v 'Warning: <meta> proprietary')" "" "it is HTML"
else
    skip "it is HTML" "no tidy"
fi
if [ -n "$python" ]; then
    "$cohort" report "$scratch/fast" "$scratch/slow" --json >"$scratch/json"
    is "$("$python" - "$scratch/json" <<'END'
import json, sys
d = json.load(open(sys.argv[1]))
t = d["traces"][1]
cause = t["causes"][0]
shares = "compute copy reduce other wait input dispatch program".split()
print(d["schema"], len(d["traces"]), d["slowest_trace"] == t["trace"], t["steps"], round(t["step_ns"]), cause["id"],
      round(cause["expected_step_ns"]), all(cause[k] for k in ("cause", "evidence", "change")),
      all(abs(sum(x[k] for k in shares) - 1) < 1e-9 for x in t["devices"]), t["slowest_replica"]["replica"])
END
)" "1 2 True 39 1000000 slow-device 720000 True True 0" "--json has the same"
else
    skip "--json has the same" "no python3"
fi

# ------------------------------------------------------------------ a real one

run env COHORT_TRACE="$scratch/real" "$cohort" demo --devices host/2 --replicas 4 --steps-per-run 4 --epochs 2 --output-dir "$scratch"
is "$code" 0 "the demo is traced"
run "$cohort" report "$scratch/real" --html "$scratch/page.html"
is "$code" 0 "its trace is reported"
has "$out" "steps of a recorded program" "by the steps of its program"
has "$out" "steps were repeated" "with what was recorded"
has "$out" "host:0.1 " "and both devices"
has "$out" "note: the trace has 2 strategies; this is the one with the most devices that ran bodies" "of its two strategies"

# ------------------------------------------------------------------ gzipped

run env COHORT_TRACE="$scratch/real.json.gz" "$cohort" demo --devices host/2 --replicas 4 --steps-per-run 4 --epochs 2 --output-dir "$scratch"
if ! has_zlib; then
    has "$out" "this build has no zlib; name a file without .gz" "without zlib no trace is gzipped, which is told"
    printf '\037\213' >"$scratch/packed"
    refused 1 "$scratch/packed: it is gzipped, and this build has no zlib; unpack it by gunzip" "$scratch/packed"
else
    is "$code" 0 "the demo is traced into a gzipped file"
    run gzip -t "$scratch/real.json.gz"
    is "$code:$out" "0:" "which is one to gzip"
    run "$cohort" report "$scratch/real.json.gz"
    is "$code" 0 "and can be reported"
    has "$out" "steps of a recorded program" "as it is"
    run "$cohort" report "$scratch/real"
    gzip -c "$scratch/real" >"$scratch/packed"
    plain=$(echo "$out" | tail -n +2)
    run "$cohort" report "$scratch/packed"
    is "$(echo "$out" | tail -n +2)" "$plain" "a trace that was gzipped by others has the same report, whatever its name"
    head -c 60000 "$scratch/packed" >"$scratch/cut.gz"
    run "$cohort" report "$scratch/cut.gz"
    is "$code" 0 "one that is cut is that of a program that was killed"
    printf 'sum' | dd of="$scratch/packed" bs=1 seek=$(($(wc -c <"$scratch/packed") - 8)) conv=notrunc 2>/dev/null
    refused 1 "$scratch/packed: it cannot be read to its end; if it is gzipped, it is damaged" "$scratch/packed"
    printf '\037\213' >"$scratch/short.gz"
    refused 1 "no device has done anything in it" "$scratch/short.gz"
fi
tap_done
