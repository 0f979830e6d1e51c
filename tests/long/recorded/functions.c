/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of real arithmetic, which tell one order of operations from another; those of
 * programs/dtypes.c do not. */
#include "config.h"

#include "tests/long/recorded/recorded.h"

/* x * a + k of T. Integers wrap as unsigned ones do. */
static inline float by_f32(float x, double a, int64_t k)
{
    return x * (float)a + (float)k;
}

static inline double by_f64(double x, double a, int64_t k)
{
    return x * a + (double)k;
}

static inline int32_t by_i32(int32_t x, double a, int64_t k)
{
    (void)a;
    return (int32_t)((uint32_t)x * 3U + (uint32_t)k);
}

COHORT_FUNCTION(scale_f32,
                (int64_t n, double a, int64_t k, const float x[n], COHORT_OUT float y[n]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = by_f32(x[i], a, k);
}

COHORT_FUNCTION(scale_f64,
                (int64_t n, double a, int64_t k, const double x[n], COHORT_OUT double y[n]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = by_f64(x[i], a, k);
}

COHORT_FUNCTION(scale_i32,
                (int64_t n, double a, int64_t k, const int32_t x[n], COHORT_OUT int32_t y[n]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = by_i32(x[i], a, k);
}

COHORT_FUNCTION(pair_f32,
                (int64_t n, const float a[n], const float b[n], COHORT_OUT float y[n],
                 COHORT_OUT double z[n]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = a[i] * 0.75F - b[i], z[i] = (double)(a[i] + b[i]);
}

COHORT_FUNCTION(pair_f64,
                (int64_t n, const double a[n], const double b[n], COHORT_OUT double y[n],
                 COHORT_OUT float z[n]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = a[i] * 0.75 - b[i], z[i] = (float)(a[i] + b[i]);
}

COHORT_FUNCTION(pair_i32,
                (int64_t n, const int32_t a[n], const int32_t b[n], COHORT_OUT int32_t y[n],
                 COHORT_OUT float z[n]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = by_i32(a[i], 0, b[i]), z[i] = (float)a[i] / 7;
}

/* Not associative: the tree shows. */
#define FOLD(T, NAME, expression)                                                                  \
    COHORT_FUNCTION(fold_##NAME, (int64_t n, const T in[n], T inout[n]), COHORT_HOST_ONLY)         \
    {                                                                                              \
        for (int64_t i = 0; i < n; i++)                                                            \
            inout[i] = (expression);                                                               \
    }

FOLD(float, f32, in[i] * 0.5F + inout[i])
FOLD(double, f64, in[i] * 0.5 + inout[i])
FOLD(int32_t, i32, by_i32(in[i], 0, inout[i]))

#define MARK(T, NAME)                                                                              \
    COHORT_FUNCTION(mark_##NAME, (int64_t n, double a, int64_t k, T w[n]), COHORT_HOST_ONLY)       \
    {                                                                                              \
        for (int64_t i = 0; i < n; i++)                                                            \
            w[i] = by_##NAME(w[i], a, k + i);                                                      \
    }

MARK(float, f32)
MARK(double, f64)
MARK(int32_t, i32)

#define TOTAL(T, NAME)                                                                             \
    COHORT_FUNCTION_RETURNING(double, total_##NAME, (int64_t n, const T x[n]), COHORT_HOST_ONLY)   \
    {                                                                                              \
        double sum = 0;                                                                            \
        for (int64_t i = 0; i < n; i++)                                                            \
            sum += (double)x[i] / 3;                                                               \
        return sum;                                                                                \
    }

TOTAL(float, f32)
TOTAL(double, f64)
TOTAL(int32_t, i32)

COHORT_FUNCTION(pair_of_rows,
                (int64_t n, int64_t d, const double x[n][d], COHORT_OUT double y[n],
                 COHORT_OUT double z[d]),
                COHORT_HOST_ONLY)
{
    for (int64_t j = 0; j < d; j++)
        z[j] = 0;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < d; j++)
            y[i] = j > 0 ? y[i] + x[i][j] / 3 : x[i][j], z[j] += x[i][j];
}

#define ALL(name)                                                                                  \
    {                                                                                              \
        name##_f32, name##_f64, name##_i32                                                         \
    }
static const cohort_function *const scale[DTYPES] = ALL(scale), *const pair[DTYPES] = ALL(pair),
                                    *const fold[DTYPES] = ALL(fold),
                                    *const mark[DTYPES] = ALL(mark);
const cohort_function *const totals[DTYPES] = ALL(total), *const rows_of_two[1] = { pair_of_rows };

const functions of_loops = { twice, shift, blend, grow,   mix,        scale,
                             pair,  fold,  mark,  totals, rows_of_two };
