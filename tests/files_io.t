#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Reading files on a machine that fails: an error of the disk, a file that ends too early, a signal. strace injects them.
. "${srcdir:-.}/tests/tap.sh"
cohort=$builddir/cli/cohort
command -v strace >/dev/null || skip_all "no strace"
strace -o /dev/null true 2>/dev/null || skip_all "no ptrace here"
strace -f -o /dev/null "$cohort" version >/dev/null 2>&1 || skip_all "the command cannot be traced: is it sanitized?"
scratch files_io

# read_all FILE [WHAT]: all of it, with this injected into reads of this file.
read_all() {
    inject=
    [ $# = 1 ] || inject="-e inject=pread64:$2"
    # shellcheck disable=SC2086 # two words, or none
    run strace -f -o "$scratch/trace" -P "$1" -e trace=pread64 $inject "$cohort" data --check "$1"
}

# Each read, and all after it, fails in this way: FILE READS INJECTION WORDS.
fails_everywhere() {
    at=1
    bad=
    while [ "$at" -le "$2" ]; do
        read_all "$1" "$3:when=$at+"
        case $code,$out in
        1,*"${1##*/}"*"$4"*) ;;
        *) bad="$bad read $at: $code, $out" ;;
        esac
        at=$((at + 1))
    done
    is "$bad" "" "${1##*/}: $3 at any of $2 reads is an error that names the file"
}

printf 'a,b\n1,2\n3,4\n' >"$scratch/rows.csv"
printf 'one\ntwo\n' >"$scratch/lines.txt"
cp "$srcdir/tests/data/npy/stored.npz" "$srcdir/tests/data/npy/f4-big-C.npy" "$scratch"
for name in rows.csv lines.txt stored.npz f4-big-C.npy; do
    file=$scratch/$name
    read_all "$file"
    good=$out
    reads=$(grep -c pread64 "$scratch/trace")
    ok "$((code + (reads == 0)))" "$name is read, in $reads calls"
    fails_everywhere "$file" "$reads" error=EIO "Input/output error"
    fails_everywhere "$file" "$reads" retval=0 "ends at byte"
    read_all "$file" "error=EINTR:when=1+2"
    is "$code,$out" "0,$good" "$name: a signal is not noticed"
done
tap_done
