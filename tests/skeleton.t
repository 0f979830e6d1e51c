#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A third party's plugin: plugins/skeleton/skeleton.c, built from the installed headers alone, is found and trains the demo.
. "${srcdir:-.}/tests/tap.sh"
scratch skeleton
cohort=$builddir/cohort
host_plugins=$COHORT_PLUGIN_PATH

lines=$(wc -l <"$srcdir/plugins/skeleton/skeleton.c")
[ "$lines" -le 150 ]
ok "$?" "the plugin has at most 150 lines ($lines)"

make -s -C "$builddir" install-cohortincludeHEADERS "cohortincludedir=$scratch/include/cohort" >/dev/null 2>&1
# shellcheck disable=SC2086 # flags are lists
out=$($CC $CFLAGS -std=c11 -Wall -Wextra -Wpedantic -fPIC -shared -fvisibility=hidden -I"$scratch/include" \
    "$srcdir/plugins/skeleton/skeleton.c" $LDFLAGS -Wl,-z,now,-z,nodelete -o "$scratch/cohort-skeleton.so" 2>&1)
ok "$?" "the plugin builds from the installed headers alone"
is "$out" "" "... without a warning"
if command -v nm >/dev/null 2>&1; then
    is "$(nm -D --defined-only "$scratch/cohort-skeleton.so" | awk '/ [TBDR] / { print $3 }' | grep -v '^_')" \
        cohort_plugin_entry_0 "it exports one symbol"
else
    skip "it exports one symbol" "no nm"
fi

digest_on() {
    "$cohort" demo --devices "$1" --replicas 4 --epochs 2 --seed 7 --json --output-dir "$scratch" |
        sed -n 's/.*"digest": *"\([0-9a-f]*\)".*/\1/p' | head -n 1
}

export COHORT_PLUGIN_PATH="$scratch:$host_plugins"
has "$("$cohort" devices)" "skeleton:0" "it is found through COHORT_PLUGIN_PATH"
host=$(digest_on host)
is "${#host}" 16 "the host trains to a digest"
is "$(digest_on skeleton)" "$host" "skeleton:0 trains the demo to the same digest"
is "$(digest_on skeleton,host/2)" "$host" "... and together with the host"
run "$cohort" demo --epochs 1 --json --output-dir "$scratch"
has "$out" '"skeleton:0"' "an accelerator is the default device"
tap_done
