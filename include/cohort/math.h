/* SPDX-License-Identifier: BSD-3-Clause */
/* cohort_expf, cohort_logf, cohort_tanhf and more: written once, for C, C++ and OpenCL C, with the
 * same bits in all of them.
 *
 * The functions of C libraries and of OpenCL devices differ in their last bits. These
 * use only + - * /, conversions of integers and integer operations, in one order, so that every
 * device and compiler gives the same result, provided that
 *   - nothing is contracted to fma and nothing reordered: -ffp-contract=off, which pkg-config
 *     --cflags cohort gives and this header asks of clang. OpenCL bodies of Cohort's functions have
 *     that without asking. With -ffast-math, or -cl-fast-relaxed-math, this header is an error, and
 *     with -ffinite-math-only, which takes NaN and infinity for impossible;
 *   - no more of a number is kept than its type has (FLT_EVAL_METHOD is 0). For the x87 gcc
 *     compiles these functions, and no other, for SSE2, which a processor has to have then; for
 *     s390x the same flags have what -std=c11 needs. Elsewhere this header is an error;
 *   - float operations round to nearest and keep subnormal numbers, and divisions (cohort_tanhf)
 *     are rounded correctly.
 *
 * Largest error, over all floats (make check-long):
 *   cohort_expf    0.99 ulp
 *   cohort_logf    0.88 ulp
 *   cohort_tanhf   1.34 ulp
 * Special values are those of C, Annex F; every NaN that comes out is 0x7fc00000. errno and
 * floating-point exceptions mean nothing. There is no branch: compilers turn loops over them into
 * vector code (gcc at -O3, or with `#pragma omp simd`; clang at -O2).
 *
 * This text is also put in front of the kernels made of COHORT_ITEMS that call these functions; so
 * are those of the parts, which this header includes: math_angle.h, math_erf.h, math_power.h, which
 * takes square roots that are rounded correctly, and math_round.h. Where the C compiler does not
 * know that sqrtf sets no errno (-fno-math-errno), cohort_hypotf wants -lm. Polynomials:
 * scripts/make_math_coefficients.py. */
#ifndef COHORT_MATH_H
#define COHORT_MATH_H

#ifdef __cplusplus
#define COHORT_MATH_CAST_(type, x) static_cast<type>(x)
#else
#define COHORT_MATH_CAST_(type, x) ((type)(x))
#endif

/* What is added to round, and then taken off again, is not reordered. */
#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__) || defined(__FAST_RELAXED_MATH__)
#error cohort/math.h would give wrong numbers, since additions are reordered: compile without \
    -ffast-math, -Ofast, -fassociative-math and -cl-fast-relaxed-math
#endif

#if defined(__OPENCL_VERSION__) || defined(__OPENCL_C_VERSION__)

#define COHORT_MATH_I64_ long
#define COHORT_MATH_U64_ ulong
#define COHORT_MATH_TABLE_ __constant
#define COHORT_MATH_SQRT_(x) sqrt(x)
#define COHORT_MATH_BITS_(x) as_int(x)
#define COHORT_MATH_FLOAT_(bits) as_float(bits)
#define COHORT_MATH_BEGIN_
#define COHORT_MATH_END_

#else

#if defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__ > 0
#error cohort/math.h would give wrong numbers, since NaN and infinity are taken for impossible: \
    compile without -ffinite-math-only
#endif

#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#if __clang_major__ >= 11 /* -fassociative-math, of which no macro tells */
#pragma clang fp reassociate(off)
#endif
#endif

#include <math.h>
#include <stdint.h>
#include <string.h>

#define COHORT_MATH_I64_ int64_t
#define COHORT_MATH_U64_ uint64_t
#define COHORT_MATH_TABLE_ static const
#define COHORT_MATH_SQRT_(x) sqrtf(x)
#define COHORT_MATH_BITS_(x) cohort_math_bits_(x)
#define COHORT_MATH_FLOAT_(bits) cohort_math_float_(bits)

/* Around the functions. The x87 keeps more of a number than its type has, and an addition that
 * rounds to an integer does not then; gcc compiles these functions for SSE2, in programs that have
 * the x87 for all else. */
#if defined(__FLT_EVAL_METHOD__) && __FLT_EVAL_METHOD__ != 0
#if defined(__GNUC__) && !defined(__clang__) && (defined(__i386__) || defined(__x86_64__))
#define COHORT_MATH_BEGIN_ _Pragma("GCC push_options") _Pragma("GCC target(\"sse2,fpmath=sse\")")
#define COHORT_MATH_END_ _Pragma("GCC pop_options")
#else
#error cohort/math.h would give wrong numbers, since FLT_EVAL_METHOD is not 0: compile with \
    `pkg-config --cflags cohort`, and for i386 with -msse2 -mfpmath=sse
#endif
#else
#define COHORT_MATH_BEGIN_
#define COHORT_MATH_END_
#endif

COHORT_MATH_BEGIN_

static inline int cohort_math_bits_(float x)
{
    int bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline float cohort_math_float_(int bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

#endif

#define COHORT_MATH_NAN_ 0x7fc00000
#define COHORT_MATH_INFINITY_ 0x7f800000

/* condition ? a : b, by a mask: from a choice, compilers make a branch around float operations,
 * which might trap, and then no vector code. */
static inline int cohort_math_choose_(int condition, int a, int b)
{
    return b ^ ((a ^ b) & -condition);
}

/* The first 12 bits of a float: a product of two such is exact. */
static inline float cohort_math_head_(float x)
{
    return COHORT_MATH_FLOAT_(COHORT_MATH_BITS_(x) & ~0xfff);
}

/* What x * x lost as a float. */
static inline float cohort_math_square_rest_(float x, float square)
{
    const float head = cohort_math_head_(x), tail = x - head;
    return ((head * head - square) + 2.0f * head * tail) + tail * tail;
}

/* e^x = (1 + q) 2^n for |x| <= 104; q is returned. Adding 3 * 2^22 rounds to an integer n. ln 2 is
 * taken off in two parts, the first of so few bits that its product is exact.
 * Source: W. J. Cody, W. Waite, "Software manual for the elementary functions", 1980, chapter 6. */
static inline float cohort_math_exp_rest_(float x, int *out_n)
{
    const float shifted = x * 1.44269502f + 12582912.0f;
    const float n = shifted - 12582912.0f;
    const float r = (x - n * 0.693145752f) - n * 1.42860677e-06f;
    const float tail =
        0.49999994f +
        r * (0.166665182f + r * (0.0416681208f + r * (0.00836901832f + r * 0.00138368318f)));
    *out_n = COHORT_MATH_BITS_(shifted) - 0x4b400000;
    return r + r * r * tail;
}

/* e^x = p 2^n for |x| <= 104, with p near 1. */
static inline float cohort_math_exp_(float x, int *out_n)
{
    return 1.0f + cohort_math_exp_rest_(x, out_n);
}

/* p 2^n for p near 1 and |n| <= 250. Two factors, 2^n being no float where the result is near the
 * ends; only the second product rounds. */
static inline float cohort_math_times_power_(float p, int n)
{
    const int half_n = (n + 256) / 2 - 128;
    return p * COHORT_MATH_FLOAT_((half_n + 127) << 23) *
           COHORT_MATH_FLOAT_((n - half_n + 127) << 23);
}

/* e^x, within 0.99 ulp. */
static inline float cohort_expf(float x)
{
    const int bits = COHORT_MATH_BITS_(x), size = bits & 0x7fffffff;
    /* 104: from there on all is 0 or infinite */
    const int bounded = size < 0x42d00000 ? size : 0x42d00000;
    int n;
    const float p = cohort_math_exp_(COHORT_MATH_FLOAT_(bounded | (bits ^ size)), &n);
    const float y = cohort_math_times_power_(p, n);
    return COHORT_MATH_FLOAT_(
        cohort_math_choose_(size > COHORT_MATH_INFINITY_, COHORT_MATH_NAN_, COHORT_MATH_BITS_(y)));
}

/* A size that is neither 0, infinite nor a NaN, as the bits of a float in [1, 2) and the power of
 * two that it is multiplied with. A subnormal number is an integer times 2^-149. */
static inline int cohort_math_parts_(int size, int *out_power)
{
    const int is_subnormal = size < 0x00800000;
    const int normal =
        cohort_math_choose_(is_subnormal, COHORT_MATH_BITS_(COHORT_MATH_CAST_(float, size)), size);
    *out_power = (normal >> 23) - 127 - (149 & -is_subnormal);
    return (normal & 0x007fffff) | 0x3f800000;
}

/* A size that is not 0 is 2^n (1 + f) with sqrt(1/2) <= 1 + f < sqrt(2). Returns f. A subnormal
 * number is an integer times 2^-149. */
static inline float cohort_math_log_(int size, float *out_n)
{
    const int is_subnormal = size < 0x00800000;
    const int normal =
        cohort_math_choose_(is_subnormal, COHORT_MATH_BITS_(COHORT_MATH_CAST_(float, size)), size);
    const unsigned shifted =
        /* 0x3f3504f3: sqrt(1/2) */
        COHORT_MATH_CAST_(unsigned, normal) + (0x3f800000u - 0x3f3504f3u);
    const int k = COHORT_MATH_CAST_(int, shifted >> 23) - 127 - (149 & -is_subnormal);
    *out_n = COHORT_MATH_CAST_(float, k);
    return COHORT_MATH_FLOAT_(COHORT_MATH_CAST_(int, (shifted & 0x007fffffu) + 0x3f3504f3u)) - 1.0f;
}

/* log(1 + f) - f. */
static inline float cohort_math_log_tail_(float f)
{
    const float square = f * f;
    const float tail =
        0.333333135f +
        f * (-0.250001401f +
             f * (0.200021997f +
                  f * (-0.166607767f +
                       f * (0.142112926f +
                            f * (-0.125272036f +
                                 f * (0.120739162f + f * (-0.110300027f + f * 0.0554909557f)))))));
    return f * square * tail - 0.5f * square;
}

/* y, the logarithm of x, or what it is where x is 0, negative, infinite or a NaN. */
static inline float cohort_math_log_special_(float x, float y)
{
    const int bits = COHORT_MATH_BITS_(x), size = bits & 0x7fffffff;
    int out = COHORT_MATH_BITS_(y);
    out = cohort_math_choose_(bits == COHORT_MATH_INFINITY_, bits, out);
    out = cohort_math_choose_((bits < 0) | (bits > COHORT_MATH_INFINITY_), COHORT_MATH_NAN_, out);
    return COHORT_MATH_FLOAT_(cohort_math_choose_(size == 0, -0x00800000, out)); /* -infinity */
}

/* The natural logarithm of x, within 0.88 ulp. */
static inline float cohort_logf(float x)
{
    /* log(x) = n ln 2 + log(1 + f) */
    float n;
    const float f = cohort_math_log_(COHORT_MATH_BITS_(x) & 0x7fffffff, &n);
    const float y = n * 0.693145752f + (f + (n * 1.42860677e-06f + cohort_math_log_tail_(f)));
    return cohort_math_log_special_(x, y);
}

/* The hyperbolic tangent of x, within 1.34 ulp. */
static inline float cohort_tanhf(float x)
{
    /* tanh(x) = x + x^3 P(x^2) below 0.625, 1 - 2 / (e^2x + 1) above; from 10 on it is 1. */
    const int bits = COHORT_MATH_BITS_(x), size = bits & 0x7fffffff;
    const float a = COHORT_MATH_FLOAT_(size < 0x41200000 ? size : 0x41200000); /* 10 */
    const float square = a * a;
    const float tail =
        -0.333332837f +
        square * (0.133314803f +
                  square * (-0.0537425205f + square * (0.0206475016f + square * -0.00571385305f)));
    const float small = a + a * (square * tail);
    int n;
    const float p = cohort_math_exp_(a + a, &n);
    const float large = 1.0f - 2.0f / (COHORT_MATH_FLOAT_(COHORT_MATH_BITS_(p) + (n << 23)) + 1.0f);
    const int y =
        /* 0.625 */
        cohort_math_choose_(size < 0x3f200000, COHORT_MATH_BITS_(small), COHORT_MATH_BITS_(large));
    return COHORT_MATH_FLOAT_(
        cohort_math_choose_(size > COHORT_MATH_INFINITY_, COHORT_MATH_NAN_, y | (bits ^ size)));
}

COHORT_MATH_END_

#include <cohort/math_angle.h>
#include <cohort/math_erf.h>
#include <cohort/math_power.h>
#include <cohort/math_round.h>

/* Kernels of devices without doubles include this header, too. */
#if !defined(__OPENCL_VERSION__) && !defined(__OPENCL_C_VERSION__) || defined(cl_khr_fp64) ||      \
    defined(__opencl_c_fp64)
#define COHORT_MATH_HAS_DOUBLES_
#include <cohort/math_double.h>
#endif

#endif
