/* SPDX-License-Identifier: BSD-3-Clause */
/* Trigonometric functions of floats, with the same bits in C, C++ and OpenCL C. Conventions:
 * cohort/math.h, of which this is a part.
 *
 * Largest error, over all floats; of cohort_atan2f over 10^8 pairs and a grid of edges (make
 * check-long):
 *   cohort_sinf     0.86 ulp
 *   cohort_cosf     0.86 ulp
 *   cohort_tanf     2.4 ulp
 *   cohort_atanf    2.3 ulp
 *   cohort_atan2f   2.3 ulp
 *   cohort_asinf    1.3 ulp
 *   cohort_acosf    1.1 ulp */
#ifndef COHORT_MATH_ANGLE_H
#define COHORT_MATH_ANGLE_H

#include <cohort/math.h>

COHORT_MATH_BEGIN_

/* 2 / pi, in words of 32 bits behind the point, after a word of zeros. */
COHORT_MATH_TABLE_ unsigned cohort_math_two_by_pi_[8] = { 0u,          0xa2f9836eu, 0x4e441529u,
                                                          0xfc2757d1u, 0xf534ddc0u, 0xdb629599u,
                                                          0x3c439041u, 0xfe5163abu };

/* 32 bits of 2 / pi, from that one on. */
static inline COHORT_MATH_U64_ cohort_math_two_by_pi_from_(int bit)
{
    const COHORT_MATH_U64_ both =
        (COHORT_MATH_CAST_(COHORT_MATH_U64_, cohort_math_two_by_pi_[bit >> 5]) << 32) |
        cohort_math_two_by_pi_[(bit >> 5) + 1];
    return (both >> (32 - (bit & 31))) & 0xffffffffu;
}

/* Of a finite size from 1/4 on: the nearest integer to 2 x / pi, by its last two bits, and what is
 * left of x: the sum of the result and *out_low, within 2^-60. x is an integer times a power of
 * two, so that 96 bits of 2 / pi matter: those before give whole turns, those behind nothing.
 *
 * Source: M. H. Payne, R. N. Hanek, "Radian reduction for trigonometric functions", SIGNUM
 * Newsletter 18, 1983. */
static inline float cohort_math_quarter_(int size, int *out_quarter, float *out_low)
{
    const COHORT_MATH_U64_ m =
        COHORT_MATH_CAST_(COHORT_MATH_U64_, (size & 0x007fffff) | 0x00800000);
    const int bit = (size >> 23) - 120;
    /* 2 x / pi modulo 4, in units of 2^-62 */
    const COHORT_MATH_U64_ turned = ((m * cohort_math_two_by_pi_from_(bit)) << 32) +
                                    m * cohort_math_two_by_pi_from_(bit + 32) +
                                    ((m * cohort_math_two_by_pi_from_(bit + 64)) >> 32);
    const COHORT_MATH_U64_ eighth = COHORT_MATH_CAST_(COHORT_MATH_U64_, 1) << 61;
    const COHORT_MATH_U64_ quarter = (turned + eighth) >> 62, near = quarter << 62;
    const int is_below = ((turned - near) >> 63) != 0;
    const COHORT_MATH_U64_ rest = is_below ? near - turned : turned - near;
    /* times pi / 2, in units of 2^-61 */
    const COHORT_MATH_U64_ head = rest >> 32, tail = rest & 0xffffffffu;
    const COHORT_MATH_U64_ angle =
        head * 0xc90fdaa2u + ((tail * 0xc90fdaa2u) >> 32) + ((head * 0x2168c234u) >> 32);
    const float unit = is_below ? -4.33680869e-19f : 4.33680869e-19f;
    const float high = COHORT_MATH_CAST_(float, COHORT_MATH_CAST_(COHORT_MATH_I64_, angle));
    const COHORT_MATH_I64_ lost =
        COHORT_MATH_CAST_(COHORT_MATH_I64_, angle) - COHORT_MATH_CAST_(COHORT_MATH_I64_, high);
    *out_quarter = COHORT_MATH_CAST_(int, quarter & 3);
    *out_low = COHORT_MATH_CAST_(float, lost) * unit;
    return high * unit;
}

/* The same of each finite size: below pi / 4 nothing is taken off. */
static inline float cohort_math_reduced_(int size, int *out_quarter, float *out_low)
{
    const int is_small = size < 0x3f490fdb; /* pi / 4 */
    const int bounded = (is_small | (size >= COHORT_MATH_INFINITY_)) != 0 ? 0x3f800000 : size;
    int quarter;
    float low;
    const float high = cohort_math_quarter_(bounded, &quarter, &low);
    *out_quarter = cohort_math_choose_(is_small, 0, quarter);
    *out_low = is_small ? 0.0f : low;
    return is_small ? COHORT_MATH_FLOAT_(size) : high;
}

/* The sine and the cosine of x + low for |x| <= pi / 4. */
static inline float cohort_math_sin_(float x, float low)
{
    const float square = x * x;
    const float tail = -0.166666552f + square * (0.0083321901f + square * -0.000195184912f);
    return x + (low * (1.0f - 0.5f * square) + x * (square * tail));
}

static inline float cohort_math_cos_(float x, float low)
{
    const float square = x * x, halved = 0.5f * square, near = 1.0f - halved;
    const float tail = 0.0416666456f + square * (-0.00138873095f + square * 2.44323273e-05f);
    return near + (((1.0f - near) - halved) + (square * (square * tail) - x * low));
}

/* sin(x + quarters pi / 2) of the reduced x, and the NaN for what has no sine. */
static inline int cohort_math_turned_(int size, int quarters)
{
    int quarter;
    float low;
    const float x = cohort_math_reduced_(size, &quarter, &low);
    const int turn = quarter + quarters;
    const int y = cohort_math_choose_(turn & 1, COHORT_MATH_BITS_(cohort_math_cos_(x, low)),
                                      COHORT_MATH_BITS_(cohort_math_sin_(x, low)));
    return y ^ COHORT_MATH_CAST_(int, COHORT_MATH_CAST_(unsigned, turn & 2) << 30);
}

/* The sine of x, within 0.86 ulp; however large x is. NaN: x is infinite. */
static inline float cohort_sinf(float x)
{
    const int bits = COHORT_MATH_BITS_(x), size = bits & 0x7fffffff;
    return COHORT_MATH_FLOAT_(cohort_math_choose_(size >= COHORT_MATH_INFINITY_, COHORT_MATH_NAN_,
                                                  cohort_math_turned_(size, 0) ^ (bits ^ size)));
}

/* The cosine of x, within 0.86 ulp; however large x is. NaN: x is infinite. */
static inline float cohort_cosf(float x)
{
    const int size = COHORT_MATH_BITS_(x) & 0x7fffffff;
    return COHORT_MATH_FLOAT_(cohort_math_choose_(size >= COHORT_MATH_INFINITY_, COHORT_MATH_NAN_,
                                                  cohort_math_turned_(size, 1)));
}

/* The tangent of x, within 2.4 ulp; however large x is. NaN: x is infinite. */
static inline float cohort_tanf(float x)
{
    const int bits = COHORT_MATH_BITS_(x), size = bits & 0x7fffffff;
    int quarter;
    float low;
    const float r = cohort_math_reduced_(size, &quarter, &low);
    const float sine = cohort_math_sin_(r, low), cosine = cohort_math_cos_(r, low);
    const int is_odd = quarter & 1;
    const float y = (is_odd ? -cosine : sine) / (is_odd ? sine : cosine);
    return COHORT_MATH_FLOAT_(cohort_math_choose_(size >= COHORT_MATH_INFINITY_, COHORT_MATH_NAN_,
                                                  COHORT_MATH_BITS_(y) ^ (bits ^ size)));
}

/* The angle of (x, y), both positive, below pi / 4: y <= x. Above pi / 8 it is pi / 4 less the
 * angle of (x + y, x - y). */
static inline float cohort_math_atan_(float y, float x)
{
    const int is_large = y > x * 0.414213568f;
    const float above = is_large ? y - x : y, below = is_large ? y + x : x;
    const float t = above / (below == 0.0f ? 1.0f : below), square = t * t;
    const float tail =
        -0.333333164f +
        square * (0.19998531f +
                  square * (-0.142444834f + square * (0.10600049f + square * -0.0609268919f)));
    const float near = t + t * (square * tail);
    return is_large ? 0.785398185f + (near - 2.18556941e-08f) : near;
}

/* The angle of sizes that are no NaN, in [0, pi / 2]. */
static inline float cohort_math_angle_(int y, int x)
{
    const int is_steep = y > x, high = is_steep ? y : x, low = is_steep ? x : y;
    /* Infinite numbers count as 1 beside what is finite. Sums of large ones would overflow, and
     * parts of small ones be no floats. */
    const int is_infinite = high == COHORT_MATH_INFINITY_;
    const float scale = high < 0x20000000   ? 18446744073709551616.0f
                        : high < 0x7e000000 ? 1.0f
                                            : 0.25f;
    const float far = is_infinite ? 1.0f : COHORT_MATH_FLOAT_(high) * scale;
    const float close = is_infinite ? (low == high ? 1.0f : 0.0f) : COHORT_MATH_FLOAT_(low) * scale;
    const float angle = cohort_math_atan_(close, far);
    return is_steep ? 1.57079637f - (angle + 4.37113883e-08f) : angle;
}

/* The arc tangent of x, within 2.3 ulp. */
static inline float cohort_atanf(float x)
{
    const int bits = COHORT_MATH_BITS_(x), size = bits & 0x7fffffff;
    const int is_nan = size > COHORT_MATH_INFINITY_;
    const float angle = cohort_math_angle_(is_nan ? 0 : size, 0x3f800000);
    return COHORT_MATH_FLOAT_(
        cohort_math_choose_(is_nan, COHORT_MATH_NAN_, COHORT_MATH_BITS_(angle) | (bits ^ size)));
}

/* The angle of the point (x, y), from -pi to pi, within 2.3 ulp. Signs of 0 count, as C has
 * it. */
static inline float cohort_atan2f(float y, float x)
{
    const int of_y = COHORT_MATH_BITS_(y), of_x = COHORT_MATH_BITS_(x);
    const int size_y = of_y & 0x7fffffff, size_x = of_x & 0x7fffffff;
    const int is_nan = (size_y > COHORT_MATH_INFINITY_) | (size_x > COHORT_MATH_INFINITY_);
    const float angle = cohort_math_angle_(is_nan ? 0 : size_y, is_nan ? 0 : size_x);
    const float whole = of_x < 0 ? 3.14159274f - (angle + 8.74227766e-08f) : angle;
    return COHORT_MATH_FLOAT_(
        cohort_math_choose_(is_nan, COHORT_MATH_NAN_, COHORT_MATH_BITS_(whole) | (of_y ^ size_y)));
}

/* asin(a) for 0 <= a <= 1/2, less a. */
static inline float cohort_math_asin_rest_(float a)
{
    const float square = a * a;
    return a * (square * (0.166667521f +
                          square * (0.0749531463f +
                                    square * (0.0454680584f +
                                              square * (0.0241918322f + square * 0.0421439596f)))));
}

/* asin(a) for 1/2 < a <= 1 is pi / 2 - 2 asin(s): s is returned, and what it lost as *out_low. */
static inline float cohort_math_half_side_(float a, float *out_low)
{
    const float square = 0.5f * (1.0f - a), s = COHORT_MATH_SQRT_(square), own = s * s;
    const float missing = (square - own) - cohort_math_square_rest_(s, own);
    *out_low = missing / (s == 0.0f ? 1.0f : s + s);
    return s;
}

/* The arc sine of x, within 1.3 ulp. NaN: |x| > 1. */
static inline float cohort_asinf(float x)
{
    const int bits = COHORT_MATH_BITS_(x), size = bits & 0x7fffffff;
    const int is_out = size > 0x3f800000, is_far = size > 0x3f000000;
    const float a = is_out ? 1.0f : COHORT_MATH_FLOAT_(size);
    float low;
    const float s = cohort_math_half_side_(a, &low), near = is_far ? s : a;
    const float rest = cohort_math_asin_rest_(near);
    const float angle =
        is_far ? 1.57079637f - (2.0f * s + (2.0f * (rest + low) + 4.37113883e-08f)) : near + rest;
    return COHORT_MATH_FLOAT_(
        cohort_math_choose_(is_out, COHORT_MATH_NAN_, COHORT_MATH_BITS_(angle) | (bits ^ size)));
}

/* The arc cosine of x, within 1.1 ulp. NaN: |x| > 1. */
static inline float cohort_acosf(float x)
{
    const int bits = COHORT_MATH_BITS_(x), size = bits & 0x7fffffff;
    const int is_out = size > 0x3f800000, is_far = size > 0x3f000000;
    const float a = is_out ? 1.0f : COHORT_MATH_FLOAT_(size);
    float low;
    const float s = cohort_math_half_side_(a, &low), near = is_far ? s : a;
    const float rest = cohort_math_asin_rest_(near);
    const float above = 2.0f * s + 2.0f * (rest + low), all = near + rest;
    const float far = bits < 0 ? 3.14159274f - (above + 8.74227766e-08f) : above;
    const float close =
        bits < 0 ? 1.57079637f + (all - 4.37113883e-08f) : 1.57079637f - (all + 4.37113883e-08f);
    return COHORT_MATH_FLOAT_(
        cohort_math_choose_(is_out, COHORT_MATH_NAN_, COHORT_MATH_BITS_(is_far ? far : close)));
}

COHORT_MATH_END_

#endif
