/* SPDX-License-Identifier: BSD-3-Clause */
/* Hand-written sums of two or four arrays, as fast as the machine has them: compiled for several
 * instruction sets where the compiler can do so, and in a region of two threads or on the caller
 * alone. The tree over four is (a + b) + (c + d). */
#ifndef COHORT_BENCH_SUMS_H
#define COHORT_BENCH_SUMS_H

#include <stdbool.h>
#include <stdint.h>

#if defined __x86_64__ && defined __GNUC__ && !defined __clang__ && defined __OPTIMIZE__
#define SUMS_FAST __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define SUMS_FAST
#endif

enum { SUMS_MOST = 4, SUMS_THREADS = 2 };

typedef enum sums_dtype { SUMS_F32, SUMS_F64, SUMS_I32 } sums_dtype;

/* n elements of x[0 .. parts), which is 2 or 4. into: of one result; NULL: in place, every part
 * becomes the sum. alone: the caller does all. */
void sums_add(sums_dtype dtype, int parts, void *const x[], void *into, int64_t n, bool alone);

/* n numbers from 0 to 1, other ones in each call; for free. */
float *sums_random(int64_t n);

#endif
