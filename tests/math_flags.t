#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# cohort/math.h and cohort/random.h with flags that change arithmetic: with the x87 their bits are the same, and what no
# header can mend is an error of the compiler.
. "${srcdir:-.}/tests/tap.sh"
scratch math_flags
cd "$scratch" || exit 1
cat >numbers.c <<'END'
#include <cohort/math_double.h> /* a part first, which its head is to reach as well */
#include <cohort/random.h>
#include <stdio.h>

int main(void)
{
    for (int i = 1; i < 400; i++) {
        volatile float x = (float)i * 0.0625f - 9.0f;
        volatile double d = i * 0.0625 - 9.0;
        cohort_random r = cohort_random_at(7, 1, 0, (uint64_t)i);
        printf("%a %a %a %a %a %a ", cohort_expf(x), cohort_logf(x), cohort_sinf(x), cohort_erff(x), cohort_powf(x * x, x),
               cohort_cbrtf(x));
        printf("%a %a %a %a %a %a ", cohort_exp(d), cohort_log(d), cohort_sin(d), cohort_erf(d), cohort_pow(d * d, d),
               cohort_cbrt(d));
        printf("%a ", cohort_random_normal(&r));
        printf("%a\n", (double)cohort_random_normalf(&r));
    }
    return 0;
}
END

# gives CLAIM COMPILER OPTION...: the numbers of ./wanted
gives() {
    claim=$1
    shift
    # shellcheck disable=SC2068 # $CC may have options
    if ! $@ -ffp-contract=off -I"$srcdir/include" numbers.c -o numbers -lm 2>errors; then
        skip "$claim" "does not compile: $(sed -n 1p errors)"
        return
    fi
    ./numbers >found 2>&1
    is "$(cksum <found)" "$(cksum <wanted)" "$claim has the same bits"
}

# refuses SENTENCE COMPILER OPTION...
refuses() {
    sentence=$1
    shift
    # shellcheck disable=SC2068
    out=$($@ -fsyntax-only -I"$srcdir/include" numbers.c 2>&1) && out="taken: $out"
    has "$out" "error: " "$*: is refused"
    has "$out" "$sentence" "and says why"
}

rounded="cohort/math.h would give wrong numbers, since FLT_EVAL_METHOD is not 0: compile with "
reordered="cohort/math.h would give wrong numbers, since additions are reordered: compile without "
finite="cohort/math.h would give wrong numbers, since NaN and infinity are taken for impossible: "
refuses "$finite" "${CC:-cc}" -O2 -ffinite-math-only
refuses "$finite" "${CXX:-c++}" -x c++ -ffinite-math-only
refuses "$reordered" "${CC:-cc}" -O2 -ffast-math
refuses "$reordered" "${CXX:-c++}" -x c++ -Ofast
if command -v clang >/dev/null 2>&1; then
    refuses "$reordered" clang -O2 -ffast-math
    refuses "$finite" clang -O2 -ffinite-math-only
    # As clang has it for i386 without SSE2, whose headers are not here.
    refuses "$rounded" clang -Wno-builtin-macro-redefined -U__FLT_EVAL_METHOD__ -D__FLT_EVAL_METHOD__=2
fi

# The reference is computed without optimisation by an SSE2, or whatever this machine has.
sse=
case $(uname -m) in
i?86 | x86_64) sse='-msse2 -mfpmath=sse' ;;
esac
# shellcheck disable=SC2086 # of words
if ! ${CC:-cc} $sse -O0 -ffp-contract=off -I"$srcdir/include" numbers.c -o numbers -lm 2>errors || ! ./numbers >wanted; then
    skip "the bits of other flags" "does not compile: $(sed -n 1p errors)"
    tap_done
fi
is "$(wc -l <wanted | tr -d ' ')" 399 "there are numbers to compare with"
if [ -n "$sse" ]; then
    gives "the x87, GNU C" "${CC:-cc}" -std=gnu11 -O2 -mfpmath=387
    gives "the x87, ISO C" "${CC:-cc}" -std=c11 -O3 -mfpmath=387
    gives "the x87 and SSE together" "${CC:-cc}" -O2 '-mfpmath=sse+387'
    gives "the x87, C++" "${CXX:-c++}" -x c++ -O2 -mfpmath=387
    gives "a program of 32 bits" "${CC:-cc}" -m32 -O2
fi
if command -v clang >/dev/null 2>&1; then
    gives "clang that may reorder" clang -O2 -fassociative-math -fno-signed-zeros -fno-trapping-math
fi
tap_done
