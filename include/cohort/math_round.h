/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of floats that have one right result, with the same bits in C, C++ and OpenCL C:
 * rounding, remainders, the parts of a float, and fma.
 *
 * They compute with integers and exact operations of floats, so that a device whose driver has
 * another fmod or fma gives the bits of the host all the same. Conventions: cohort/math.h, of which
 * this is a part. A NaN that comes out is 0x7fc00000, but for cohort_copysignf, which changes a
 * sign and no other bit. */
#ifndef COHORT_MATH_ROUND_H
#define COHORT_MATH_ROUND_H

#include <cohort/math.h>

COHORT_MATH_BEGIN_

#define COHORT_MATH_SIGN_(bits) ((bits) & (-0x7fffffff - 1))

/* The float of these bits, or the one NaN if x is a NaN. */
static inline float cohort_math_or_nan_(float x, int bits)
{
    return COHORT_MATH_FLOAT_(cohort_math_choose_(x != x, COHORT_MATH_NAN_, bits));
}

/* The sign of `of`, and all else of x. */
static inline float cohort_copysignf(float x, float of)
{
    return COHORT_MATH_FLOAT_((COHORT_MATH_BITS_(x) & 0x7fffffff) |
                              COHORT_MATH_SIGN_(COHORT_MATH_BITS_(of)));
}

/* The bits of the integer towards 0. */
static inline int cohort_math_trunc_(float x)
{
    const int bits = COHORT_MATH_BITS_(x), exponent = ((bits >> 23) & 255) - 127;
    const int above = exponent < 0 ? 0 : exponent, shift = above < 23 ? above : 23;
    const int kept = bits & ~(0x007fffff >> shift);
    return cohort_math_choose_(exponent < 0, COHORT_MATH_SIGN_(bits), kept);
}

/* The integer next to x towards 0. */
static inline float cohort_truncf(float x)
{
    return cohort_math_or_nan_(x, cohort_math_trunc_(x));
}

/* The largest integer that is not above x. */
static inline float cohort_floorf(float x)
{
    const float whole = COHORT_MATH_FLOAT_(cohort_math_trunc_(x));
    const float below = whole - COHORT_MATH_CAST_(float, x < whole);
    return cohort_math_or_nan_(x,
                               COHORT_MATH_BITS_(below) | COHORT_MATH_SIGN_(COHORT_MATH_BITS_(x)));
}

/* The least integer that is not below x; of -0.5 it is -0. */
static inline float cohort_ceilf(float x)
{
    const float whole = COHORT_MATH_FLOAT_(cohort_math_trunc_(x));
    const float above = whole + COHORT_MATH_CAST_(float, x > whole);
    return cohort_math_or_nan_(x,
                               COHORT_MATH_BITS_(above) | COHORT_MATH_SIGN_(COHORT_MATH_BITS_(x)));
}

/* The nearest integer, of two the one farther from 0. */
static inline float cohort_roundf(float x)
{
    const int bits = COHORT_MATH_BITS_(x), size = bits & 0x7fffffff;
    const float whole = COHORT_MATH_FLOAT_(cohort_math_trunc_(COHORT_MATH_FLOAT_(size)));
    /* of an infinite x the difference is a NaN, and not above */
    const float rest = COHORT_MATH_FLOAT_(size) - whole;
    const float rounded = whole + COHORT_MATH_CAST_(float, rest >= 0.5f);
    return cohort_math_or_nan_(x, COHORT_MATH_BITS_(rounded) | COHORT_MATH_SIGN_(bits));
}

/* The nearest integer, of two the even one. */
static inline float cohort_rintf(float x)
{
    const int bits = COHORT_MATH_BITS_(x), size = bits & 0x7fffffff;
    /* 2^23, from where on all floats are integers */
    const float rounded = (COHORT_MATH_FLOAT_(size) + 8388608.0f) - 8388608.0f;
    const int y = cohort_math_choose_(size < 0x4b000000, COHORT_MATH_BITS_(rounded), size);
    return cohort_math_or_nan_(x, y | COHORT_MATH_SIGN_(bits));
}

/* The lesser of x and y, -0 being less than 0; of a NaN and a number it is the number. */
static inline float cohort_fminf(float x, float y)
{
    const float number = x == x ? x : y;
    const int is_x = (y != y) | (x < y) | ((x == y) & (COHORT_MATH_BITS_(x) < 0));
    const float lesser = ((x == x) & is_x) != 0 ? x : y;
    return cohort_math_or_nan_(number, COHORT_MATH_BITS_(lesser));
}

/* The greater of x and y, 0 being greater than -0; of a NaN and a number it is the number. */
static inline float cohort_fmaxf(float x, float y)
{
    const float number = x == x ? x : y;
    const int is_x = (y != y) | (x > y) | ((x == y) & (COHORT_MATH_BITS_(x) >= 0));
    const float greater = ((x == x) & is_x) != 0 ? x : y;
    return cohort_math_or_nan_(number, COHORT_MATH_BITS_(greater));
}

/* ---- Parts of a float */

/* The bits of `part`, those of a float in [1, 2), times 2^power, rounded once. */
static inline int cohort_math_scaled_(int part, int power)
{
    const int least = power > -190 ? power : -190, bounded = least < 128 ? least : 128;
    const int is_small = bounded < -126;
    /* times 2^-64 where the result is subnormal */
    const float lifted = COHORT_MATH_FLOAT_(part + bounded * 0x00800000 + (0x20000000 & -is_small));
    const float lowered = lifted * COHORT_MATH_FLOAT_(0x1f800000);
    const int y =
        cohort_math_choose_(is_small, COHORT_MATH_BITS_(lowered), COHORT_MATH_BITS_(lifted));
    return cohort_math_choose_(bounded > 127, COHORT_MATH_INFINITY_, y);
}

/* x times 2^n, rounded once; any n. */
static inline float cohort_ldexpf(float x, int n)
{
    const int bits = COHORT_MATH_BITS_(x), size = bits & 0x7fffffff;
    const int bounded = n > 1000 ? 1000 : n < -1000 ? -1000 : n;
    int power;
    const int part = cohort_math_parts_(size, &power);
    const int y = cohort_math_choose_((size == 0) | (size >= COHORT_MATH_INFINITY_), size,
                                      cohort_math_scaled_(part, power + bounded));
    return cohort_math_or_nan_(x, y | COHORT_MATH_SIGN_(bits));
}

/* x = y 2^*out_n with 0.5 <= |y| < 1; y is returned. Of 0, an infinite number or a NaN, y is that
 * number and *out_n is 0. */
static inline float cohort_frexpf(float x, int *out_n)
{
    const int bits = COHORT_MATH_BITS_(x), size = bits & 0x7fffffff;
    const int is_special = (size == 0) | (size >= COHORT_MATH_INFINITY_);
    int power;
    const int part = cohort_math_parts_(size, &power);
    *out_n = cohort_math_choose_(is_special, 0, power + 1);
    return cohort_math_or_nan_(x, cohort_math_choose_(is_special, size, part - 0x00800000) |
                                      COHORT_MATH_SIGN_(bits));
}

/* *out_whole becomes the integer next to x towards 0; the rest is returned. Both have the sign of
 * x. */
static inline float cohort_modff(float x, float *out_whole)
{
    const int bits = COHORT_MATH_BITS_(x), size = bits & 0x7fffffff;
    const float whole = COHORT_MATH_FLOAT_(cohort_math_trunc_(COHORT_MATH_FLOAT_(size)));
    const float rest = COHORT_MATH_FLOAT_(size) - whole;
    const int y = cohort_math_choose_(size == COHORT_MATH_INFINITY_, 0, COHORT_MATH_BITS_(rest));
    *out_whole = cohort_math_or_nan_(x, COHORT_MATH_BITS_(whole) | COHORT_MATH_SIGN_(bits));
    return cohort_math_or_nan_(x, y | COHORT_MATH_SIGN_(bits));
}

/* ---- Remainder */

/* A finite size as an integer times 2^(*out_exponent - 150). */
static inline unsigned cohort_math_integer_(int size, int *out_exponent)
{
    const int exponent = size >> 23;
    *out_exponent = exponent > 1 ? exponent : 1;
    return COHORT_MATH_CAST_(unsigned,
                             (size & 0x007fffff) | cohort_math_choose_(exponent > 0, 0x800000, 0));
}

/* The remainder of |x| by |y|, finite and not 0, |x| >= |y|: 40 bits of the quotient at once. */
static inline float cohort_math_mod_(int x, int y)
{
    int of_x, of_y;
    COHORT_MATH_U64_ rest = cohort_math_integer_(x, &of_x);
    const COHORT_MATH_U64_ divisor = cohort_math_integer_(y, &of_y);
    rest %= divisor;
    for (int left = of_x - of_y; left > 0; left -= 40)
        rest = (rest << (left < 40 ? left : 40)) % divisor;
    const int power = of_y - 150, half_power = power / 2;
    return COHORT_MATH_CAST_(float, COHORT_MATH_CAST_(int, rest)) *
           COHORT_MATH_FLOAT_((half_power + 127) << 23) *
           COHORT_MATH_FLOAT_((power - half_power + 127) << 23);
}

/* x - n y for the integer n towards 0 from x / y, exactly. NaN: x is infinite or y is 0. */
static inline float cohort_fmodf(float x, float y)
{
    const int bits = COHORT_MATH_BITS_(x), size = bits & 0x7fffffff,
              by = COHORT_MATH_BITS_(y) & 0x7fffffff;
    if ((size >= COHORT_MATH_INFINITY_) | (by > COHORT_MATH_INFINITY_) | (by == 0))
        return COHORT_MATH_FLOAT_(COHORT_MATH_NAN_);
    if (size < by)
        return x;
    return COHORT_MATH_FLOAT_(COHORT_MATH_BITS_(cohort_math_mod_(size, by)) |
                              COHORT_MATH_SIGN_(bits));
}

/* x - n y for the integer n that is nearest to x / y, of two the even one, exactly. NaN: x is
 * infinite or y is 0. */
static inline float cohort_remainderf(float x, float y)
{
    const float by = COHORT_MATH_FLOAT_(COHORT_MATH_BITS_(y) & 0x7fffffff), halved = 0.5f * by;
    /* twice a large y is infinite, and no x is beyond */
    const float rest = cohort_fmodf(x, by + by);
    float left = COHORT_MATH_FLOAT_(COHORT_MATH_BITS_(rest) & 0x7fffffff);
    /* by its double, where a half might lose a bit */
    const int is_small = by < 1e-30f;
    if (is_small ? left + left > by : left > halved) {
        left -= by;
        if (is_small ? left + left >= by : left >= halved)
            left -= by;
    }
    const float signed_left = COHORT_MATH_BITS_(x) < 0 ? -left : left;
    return cohort_math_or_nan_(rest, COHORT_MATH_BITS_(signed_left));
}

/* ---- Product and sum, rounded once */

/* `mantissa` shifted to the right; its last bit is set if one that is lost was. */
static inline COHORT_MATH_U64_ cohort_math_sticky_(COHORT_MATH_U64_ mantissa, int shift)
{
    if (shift <= 0)
        return mantissa << -shift;
    if (shift > 62)
        return mantissa != 0;
    return mantissa >> shift |
           ((mantissa & ((COHORT_MATH_CAST_(COHORT_MATH_U64_, 1) << shift) - 1)) != 0);
}

/* The bits of mantissa 2^power, rounded once; the mantissa is below 2^63 and not 0. */
static inline int cohort_math_rounded_(COHORT_MATH_U64_ mantissa, int power)
{
    const int near =
        COHORT_MATH_BITS_(COHORT_MATH_CAST_(float, COHORT_MATH_CAST_(COHORT_MATH_I64_, mantissa)));
    const int exponent = (near >> 23) - 127 + power;
    if (exponent >= -126)
        return cohort_math_scaled_((near & 0x007fffff) | 0x3f800000, exponent);
    /* a number of 2^-149, with two bits behind the point that tell how it is rounded */
    const COHORT_MATH_U64_ quarters = cohort_math_sticky_(mantissa, -151 - power);
    const int whole = COHORT_MATH_CAST_(int, quarters >> 2),
              rest = COHORT_MATH_CAST_(int, quarters & 3);
    return whole + ((rest > 2) | ((rest == 2) & whole));
}

/* What of a size is a 24-bit integer, and its power of two. */
static inline COHORT_MATH_U64_ cohort_math_whole_(int size, int *out_power)
{
    int power;
    const int part = cohort_math_parts_(size, &power);
    *out_power = power - 23;
    return COHORT_MATH_CAST_(COHORT_MATH_U64_, (part & 0x007fffff) | 0x00800000);
}

/* x y + z of finite numbers that are not 0. Both terms become integers whose first bit is the 60th
 * or the 61st. */
static inline float cohort_math_fma_(int x, int y, int z)
{
    const int sizes = 0x7fffffff, is_negative = (x ^ y) < 0, is_less = (x ^ y ^ z) < 0;
    int of_x, of_y, of_z;
    COHORT_MATH_U64_ product = cohort_math_whole_(x & sizes, &of_x);
    product = (product * cohort_math_whole_(y & sizes, &of_y)) << 13;
    COHORT_MATH_U64_ term = cohort_math_whole_(z & sizes, &of_z) << 37;
    const int power = of_x + of_y - 13, behind = power - (of_z - 37);
    if (behind > 0)
        term = cohort_math_sticky_(term, behind);
    else
        product = cohort_math_sticky_(product, -behind);
    const int last = behind > 0 ? power : of_z - 37;
    const int is_turned = is_less & (product < term);
    const COHORT_MATH_U64_ sum =
        is_less ? (is_turned ? term - product : product - term) : product + term;
    if (sum == 0)
        return 0.0f;
    return COHORT_MATH_FLOAT_(cohort_math_rounded_(sum, last) |
                              COHORT_MATH_SIGN_(-(is_negative ^ is_turned)));
}

/* x y + z, rounded once. */
static inline float cohort_fmaf(float x, float y, float z)
{
    const int bits_x = COHORT_MATH_BITS_(x), bits_y = COHORT_MATH_BITS_(y),
              bits_z = COHORT_MATH_BITS_(z), sizes = 0x7fffffff;
    const int is_factor =
        ((bits_x & sizes) < COHORT_MATH_INFINITY_) & ((bits_y & sizes) < COHORT_MATH_INFINITY_);
    const int is_finite = is_factor & ((bits_z & sizes) < COHORT_MATH_INFINITY_);
    const int has_product = ((bits_x & sizes) != 0) & ((bits_y & sizes) != 0);
    if (is_finite & has_product & ((bits_z & sizes) != 0))
        return cohort_math_fma_(bits_x, bits_y, bits_z);
    if (is_finite & has_product)
        return x * y; /* plus 0, which would give -0 another sign */
    if (is_factor & ((bits_z & sizes) == COHORT_MATH_INFINITY_))
        return z; /* x * y might be infinite as a float */
    const float sum = x * y + z;
    return cohort_math_or_nan_(sum, COHORT_MATH_BITS_(sum));
}

COHORT_MATH_END_

#endif
