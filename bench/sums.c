/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "bench/sums.h"

#include <omp.h>
#include <stddef.h>
#include <stdlib.h>

/* Elements from begin to end. */
#define DEFINE_SUMS(T, name, ADD)                                                                  \
    SUMS_FAST static void name##_2(T *a, T *b, T *into, int64_t begin, int64_t end)                \
    {                                                                                              \
        if (into != NULL)                                                                          \
            _Pragma("omp simd") for (int64_t i = begin; i < end; i++) into[i] = ADD(a[i], b[i]);   \
        else                                                                                       \
            _Pragma("omp simd") for (int64_t i = begin; i < end; i++) a[i] = b[i] =                \
                ADD(a[i], b[i]);                                                                   \
    }                                                                                              \
    SUMS_FAST static void name##_4(T *a, T *b, T *c, T *d, T *into, int64_t begin, int64_t end)    \
    {                                                                                              \
        if (into != NULL)                                                                          \
            _Pragma("omp simd") for (int64_t i = begin; i < end; i++) into[i] =                    \
                ADD(ADD(a[i], b[i]), ADD(c[i], d[i]));                                             \
        else                                                                                       \
            _Pragma("omp simd") for (int64_t i = begin; i < end; i++) a[i] = b[i] = c[i] = d[i] =  \
                ADD(ADD(a[i], b[i]), ADD(c[i], d[i]));                                             \
    }                                                                                              \
    static void name(int parts, void *const x[], void *into, int64_t begin, int64_t end)           \
    {                                                                                              \
        if (parts == 2)                                                                            \
            name##_2(x[0], x[1], into, begin, end);                                                \
        else                                                                                       \
            name##_4(x[0], x[1], x[2], x[3], into, begin, end);                                    \
    }

#define ADD_REAL(x, y) ((x) + (y))
#define ADD_INT(x, y) ((int32_t)((uint32_t)(x) + (uint32_t)(y))) /* it wraps */

DEFINE_SUMS(float, add_f32, ADD_REAL)
DEFINE_SUMS(double, add_f64, ADD_REAL)
DEFINE_SUMS(int32_t, add_i32, ADD_INT)

void sums_add(sums_dtype dtype, int parts, void *const x[], void *into, int64_t n, bool alone)
{
    static void (*const adders[])(int, void *const[], void *, int64_t,
                                  int64_t) = { add_f32, add_f64, add_i32 };
    if (alone) {
        adders[dtype](parts, x, into, 0, n);
        return;
    }
#pragma omp parallel num_threads(SUMS_THREADS)
    {
        int64_t half = (n / SUMS_THREADS + 15) / 16 * 16; /* whole cache lines */
        half = half < n ? half : n;
        if (omp_get_thread_num() == 0)
            adders[dtype](parts, x, into, 0, half);
        else
            adders[dtype](parts, x, into, half, n);
    }
}

/* ------------------------------------------------------------------ what is added */

/* Knuth's MMIX generator. */
float *sums_random(int64_t n)
{
    static uint64_t random = 1;
    float *x = aligned_alloc(64, ((size_t)n * sizeof *x + 63) / 64 * 64);
    if (x == NULL)
        abort();
    for (int64_t i = 0; i < n; i++) {
        random = random * 6364136223846793005U + 1442695040888963407U;
        x[i] = (float)(uint32_t)(random >> 32) / 4294967296.0f;
    }
    return x;
}
