/* SPDX-License-Identifier: BSD-3-Clause */
/* The loops with the instructions of AVX-512 as Ice Lake and Zen 4 have them, on vectors of 32
 * bytes: what gains here are masks, one instruction that makes a NaN canonical, and more registers.
 *
 * Cores of Intel's servers lower their clock for vectors of 64 bytes, for all that runs on them
 * until 0.7 ms after the last one: on an Emerald Rapids a training step whose sums of 136 bytes had
 * them took 5 to 7 % longer in all its bodies. Sums of 64 KiB and more were no faster there, those
 * in the first cache were (273 GB/s, and 223 with these). Other processors pay less, and lose that
 * much. Source: Downs, Gathering Intel on Intel AVX-512 Transitions, and Ice Lake AVX-512
 * Downclocking, 2020. */
#include "config.h"

#include "runtime/arithmetic/arithmetic.h"

#ifdef COHORT_ARITHMETIC_HAS_AVX512
#define LOOPS cohort_arithmetic_avx512
/* clang has no word for the width, but prefers 32 bytes for that processor. */
#ifdef __clang__
#define TARGET                                                                                     \
    __attribute__((                                                                                \
        target("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi2,f16c,tune=icelake-server")))
#else
#define TARGET                                                                                     \
    __attribute__((                                                                                \
        target("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi2,f16c,prefer-vector-width=256")))
#endif
#define PRODUCT_TARGET __attribute__((target("avx2,f16c")))
#define HAS_HALF_LANES
#define HAS_SQUARES
#define HAS_FIXUP
#include "runtime/arithmetic/arithmetic_loops.h"
#endif
