/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of the programs, in each dtype, and numbers in memory. */
#include "config.h"

#include "tests/long/programs/programs.h"

enum { MODULUS = 1000 };

/* 0 for what is no number that a double has exactly, which random steps may come to. */
static inline int64_t as_whole(double x)
{
    return x > -0x1p53 && x < 0x1p53 ? (int64_t)x : 0;
}

/* y = f(x) for each i. In a macro of its own, for COHORT_OUT has to stand in the outermost one. */
#define EACH(n, T, into, expression)                                                               \
    for (int64_t i = 0; i < (n); i++)                                                              \
    (into) = (T)((expression) % MODULUS)

COHORT_FUNCTION(twice_f32, (int64_t n, const float x[n], COHORT_OUT float y[n]), COHORT_HOST_ONLY)
{
    EACH(n, float, y[i], 2 * as_whole((double)x[i]) + 1);
}

COHORT_FUNCTION(twice_f64, (int64_t n, const double x[n], COHORT_OUT double y[n]), COHORT_HOST_ONLY)
{
    EACH(n, double, y[i], 2 * as_whole((double)x[i]) + 1);
}

COHORT_FUNCTION(twice_i32, (int64_t n, const int32_t x[n], COHORT_OUT int32_t y[n]),
                COHORT_HOST_ONLY)
{
    EACH(n, int32_t, y[i], 2 * as_whole((double)x[i]) + 1);
}

COHORT_FUNCTION(blend_f32,
                (int64_t n, int64_t k, const float x[n], const float w[k], COHORT_OUT float y[n]),
                COHORT_HOST_ONLY)
{
    EACH(n, float, y[i], as_whole((double)x[i]) + as_whole(k > 0 ? (double)w[i % k] : 0));
}

COHORT_FUNCTION(blend_f64,
                (int64_t n, int64_t k, const double x[n], const double w[k],
                 COHORT_OUT double y[n]),
                COHORT_HOST_ONLY)
{
    EACH(n, double, y[i], as_whole((double)x[i]) + as_whole(k > 0 ? (double)w[i % k] : 0));
}

COHORT_FUNCTION(blend_i32,
                (int64_t n, int64_t k, const int32_t x[n], const int32_t w[k],
                 COHORT_OUT int32_t y[n]),
                COHORT_HOST_ONLY)
{
    EACH(n, int32_t, y[i], as_whole((double)x[i]) + as_whole(k > 0 ? (double)w[i % k] : 0));
}

#define IN_PLACE(T, NAME)                                                                          \
    COHORT_FUNCTION(shift_##NAME, (int64_t n, T y[n]), COHORT_HOST_ONLY)                           \
    {                                                                                              \
        EACH(n, T, y[i], as_whole((double)y[i]) + 3);                                              \
    }                                                                                              \
    COHORT_FUNCTION(grow_##NAME, (int64_t n, int32_t a, T w[n]), COHORT_HOST_ONLY)                 \
    {                                                                                              \
        EACH(n, T, w[i], 2 * as_whole((double)w[i]) + a);                                          \
    }                                                                                              \
    COHORT_FUNCTION(mix_##NAME, (int64_t n, int64_t k, const T x[k], T w[n]), COHORT_HOST_ONLY)    \
    {                                                                                              \
        EACH(n, T, w[i], as_whole((double)w[i]) + as_whole((double)x[0]));                         \
    }

IN_PLACE(float, f32)
IN_PLACE(double, f64)
IN_PLACE(int32_t, i32)

#define ALL(name)                                                                                  \
    {                                                                                              \
        name##_f32, name##_f64, name##_i32                                                         \
    }
const char *const dtype_names[DTYPES] = { "f32", "f64", "i32" };
const cohort_function *const twice[DTYPES] = ALL(twice), *const shift[DTYPES] = ALL(shift),
                             *const blend[DTYPES] = ALL(blend), *const grow[DTYPES] = ALL(grow),
                             *const mix[DTYPES] = ALL(mix);

cohort_array array_of(void *data, dtype type, int n)
{
    return type == F32   ? COHORT_ARRAY((float *)data, n)
           : type == F64 ? COHORT_ARRAY((double *)data, n)
                         : COHORT_ARRAY((int32_t *)data, n);
}

void put(void *data, dtype type, int i, int64_t x)
{
    if (type == F32)
        ((float *)data)[i] = (float)x;
    else if (type == F64)
        ((double *)data)[i] = (double)x;
    else
        ((int32_t *)data)[i] = (int32_t)x;
}

int64_t get(const void *data, dtype type, int i)
{
    return type == F32   ? (int64_t)((const float *)data)[i]
           : type == F64 ? (int64_t)((const double *)data)[i]
                         : ((const int32_t *)data)[i];
}
