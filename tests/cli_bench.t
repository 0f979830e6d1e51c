#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# cohort bench: what it refuses, the shape of what it prints, and that wrong results are seen. Nothing here looks at a time.
. "${srcdir:-.}/tests/tap.sh"
cohort=$builddir/cli/cohort
scratch cli_bench
find_python

# refused CODE TEXT ARGUMENT...
refused() {
    refused_code=$1 refused_text=$2
    shift 2
    run "$cohort" bench "$@"
    is "$code" "$refused_code" "bench $*: exit code $refused_code"
    has "$out" "$refused_text" "... and why"
}
refused 2 "did you mean 'cohort bench launch'?" lanch
refused 2 "there is no 'nonsense'" nonsense
refused 2 "unexpected 'copy'" launch copy
refused 2 "did you mean --seconds?" --sekonds 1
refused 2 "--from and --to are for one kind" --from 64
for size in 0 -1 '' 1.5 4Q K 1025G 99999999999999999999999999; do
    refused 2 "--to $size: expected a size from 1 to 1024G" copy --to "$size"
done
refused 2 "--from 8192 is more than --to 4096" copy --from 8K --to 4K
for seconds in 0 -1 nan inf 3601 ten; do
    refused 2 "--seconds $seconds: expected seconds from 0.001 to 3600" --seconds "$seconds"
done
for kind in launch copy reduce gemm; do
    refused 1 "GiB are more than half of" "$kind" --devices host --to 1024G
    has "$out" "fix: name the kind, with a smaller --to" "... and what to do"
done
refused 3 "no device 'host:99'" --devices host:99
refused 1 "$scratch/none/x.svg: No such file" --svg "$scratch/none/x.svg"
refused 1 "$scratch: Is a directory" --svg "$scratch"
refused 1 "No such file" --svg ''
run sh -c '"$1" bench copy --devices host --to 4K --seconds 0.01 >/dev/full' sh "$cohort"
[ ! -c /dev/full ] || is "$code" 1 "results that cannot be written are a failure"

# ------------------------------------------------------------------ what is printed

run "$cohort" bench launch --devices host/2 --to 16 --seconds 0.02
is "$code" 0 "launches are measured"
has "$out" "cohort $("$cohort" --version | cut -d' ' -f2) on host:0.0 host:0.1" "with version and devices"
has "$out" "launch, 2 replicas; limit: fork and join of a thread for each device" "and what the limit is"
is "$(printf '%s\n' "$out" | grep -Ec '^  (empty, a wait each|empty, one wait|task, (1 item|4 items|16 items)) +[0-9.]+ +[0-9.]+ +[0-9.]+ +[0-9.]+ +[0-9]+ %  #*$')" \
    5 "each row has median, best, 95 %, limit and a bar"
is "$(printf '%s\n' "$out" | grep -c '^  METG(50 %): ')" 1 "and there is one METG"
run "$cohort" bench launch --devices host --to 1 --seconds 0.01
has "$out" "launch, 1 replica; limit: a plain call" "the limit of one device is a call"
run "$cohort" bench copy --devices host/2 --from 4K --to 32K --seconds 0.02
is "$(printf '%s\n' "$out" | sed -n 's/^  \(.* the devices, [0-9]* KiB\) .*/\1/p' | paste -sd';')" \
    "to the devices, 4 KiB;from the devices, 4 KiB;to the devices, 32 KiB;from the devices, 32 KiB" "copies have a row for each size and way"
run "$cohort" bench copy --devices host --to 1 --seconds 0.01
has "$out" "from the devices, 1 B" "a byte is copied"
run "$cohort" bench reduce --devices host --to 4096 --seconds 0.01
has "$out" "reduce, 2 replicas" "one device has two replicas to add"
run "$cohort" bench reduce --devices host/7 --from 1 --to 20000 --seconds 0.02
is "$code" 0 "the sums of seven replicas have the bits of a loop, in each size"
run "$cohort" bench gemm --devices host/3 --from 1 --to 40 --seconds 0.02
is "$code" 0 "so have products, whose columns need not be a multiple of eight"
has "$out" "product, 32 x 32" "and each size has a row"

# ------------------------------------------------------------------ JSON and the picture

"$cohort" bench --devices host/2 --seconds 0.02 --json --svg "$scratch/all.svg" >"$scratch/json"
is "$?" 0 "all kinds are measured"
keys="devices devices[].id devices[].name devices[].plugin metg metg.is_bound metg.seconds results results[].bench results[].cohort"
for side in cohort limit; do
    [ $side = cohort ] || keys="$keys results[].efficiency results[].limit"
    keys="$keys results[].$side.median results[].$side.min results[].$side.p95 results[].$side.turns"
done
keys="$keys results[].limit_is results[].not_offered results[].replicas results[].size results[].size_unit results[].what"
keys="$keys results[].work results[].work_unit schema seconds version"
json_has_keys "$scratch/json" "$keys" "--json has its keys"
cat >"$scratch/look.py" <<'END'
import json
import sys

results = json.load(open(sys.argv[1], encoding="utf-8"))["results"]
for kind in "launch", "copy", "reduce", "gemm":
    assert any(r["bench"] == kind for r in results), kind
for r in results:
    for times in r["cohort"], r["limit"]:
        turns = times["turns"]
        assert turns == sorted(turns) and turns[0] > 0, r
        assert times["min"] == turns[0] and times["median"] == turns[len(turns) // 2], r
        assert times["median"] <= times["p95"] <= turns[-1], r
    assert len(r["cohort"]["turns"]) >= 3, r
    assert abs(r["efficiency"] * r["cohort"]["median"] / r["limit"]["median"] - 1) < 1e-9, r
    assert r["not_offered"] is None, r
END
if [ -n "$python" ]; then
    run "$python" "$scratch/look.py" "$scratch/json"
    is "$code: $out" "0: " "medians, minima and efficiencies are those of its turns"
    run "$python" -c 'import sys, xml.etree.ElementTree as e; e.parse(sys.argv[1])' "$scratch/all.svg"
    is "$code: $out" "0: " "the picture is well-formed"
else
    skip "medians, minima and efficiencies are those of its turns" 'no python3'
    skip "the picture is well-formed" 'no python3'
fi
for text in "launch: efficiency in percent" "copy: GB/s" "reduce: GB/s" "gemm: GFLOP/s" "prefers-color-scheme: dark"; do
    has "$(cat "$scratch/all.svg")" "$text" "it has '$text'"
done

# ------------------------------------------------------------------ faults

# A library whose calls answer what the environment says, or read a wrong bit.
cat >"$scratch/wrong.c" <<'END'
#define _GNU_SOURCE
#include <cohort/cohort.h>
#include <dlfcn.h>
#include <stdlib.h>
cohort_status cohort_reduce_argument(cohort_reduce_op op, cohort_argument x, int axis, cohort_value *into)
{
    cohort_status (*reduce)(cohort_reduce_op, cohort_argument, int, cohort_value *);
    *(void **)&reduce = dlsym(RTLD_NEXT, "cohort_reduce_argument");
    return getenv("ANSWER") != NULL ? (cohort_status)atoi(getenv("ANSWER")) : reduce(op, x, axis, into);
}
cohort_status cohort_value_read(cohort_value *v, cohort_array into)
{
    cohort_status (*read)(cohort_value *, cohort_array);
    *(void **)&read = dlsym(RTLD_NEXT, "cohort_value_read");
    cohort_status status = read(v, into);
    if (getenv("SPOIL") != NULL)
        *(unsigned char *)into.data ^= 1;
    return status;
}
cohort_status cohort_variable_read(cohort_variable *v, cohort_array into)
{
    cohort_status (*read)(cohort_variable *, cohort_array);
    *(void **)&read = dlsym(RTLD_NEXT, "cohort_variable_read");
    cohort_status status = read(v, into);
    if (getenv("SPOIL") != NULL)
        *(unsigned char *)into.data ^= 1;
    return status;
}
END
cat >"$scratch/codes.c" <<'END'
#include <cohort/codes.h>
#include <stdio.h>
int main(void) { return printf("%d %d\n", COHORT_EINCOMPATIBLE, COHORT_EINVAL) < 0; }
END
# shellcheck disable=SC2086
if grep -q fsanitize "$builddir/config.status"; then
    skip "what a device does not offer is said" "sanitizers come before all libraries"
elif ${CC:-cc} -shared -fPIC -I"$srcdir/include" "$scratch/wrong.c" -o "$scratch/wrong.so" -ldl 2>"$scratch/log" &&
    ${CC:-cc} -I"$srcdir/include" "$scratch/codes.c" -o "$scratch/codes" 2>>"$scratch/log"; then
    read -r incompatible invalid <<END
$("$scratch/codes")
END
    set -- bench reduce --devices host --from 4K --to 32K --seconds 0.01
    run env LD_PRELOAD="$scratch/wrong.so" ANSWER="$incompatible" "$cohort" "$@"
    is "$code" 0 "what a device does not offer is no failure"
    is "$(printf '%s\n' "$out" | grep -Ec '^  sum, (4|32) KiB +not offered: .')" 2 "and is said with the reason in each row"
    run env LD_PRELOAD="$scratch/wrong.so" ANSWER="$incompatible" "$cohort" "$@" --json
    has "$out" '"cohort": null' "in JSON it is null"
    run env LD_PRELOAD="$scratch/wrong.so" ANSWER="$invalid" "$cohort" "$@"
    is "$code" 1 "any other error is a failure"
    run env LD_PRELOAD="$scratch/wrong.so" SPOIL=1 "$cohort" "$@"
    is "$code: $out" "1: cohort: bench reduce: the sum has other bits than that of a loop" "a bit that is wrong is seen"
    run env LD_PRELOAD="$scratch/wrong.so" SPOIL=1 "$cohort" bench copy --devices host --to 4K --seconds 0.01
    has "$out" "bench copy: other bytes come back than went there" "in copies, too"
    run env LD_PRELOAD="$scratch/wrong.so" SPOIL=1 "$cohort" bench gemm --devices host --to 8 --seconds 0.01
    has "$out" "bench gemm: a row of the product is wrong" "and in products"
else
    skip "what a device does not offer is said" "no shared library can be made: $(head -n 1 "$scratch/log")"
fi

# Minutes before it would be done; SIGINT may be ignored where tests run in the background.
run timeout -k 60 1 "$cohort" bench copy --devices host --seconds 600
is "$code" 124 "a signal ends it at once"
tap_done
