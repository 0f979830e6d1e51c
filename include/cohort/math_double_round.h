/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of doubles that have one right result, with the same bits in C, C++ and OpenCL C:
 * rounding, remainders, the lesser of two, the parts of a double, and fma.
 *
 * They are those of cohort/math_round.h for doubles; conventions: cohort/math_double.h, of which
 * this is a part. A NaN that comes out is 0x7ff8000000000000, but for cohort_copysign, which
 * changes a sign and no other bit. Square roots have one right result wherever there are doubles:
 * write sqrt. */
#ifndef COHORT_MATH_DOUBLE_ROUND_H
#define COHORT_MATH_DOUBLE_ROUND_H

#include <cohort/math_double.h>

COHORT_MATH_BEGIN_

/* The sign of `of`, and all else of x. */
static inline double cohort_copysign(double x, double of)
{
    const COHORT_MATH_I64_ bits = COHORT_MATH_LONG_BITS_(of);
    return COHORT_MATH_DOUBLE_((COHORT_MATH_LONG_BITS_(x) & COHORT_MATH_LONG_SIZE_) |
                               (bits ^ (bits & COHORT_MATH_LONG_SIZE_)));
}

/* The integer towards 0 from x; of a NaN it is one. */
static inline double cohort_math_double_trunc_(double x)
{
    const COHORT_MATH_I64_ bits = COHORT_MATH_LONG_BITS_(x);
    const int exponent = COHORT_MATH_CAST_(int, (bits >> 52) & 2047) - 1023;
    const int above = exponent < 0 ? 0 : exponent, shift = above < 52 ? above : 52;
    const COHORT_MATH_I64_ kept = bits & ~(0x000fffffffffffff >> shift);
    return COHORT_MATH_DOUBLE_(exponent < 0 ? bits ^ (bits & COHORT_MATH_LONG_SIZE_) : kept);
}

/* The integer next to x towards 0. */
static inline double cohort_trunc(double x)
{
    return cohort_math_double_or_nan_(x, cohort_math_double_trunc_(x));
}

/* The largest integer that is not above x. */
static inline double cohort_floor(double x)
{
    const double whole = cohort_math_double_trunc_(x);
    return cohort_math_signed_(x, cohort_math_size_(x < whole ? whole - 1.0 : whole));
}

/* The least integer that is not below x; of -0.5 it is -0. */
static inline double cohort_ceil(double x)
{
    const double whole = cohort_math_double_trunc_(x);
    return cohort_math_signed_(x, cohort_math_size_(x > whole ? whole + 1.0 : whole));
}

/* The nearest integer, of two the one farther from 0. */
static inline double cohort_round(double x)
{
    const double size = cohort_math_size_(x), whole = cohort_math_double_trunc_(size);
    /* of an infinite x the difference is a NaN, and not above */
    return cohort_math_signed_(x, size - whole >= 0.5 ? whole + 1.0 : whole);
}

/* The nearest integer, of two the even one. */
static inline double cohort_rint(double x)
{
    const double size = cohort_math_size_(x);
    /* 2^52, from where on all doubles are integers */
    const double rounded = (size + 4503599627370496.0) - 4503599627370496.0;
    return cohort_math_signed_(x, size < 4503599627370496.0 ? rounded : size);
}

/* The lesser of x and y, -0 being less than 0; of a NaN and a number it is the number. */
static inline double cohort_fmin(double x, double y)
{
    if ((x != x) | (y != y))
        return cohort_math_double_or_nan_(x == x ? x : y, x == x ? x : y);
    return (x < y) | ((x == y) & (COHORT_MATH_LONG_BITS_(x) < 0)) ? x : y;
}

/* The greater of x and y, 0 being greater than -0; of a NaN and a number it is the number. */
static inline double cohort_fmax(double x, double y)
{
    if ((x != x) | (y != y))
        return cohort_math_double_or_nan_(x == x ? x : y, x == x ? x : y);
    return (x > y) | ((x == y) & (COHORT_MATH_LONG_BITS_(x) >= 0)) ? x : y;
}

/* ---- Parts of a double */

/* x times 2^n, rounded once; any n. */
static inline double cohort_ldexp(double x, int n)
{
    const COHORT_MATH_I64_ size = COHORT_MATH_LONG_BITS_(x) & COHORT_MATH_LONG_SIZE_;
    if ((size == 0) | (size >= COHORT_MATH_LONG_INFINITY_))
        return cohort_math_double_or_nan_(x, x);
    int power;
    const double part = COHORT_MATH_DOUBLE_(cohort_math_double_parts_(size, &power));
    const int bounded = n > 2200 ? 2200 : n < -2200 ? -2200 : n, sum = power + bounded;
    const int least = sum > -1200 ? sum : -1200;
    return cohort_math_signed_(x, cohort_math_rounded_sum_(part, 0.0, least < 1200 ? least : 1200));
}

/* x = y 2^*out_n with 0.5 <= |y| < 1; y is returned. Of 0, an infinite number or a NaN, y is that
 * number and *out_n is 0. */
static inline double cohort_frexp(double x, int *out_n)
{
    const COHORT_MATH_I64_ size = COHORT_MATH_LONG_BITS_(x) & COHORT_MATH_LONG_SIZE_;
    *out_n = 0;
    if ((size == 0) | (size >= COHORT_MATH_LONG_INFINITY_))
        return cohort_math_double_or_nan_(x, x);
    int power;
    const COHORT_MATH_I64_ part = cohort_math_double_parts_(size, &power);
    *out_n = power + 1;
    return cohort_math_signed_(x, COHORT_MATH_DOUBLE_(part - COHORT_MATH_LONG_UNIT_));
}

/* *out_whole becomes the integer next to x towards 0; the rest is returned. Both have the sign of
 * x. */
static inline double cohort_modf(double x, double *out_whole)
{
    const double size = cohort_math_size_(x), whole = cohort_math_double_trunc_(size);
    *out_whole = cohort_math_signed_(x, whole);
    return cohort_math_signed_(x, size > 1.7976931348623157e308 ? 0.0 : size - whole);
}

/* ---- Remainders */

/* A finite size as an integer times 2^(*out_exponent - 1075). */
static inline COHORT_MATH_U64_ cohort_math_double_integer_(COHORT_MATH_I64_ size, int *out_exponent)
{
    const int exponent = COHORT_MATH_CAST_(int, size >> 52);
    *out_exponent = exponent > 1 ? exponent : 1;
    return COHORT_MATH_CAST_(COHORT_MATH_U64_, (size & 0x000fffffffffffff) |
                                                   (exponent > 0 ? COHORT_MATH_LONG_UNIT_ : 0));
}

/* The remainder of the sizes, finite and not 0, |x| >= |y|: 11 bits of the quotient at once. */
static inline double cohort_math_double_mod_(COHORT_MATH_I64_ x, COHORT_MATH_I64_ y)
{
    int of_x, of_y;
    COHORT_MATH_U64_ rest = cohort_math_double_integer_(x, &of_x);
    const COHORT_MATH_U64_ divisor = cohort_math_double_integer_(y, &of_y);
    rest %= divisor;
    for (int left = of_x - of_y; (left > 0) & (rest != 0); left -= 11)
        rest = (rest << (left < 11 ? left : 11)) % divisor;
    const int power = of_y - 1075, half_power = power / 2;
    return COHORT_MATH_CAST_(double, COHORT_MATH_CAST_(COHORT_MATH_I64_, rest)) *
           cohort_math_power_of_two_(half_power) * cohort_math_power_of_two_(power - half_power);
}

/* x - n y for the integer n towards 0 from x / y, exactly. NaN: x is infinite or y is 0. */
static inline double cohort_fmod(double x, double y)
{
    const COHORT_MATH_I64_ size = COHORT_MATH_LONG_BITS_(x) & COHORT_MATH_LONG_SIZE_,
                           by = COHORT_MATH_LONG_BITS_(y) & COHORT_MATH_LONG_SIZE_;
    if ((size >= COHORT_MATH_LONG_INFINITY_) | (by > COHORT_MATH_LONG_INFINITY_) | (by == 0))
        return COHORT_MATH_DOUBLE_(COHORT_MATH_LONG_NAN_);
    return size < by ? x : cohort_math_signed_(x, cohort_math_double_mod_(size, by));
}

/* x - n y for the integer n that is nearest to x / y, of two the even one, exactly. NaN: x is
 * infinite or y is 0. */
static inline double cohort_remainder(double x, double y)
{
    const double by = cohort_math_size_(y), halved = 0.5 * by;
    /* twice a large y is infinite, and no x is beyond */
    double left = cohort_fmod(x, by + by);
    if (left != left)
        return left;
    left = cohort_math_size_(left);
    /* by its double, where a half might lose a bit */
    const int is_small = by < 1e-300;
    if (is_small ? left + left > by : left > halved) {
        left -= by;
        if (is_small ? left + left >= by : left >= halved)
            left -= by;
    }
    return COHORT_MATH_LONG_BITS_(x) < 0 ? -left : left;
}

/* ---- Product and sum, rounded once: integers of two words of 64 bits */

typedef struct cohort_math_words_ {
    COHORT_MATH_U64_ high, low;
} cohort_math_words_;

/* a * b for integers of 53 bits, shifted 20 bits to the left. */
static inline cohort_math_words_ cohort_math_long_product_(COHORT_MATH_U64_ a, COHORT_MATH_U64_ b)
{
    const COHORT_MATH_U64_ a_high = a >> 32, a_low = a & 0xffffffffu, b_high = b >> 32,
                           b_low = b & 0xffffffffu;
    const COHORT_MATH_U64_ middle = a_high * b_low + a_low * b_high + ((a_low * b_low) >> 32);
    const COHORT_MATH_U64_ high = a_high * b_high + (middle >> 32),
                           low = (middle << 32) | ((a_low * b_low) & 0xffffffffu);
    cohort_math_words_ out;
    out.high = (high << 20) | (low >> 44);
    out.low = low << 20;
    return out;
}

/* Shifted to the right; the last bit is set if one that is lost was. */
static inline cohort_math_words_ cohort_math_long_sticky_(cohort_math_words_ x, int shift)
{
    cohort_math_words_ out;
    const int is_far = shift >= 64, left = is_far ? shift - 64 : shift;
    const COHORT_MATH_U64_ lost = is_far ? x.low : 0u, high = is_far ? 0u : x.high,
                           low = is_far ? x.high : x.low;
    out.high = left > 63 ? 0u : high >> left;
    out.low = left == 0 ? low : left > 63 ? 0u : (low >> left) | (high << (64 - left));
    const COHORT_MATH_U64_ rest = left == 0 ? 0u : left > 63 ? low : low << (64 - left);
    out.low |= (lost | rest) != 0 ? 1u : 0u;
    return out;
}

/* a - b for a >= b, or a + b. */
static inline cohort_math_words_ cohort_math_long_sum_(cohort_math_words_ a, cohort_math_words_ b,
                                                       int is_less)
{
    cohort_math_words_ out;
    out.low = is_less ? a.low - b.low : a.low + b.low;
    out.high = is_less ? a.high - b.high - (a.low < b.low ? 1u : 0u)
                       : a.high + b.high + (out.low < a.low ? 1u : 0u);
    return out;
}

/* The size of x 2^power, rounded once, for x below 2^127 and not 0. */
static inline double cohort_math_long_rounded_(cohort_math_words_ x, int power)
{
    /* the first bit becomes bit 62 of the high word */
    for (int shift = 64; shift > 0; shift /= 2) {
        if ((shift == 64 ? x.high : x.high >> (63 - shift)) != 0)
            continue;
        x.high = shift == 64 ? x.low >> 1 : (x.high << shift) | (x.low >> (64 - shift));
        x.low = shift == 64 ? x.low << 63 : x.low << shift;
        power -= shift == 64 ? 63 : shift;
    }
    const COHORT_MATH_U64_ mantissa = x.high | (x.low != 0 ? 1u : 0u);
    const int exponent = power + 126, below = exponent < -1022 ? -1022 - exponent : 0;
    const int shift = 10 + below;
    if (exponent > 1023)
        return COHORT_MATH_DOUBLE_(COHORT_MATH_LONG_INFINITY_);
    if (shift > 63)
        return 0.0;
    const COHORT_MATH_U64_ whole = mantissa >> shift, rest = mantissa - (whole << shift),
                           tie = COHORT_MATH_CAST_(COHORT_MATH_U64_, 1) << (shift - 1);
    const int is_up = (rest > tie) | ((rest == tie) & ((whole & 1) != 0));
    const COHORT_MATH_I64_ biased = below > 0 ? 0 : exponent + 1022;
    return COHORT_MATH_DOUBLE_((biased << 52) + COHORT_MATH_CAST_(COHORT_MATH_I64_, whole) + is_up);
}

/* A size as an integer of 53 bits, and its power of two. */
static inline COHORT_MATH_U64_ cohort_math_double_whole_(double x, int *out_power)
{
    int power;
    const COHORT_MATH_I64_ part =
        cohort_math_double_parts_(COHORT_MATH_LONG_BITS_(x) & COHORT_MATH_LONG_SIZE_, &power);
    *out_power = power - 52;
    return COHORT_MATH_CAST_(COHORT_MATH_U64_,
                             (part & 0x000fffffffffffff) | COHORT_MATH_LONG_UNIT_);
}

/* x y + z of finite numbers that are not 0. Both terms become integers whose first bit is the 125th
 * or the 126th. */
static inline double cohort_math_double_fma_(double x, double y, double z)
{
    const int is_negative = (COHORT_MATH_LONG_BITS_(x) ^ COHORT_MATH_LONG_BITS_(y)) < 0;
    const int is_less = is_negative != (COHORT_MATH_LONG_BITS_(z) < 0);
    int of_x, of_y, of_z;
    const COHORT_MATH_U64_ part_x = cohort_math_double_whole_(x, &of_x);
    cohort_math_words_ product =
        cohort_math_long_product_(part_x, cohort_math_double_whole_(y, &of_y));
    cohort_math_words_ term;
    term.high = cohort_math_double_whole_(z, &of_z) << 8;
    term.low = 0;
    const int power = of_x + of_y - 20, behind = power - (of_z - 72);
    if (behind > 0)
        term = cohort_math_long_sticky_(term, behind);
    else
        product = cohort_math_long_sticky_(product, -behind);
    const int is_turned = is_less & ((product.high < term.high) |
                                     ((product.high == term.high) & (product.low < term.low)));
    const cohort_math_words_ sum = is_turned ? cohort_math_long_sum_(term, product, is_less)
                                             : cohort_math_long_sum_(product, term, is_less);
    if ((sum.high | sum.low) == 0)
        return 0.0;
    const double size = cohort_math_long_rounded_(sum, behind > 0 ? power : of_z - 72);
    return (is_negative != is_turned) ? -size : size;
}

/* x y + z, rounded once. */
static inline double cohort_fma(double x, double y, double z)
{
    const double most = 1.7976931348623157e308;
    const int is_factor = cohort_math_size_(x) <= most && cohort_math_size_(y) <= most;
    const int is_finite = is_factor && cohort_math_size_(z) <= most;
    const int has_product = (x != 0.0) & (y != 0.0);
    if (is_finite & has_product & (z != 0.0))
        return cohort_math_double_fma_(x, y, z);
    if (is_finite & has_product)
        return x * y; /* plus 0, which would give -0 another sign */
    if (is_factor && cohort_math_size_(z) > most)
        return z; /* x * y might be infinite as a double */
    const double sum = x * y + z;
    return cohort_math_double_or_nan_(sum, sum);
}

COHORT_MATH_END_

#endif
