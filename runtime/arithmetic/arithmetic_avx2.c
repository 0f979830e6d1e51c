/* SPDX-License-Identifier: BSD-3-Clause */
/* The loops in AVX2 and F16C, for machines that have both. Without FMA, which would round once
 * where the plain loops round twice: bits would depend on the machine. */
#include "config.h"

#include "runtime/arithmetic/arithmetic.h"

#ifdef COHORT_ARITHMETIC_HAS_AVX2
#define LOOPS cohort_arithmetic_avx2
#define TARGET __attribute__((target("avx2,f16c")))
#define HAS_HALF_LANES
#define HAS_SQUARES
#include "runtime/arithmetic/arithmetic_loops.h"
#endif
