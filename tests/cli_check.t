#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# cohort check: that it passes here, and that it sees one bit that is wrong.
. "${srcdir:-.}/tests/tap.sh"
has_equal_bits || skip_all 'floats have more than their bits between two operations here'
cohort=$builddir/cli/cohort
scratch cli_check
find_python

run "$cohort" check --devices
is "$code" 2 "--devices wants a list"
run "$cohort" check word
is "$code" 2 "a word is wrong usage"
run "$cohort" check --devices host:99
is "$code" 3 "a device that is none is no device"
has "$out" "no device 'host:99'" "and is named"
run "$cohort" check --devices ''
is "$code" 3 "so is none at all"
run env COHORT_PLUGINS=none "$cohort" check
is "$code" 3 "and a machine without any"
has "$out" "fix: cohort doctor says why" "with where to look"
run sh -c '"$1" check --devices host >/dev/full' sh "$cohort"
[ ! -c /dev/full ] || is "$code" 1 "results that cannot be written are a failure"

"$cohort" check >"$scratch/all" 2>"$scratch/log"
is "$?" 0 "all devices of this machine pass"
grep '^not ok' -A1 "$scratch/all" | sed 's/^/# /'
plan=$(sed -n 's/^1\.\.//p' "$scratch/all")
is "$(grep -c '^ok' "$scratch/all")" "$plan" "with as many results as the plan says"
run "$cohort" check --devices host/2,host:0
is "$code" 3 "a device that is there twice is refused"
"$cohort" check --devices host/3 >"$scratch/three" 2>&1
is "$?" 0 "a host cut into three passes"
for dtype in bool int8 uint8 int16 uint16 int32 uint32 int64 uint64 float16 bfloat16 float32 float64 complex64 complex128 float8_e4m3fn float8_e5m2; do
    grep -q "^ok .*: ... *of $dtype over 5 replicas" "$scratch/three" || echo "$dtype"
done >"$scratch/absent"
is "$(cat "$scratch/absent")" "" "it adds every dtype"
for placement in mirrored central one-device round-robin sharded; do
    grep -q "^ok .*a variable placed $placement is updated" "$scratch/three" || echo "$placement"
done >"$scratch/absent"
is "$(cat "$scratch/absent")" "" "and places a variable in each way"

# loopback is a CPU of another plugin than host, as PoCL is.
run env COHORT_PLUGIN_PATH="$builddir/host/.libs:$builddir/plugins/.libs" "$cohort" check --devices host,loopback:0
is "$code" 0 "two CPUs pass together"
is "$(echo "$out" | grep -c 'shares its cores')" 1 "and that they share their cores is said once"

"$cohort" check --devices host --json >"$scratch/json"
is "$?" 0 "--json passes, too"
json_has_keys "$scratch/json" "ok schema tests tests[].reason tests[].result tests[].test" "with its keys"

# One bit of what is read is wrong.
cat >"$scratch/wrong.c" <<'END'
#define _GNU_SOURCE
#include <cohort/cohort.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
static cohort_status spoil(const char *name, void *from, cohort_array into)
{
    static int calls;
    cohort_status (*read)(void *, cohort_array);
    *(void **)&read = dlsym(RTLD_NEXT, name);
    cohort_status status = read(from, into);
    if (strcmp(name, getenv("SPOIL")) == 0 && calls++ == atoi(getenv("SPOIL_CALL")))
        *(unsigned char *)into.data ^= 1;
    return status;
}
cohort_status cohort_value_read(cohort_value *v, cohort_array into) { return spoil("cohort_value_read", v, into); }
cohort_status cohort_variable_read(cohort_variable *v, cohort_array into) { return spoil("cohort_variable_read", v, into); }
END
# spoiled FUNCTION CALL TEST: the call of that number reads a wrong bit, which this test finds.
spoiled() {
    run env LD_PRELOAD="$scratch/wrong.so" SPOIL="$1" SPOIL_CALL="$2" "$cohort" check --devices host
    is "$code" 1 "a bit that is wrong fails: $3"
    is "$(printf '%s\n' "$out" | sed -n 's/^not ok [0-9]* - //p')" "host: $3" "and this test alone"
}
# shellcheck disable=SC2086
if grep -q fsanitize "$builddir/config.status"; then
    skip "a bit that is wrong fails" "sanitizers come before all libraries"
elif ${CC:-cc} -shared -fPIC -I"$srcdir/include" "$scratch/wrong.c" -o "$scratch/wrong.so" -ldl 2>"$scratch/log"; then
    spoiled cohort_value_read 0 "saxpy"
    spoiled cohort_value_read 1 "max of bool over 5 replicas"
    spoiled cohort_value_read 15 "sum of complex128 over 5 replicas"
    spoiled cohort_variable_read 2 "a variable placed one-device is updated"
    spoiled cohort_variable_read 6 "the same training, its step recorded, has the same bits"
else
    skip "a bit that is wrong fails" "no shared library can be made: $(head -n 1 "$scratch/log")"
fi
tap_done
