/* SPDX-License-Identifier: BSD-3-Clause */
/* The loops in AVX-512, for machines that have it in the form that came with Ice Lake and Zen 4. Its first
 * processors lower their clock for vectors of 64 bytes, and with it all that runs beside.
 * Source: Downs, Gathering Intel on Intel AVX-512 Transitions, and Ice Lake AVX-512 Downclocking, 2020. */
#include "config.h"

#include "runtime/arithmetic/arithmetic.h"

#ifdef COHORT_ARITHMETIC_HAS_AVX512
#define LOOPS cohort_arithmetic_avx512
/* gcc takes vectors of 32 bytes where nobody says otherwise, and clang has no such word. */
#ifdef __clang__
#define TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi2,f16c")))
#else
#define TARGET                                                                                     \
    __attribute__((                                                                                \
        target("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi2,f16c,prefer-vector-width=512")))
#endif
#define PRODUCT_TARGET __attribute__((target("avx2,f16c")))
#define HAS_HALF_LANES
#define HAS_SQUARES
#define HAS_WIDE_HALF_LANES
#include "runtime/arithmetic/arithmetic_loops.h"
#endif
