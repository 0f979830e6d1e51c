#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# cohort/math.h and cohort/random.h give the same bits however they are compiled: the programs hold the digests.
. "${srcdir:-.}/tests/tap.sh"
has_equal_bits || skip_all 'FLT_EVAL_METHOD is not 0, and equal bits are not promised'
scratch math_bits
# The Cflags of the build's cohort.pc, without the folder where the headers will be.
given=$(sed -n 's/^Cflags:.*includedir} *//p' "$builddir/cohort.pc")

# passes COMPILER CLAIM OPTION...
passes() {
    compiler=$1
    claim=$2
    shift 2
    for program in math math_exact math_double random; do
        # shellcheck disable=SC2086 # $CC may have options, and flags are a list
        if ! $compiler -std=c11 $given "$@" -I"$srcdir" -I"$srcdir/include" "$srcdir/tests/$program.c" \
            -o "$scratch/$program" -lm 2>"$scratch/errors"; then
            skip "$program.c, $claim" 'does not compile'
            continue
        fi
        out=$("$scratch/$program" | grep -A 2 '^not ok')
        is "$out" "" "$program.c, $claim"
    done
}

for compiler in "${CC:-cc}" clang; do
    command -v "${compiler%% *}" >/dev/null 2>&1 || continue
    passes "$compiler" "$compiler -O0" -O0
    passes "$compiler" "$compiler -O1" -O1
    passes "$compiler" "$compiler -O3, vector code" -O3 -fopenmp-simd
    passes "$compiler" "$compiler -O3, every instruction of this machine" -O3 -march=native
done
tap_done
