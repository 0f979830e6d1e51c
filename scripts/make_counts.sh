#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Count the instructions of one call of each case of tests/counted.c, with callgrind, and print the table that
# tests/counts.t compares: make -C build tests/counted; scripts/make_counts.sh build > tests/data/counts.txt
#
# usage: make_counts.sh [--machine] BUILD_FOLDER
# --machine: only the line that says on what the numbers depend: processor, compiler and flags, and the libraries whose
# code is counted too. Callgrind's processor has AVX2 at most, so a newer one counts the same.
set -eu

machine_only=no
[ "$1" != --machine ] || { machine_only=yes && shift; }
build=$(cd "$1" && pwd)

made_with() {
    sed -n "s/^$1 = //p" "$build/Makefile" | head -n 1
}

machine() {
    vectors=
    ! grep -qw avx2 /proc/cpuinfo 2>/dev/null || vectors=' avx2'
    compiler=$($(made_with CC) --version | head -n 1 | sed 's/ (.*)//')
    flags=$(printf ' %s %s' "$(made_with CFLAGS)" "$(made_with HARDEN_CFLAGS)" | tr -s ' ' '\n' | sort -u | paste -sd' ' -)
    assertions=no
    ! grep -q '^#define COHORT_ASSERTIONS' "$build/config.h" || assertions=yes
    echo "$(uname -m)$vectors, $compiler$flags, assertions $assertions, $(getconf GNU_LIBC_VERSION), libffi" \
        "$(pkg-config --modversion libffi 2>/dev/null || echo unknown), $(valgrind --version)"
}

# Callgrind writes a file each time that the function `counted` ends: FILE.1, FILE.2, ...
count() {
    COHORT_PLUGIN_PATH=$build/host/.libs valgrind --tool=callgrind --collect-atstart=no --toggle-collect=counted \
        --dump-after=counted --callgrind-out-file="$1/out" "$build/tests/counted" >"$1/cases" 2>"$1/log" ||
        { cat "$1/log" >&2 && return 1; }
    n=0
    while read -r name calls; do
        n=$((n + 1))
        echo "$name $(($(sed -n 's/^totals: //p' "$1/out.$n") / calls))"
    done <"$1/cases"
}

if [ "$machine_only" = yes ]; then
    machine
    exit
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
echo "# Instructions of one call and a wait, on one device that the caller runs: what tests/counted.c calls."
echo "# scripts/make_counts.sh BUILD_FOLDER writes this table."
echo "machine: $(machine)"
count "$folder"
