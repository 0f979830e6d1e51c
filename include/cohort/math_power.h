/* SPDX-License-Identifier: BSD-3-Clause */
/* Powers, logarithms and roots of floats, with the same bits in C, C++ and OpenCL C. Conventions:
 * cohort/math.h, of which this is a part.
 *
 * Largest error, over all floats; of cohort_hypotf over 10^8 pairs and a grid of edges (make
 * check-long):
 *   cohort_exp2f    1.1 ulp
 *   cohort_log2f    1.2 ulp
 *   cohort_log10f   1.1 ulp
 *   cohort_cbrtf    0.87 ulp
 *   cohort_hypotf   0.76 ulp */
#ifndef COHORT_MATH_POWER_H
#define COHORT_MATH_POWER_H

#include <cohort/math.h>

/* 2^x, within 1.1 ulp; of an integer it is exact. */
static inline float cohort_exp2f(float x)
{
    const int bits = COHORT_MATH_BITS_(x), size = bits & 0x7fffffff;
    /* 160: from there on all is 0 or infinite */
    const int bounded = size < 0x43200000 ? size : 0x43200000;
    const float all = COHORT_MATH_FLOAT_(bounded | (bits ^ size)), shifted = all + 12582912.0f;
    const float r = all - (shifted - 12582912.0f);
    const float tail =
        0.240226477f +
        r * (0.055503618f + r * (0.00961848628f + r * (0.0013390457f + r * 0.000153376634f)));
    const float p = 1.0f + (r * 0.693147182f + (r * -1.90465421e-09f + r * r * tail));
    const float y = cohort_math_times_power_(p, COHORT_MATH_BITS_(shifted) - 0x4b400000);
    return COHORT_MATH_FLOAT_(
        cohort_math_choose_(size > COHORT_MATH_INFINITY_, COHORT_MATH_NAN_, COHORT_MATH_BITS_(y)));
}

/* The first 12 bits of a float: a product of two such is exact. */
static inline float cohort_math_head_(float x)
{
    return COHORT_MATH_FLOAT_(COHORT_MATH_BITS_(x) & ~0xfff);
}

/* n_high n + n_low n + (high + low) log(1 + f): the logarithm for another base, 1 / log(base) and
 * log(2) / log(base) being in two parts, the first of few bits. */
static inline float cohort_math_log_of_base_(float x, float high, float low, float n_high,
                                             float n_low)
{
    float n;
    const float f = cohort_math_log_(COHORT_MATH_BITS_(x) & 0x7fffffff, &n);
    const float head = cohort_math_head_(f), first = head * high, whole = n * n_high;
    const float rest = head * low + (f - head) * (high + low) + n * n_low +
                       cohort_math_log_tail_(f) * (high + low);
    const float sum = whole + first, lost = first - (sum - whole);
    return cohort_math_log_special_(x, sum + (lost + rest));
}

/* The logarithm of x for the base 2, within 1.2 ulp; of a power of two it is exact. */
static inline float cohort_log2f(float x)
{
    return cohort_math_log_of_base_(x, 1.44238281f, 0.000312228396f, 1.0f, 0.0f);
}

/* The logarithm of x for the base 10, within 1.1 ulp. */
static inline float cohort_log10f(float x)
{
    return cohort_math_log_of_base_(x, 0.434204102f, 9.03803375e-05f, 0.301025391f,
                                    4.60503907e-06f);
}

/* The cube root of x, within 0.87 ulp. */
static inline float cohort_cbrtf(float x)
{
    const int bits = COHORT_MATH_BITS_(x), size = bits & 0x7fffffff;
    /* A size is m 2^3n with m in [1, 8). */
    const int is_subnormal = size < 0x00800000;
    const int normal =
        cohort_math_choose_(is_subnormal, COHORT_MATH_BITS_(COHORT_MATH_CAST_(float, size)), size);
    const int power = (normal >> 23) - 127 - (149 & -is_subnormal), n = (power + 300) / 3 - 100;
    const int of_m = (normal & 0x007fffff) + ((power - 3 * n + 127) << 23);
    const float m = COHORT_MATH_FLOAT_(of_m);
    /* within 5 percent, then by Halley within 2^-12; of 12 bits the square is exact */
    const float guess = COHORT_MATH_FLOAT_(of_m / 3 + 0x2a5137a0);
    const float cube = guess * guess * guess;
    const float t = cohort_math_head_(guess * (m + m + cube) / (m + cube + cube));
    const float r = m / (t * t);
    const float root = t + t * ((r - t) / (t + t + r));
    const int y = COHORT_MATH_BITS_(root) + n * 0x00800000;
    const int finite = cohort_math_choose_((size == 0) | (size == COHORT_MATH_INFINITY_), size, y);
    return COHORT_MATH_FLOAT_(cohort_math_choose_(size > COHORT_MATH_INFINITY_, COHORT_MATH_NAN_,
                                                  finite | (bits ^ size)));
}

/* What x * x lost as a float. */
static inline float cohort_math_square_rest_(float x, float square)
{
    const float head = cohort_math_head_(x), tail = x - head;
    return ((head * head - square) + 2.0f * head * tail) + tail * tail;
}

/* sqrt(a^2 + b^2) for 1 <= a < 2 and b <= a: the root of a sum in two parts, put right by what its
 * square is beside them. */
static inline float cohort_math_hypot_(float a, float b)
{
    const float of_a = a * a, of_b = b * b, sum = of_a + of_b;
    const float rest = (of_b - (sum - of_a)) +
                       (cohort_math_square_rest_(a, of_a) + cohort_math_square_rest_(b, of_b));
    const float root = COHORT_MATH_SQRT_(sum), square = root * root;
    const float missing = (sum - square) - cohort_math_square_rest_(root, square) + rest;
    return root + missing * (0.5f / root);
}

/* sqrt(x^2 + y^2), within 0.76 ulp, without overflow or underflow on the way. It is infinite if
 * x or y is, even beside a NaN. */
static inline float cohort_hypotf(float x, float y)
{
    const int size_x = COHORT_MATH_BITS_(x) & 0x7fffffff,
              size_y = COHORT_MATH_BITS_(y) & 0x7fffffff;
    const int high = size_x > size_y ? size_x : size_y, low = size_x > size_y ? size_y : size_x;
    int power_a, power_b;
    const int a = cohort_math_parts_(high, &power_a), b = cohort_math_parts_(low, &power_b);
    /* from 2^-40 on the smaller one is nothing beside the other */
    const int behind = power_a - power_b < 40 ? power_a - power_b : 40;
    const float root =
        cohort_math_hypot_(COHORT_MATH_FLOAT_(a), COHORT_MATH_FLOAT_(b - behind * 0x00800000));
    /* of two zeros the power is lower still, and the result not taken */
    int out = COHORT_MATH_BITS_(cohort_math_times_power_(root, power_a > -150 ? power_a : -150));
    out = cohort_math_choose_(low == 0, high, out);
    out = cohort_math_choose_(high > COHORT_MATH_INFINITY_, COHORT_MATH_NAN_, out);
    return COHORT_MATH_FLOAT_(
        cohort_math_choose_((high == COHORT_MATH_INFINITY_) | (low == COHORT_MATH_INFINITY_),
                            COHORT_MATH_INFINITY_, out));
}

#endif
