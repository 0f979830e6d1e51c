#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A third party's placement policy: tests/policy/balanced.c, built from the installed headers alone.
. "${srcdir:-.}/tests/tap.sh"
if ldd "$builddir/.libs/libcohort.so" 2>/dev/null | grep -q 'lib[a-z]*san\.'; then
    skip_all "the library has sanitizers in it, which a program of others has not"
fi
scratch policy

make -s -C "$builddir" install-cohortincludeHEADERS "cohortincludedir=$scratch/include/cohort" >/dev/null 2>&1
# shellcheck disable=SC2086 # flags are lists
out=$($CC $CFLAGS -std=c11 -Wall -Wextra -Wpedantic -I"$scratch/include" "$srcdir/tests/policy/balanced.c" $LDFLAGS \
    -L"$builddir/.libs" -Wl,-rpath,"$builddir/.libs" -lcohort -o "$scratch/balanced" 2>&1)
ok "$?" "the program builds from the installed headers alone"
is "$out" "" "... without a warning"

run "$scratch/balanced" host/3
is "$code" 0 "it runs"
is "$(printf '%s\n' "$out" | head -n 5 | tr '\n' ' ')" "a on 0 b on 1 c on 2 d on 1 e on 2 " \
    "every variable goes to the device with the fewest bytes"
has "$out" "sum 230" "and is updated where it lives"
has "$out" "placement balanced" "the strategy says whose placement it has"
run "$scratch/balanced" host
has "$out" "e on 0" "one device holds all"
tap_done
