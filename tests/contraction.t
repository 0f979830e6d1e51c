#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Bodies compiled with what pkg-config gives have the bits of a product and a sum, whatever the machine can fuse.
. "${srcdir:-.}/tests/tap.sh"
has_equal_bits || skip_all 'FLT_EVAL_METHOD is not 0, and equal bits are not promised'
scratch contraction

cat >"$scratch/body.c" <<'END'
#include <cohort/function.h>
#include <stdio.h>

COHORT_ITEMS(items, i, n, (int64_t n, float a, const float *x COHORT_SHAPE(n), float *y COHORT_SHAPE(n)),
             { y[i] = a * x[i] + y[i]; });
COHORT_FUNCTION(loop, (int64_t n, float a, const float *x COHORT_SHAPE(n), float *y COHORT_SHAPE(n)), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = a * x[i] + y[i];
}

int main(int n, char **arguments)
{
    float x[16], y[16], z[16], a = 1 + 0x1p-12f * (float)n;
    for (int i = 0; i < 16; i++)
        x[i] = a, y[i] = z[i] = -(1 + 0x1p-11f);
    items_host(0, 16, 16, a, x, y);
    loop_host(16, a, x, z);
    (void)arguments, (void)items, (void)loop;
    for (int i = 0; i < 16; i++)
        if (y[i] != y[0] || z[i] != y[0])
            return 1;
    printf("%a\n", (double)y[0]); /* 0; fused 0x1p-24 */
    return 0;
}
END
cp "$scratch/body.c" "$scratch/body.cc"
: >"$scratch/empty.c"
# The Cflags of the build's cohort.pc, without the folder where the headers will be.
given=$(sed -n 's/^Cflags:.*includedir} *//p' "$builddir/cohort.pc")

# bits COMPILER SOURCE OPTION...: what the program prints, "" where it does not compile or run
bits() {
    compiler=$1
    source=$2
    shift 2
    # shellcheck disable=SC2086 # $CC may have options
    $compiler -O2 -I"$srcdir/include" "$@" "$scratch/$source" -o "$scratch/body" 2>"$scratch/errors" &&
        "$scratch/body" 2>/dev/null
}

# check COMPILER SOURCE STANDARD: with every instruction of this machine
check() {
    command -v "${1%% *}" >/dev/null 2>&1 || return
    fused=
    for machine in -march=native -mcpu=native -mfma; do
        [ "$(bits "$1" "$2" "-std=$3" "$machine" -ffp-contract=fast)" != 0x1p-24 ] || fused=$machine
    done
    if [ -z "$fused" ]; then
        skip "$1 -std=$3" 'nothing is fused here'
        return
    fi
    # shellcheck disable=SC2086 # flags are a list
    is "$(bits "$1" "$2" "-std=$3" "$fused" $given)" 0x0p+0 "$1 -std=$3 $fused with the flags of cohort.pc fuses nothing"
    # shellcheck disable=SC2086
    if $1 -Werror $given -E "$scratch/empty.c" >/dev/null 2>&1; then
        is "$(bits "$1" "$2" "-std=$3" -Wall -Wno-unused -Werror $given)" 0x0p+0 "nor without $fused, and is silent"
    else
        skip "nor without $fused, and is silent" "$1 does not know $given"
    fi
    case $($1 --version) in
    *clang*) is "$(bits "$1" "$2" "-std=$3" "$fused")" 0x0p+0 "nor does clang without them" ;;
    esac
}

check "${CC:-cc}" body.c gnu11
check "${CC:-cc}" body.c c11
check clang body.c gnu11
[ "${CXX:-c++}" = no ] || check "${CXX:-c++}" body.cc gnu++17
check clang++ body.cc gnu++17
tap_done
