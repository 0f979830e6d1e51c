/* SPDX-License-Identifier: BSD-3-Clause */
/* Trigonometric functions of doubles, with the same bits in C, C++ and OpenCL C. Conventions:
 * cohort/math_double.h, of which this is a part.
 *
 * Largest error (make check-long, on 10^7 places beside MPFR; doc/math.md):
 *   cohort_sin     0.85 ulp
 *   cohort_cos     0.85 ulp
 *   cohort_tan     1 ulp
 *   cohort_asin    0.51 ulp
 *   cohort_acos    0.51 ulp
 *   cohort_atan    0.51 ulp
 *   cohort_atan2   0.51 ulp */
#ifndef COHORT_MATH_DOUBLE_ANGLE_H
#define COHORT_MATH_DOUBLE_ANGLE_H

#include <cohort/math_double.h>

COHORT_MATH_BEGIN_

/* 2 / pi, in words of 64 bits behind the point, after a word of zeros. */
COHORT_MATH_TABLE_ COHORT_MATH_U64_ cohort_math_long_two_by_pi_[20] = { 0u,
                                                                        0xa2f9836e4e441529u,
                                                                        0xfc2757d1f534ddc0u,
                                                                        0xdb6295993c439041u,
                                                                        0xfe5163abdebbc561u,
                                                                        0xb7246e3a424dd2e0u,
                                                                        0x06492eea09d1921cu,
                                                                        0xfe1deb1cb129a73eu,
                                                                        0xe88235f52ebb4484u,
                                                                        0xe99c7026b45f7e41u,
                                                                        0x3991d639835339f4u,
                                                                        0x9c845f8bbdf9283bu,
                                                                        0x1ff897ffde05980fu,
                                                                        0xef2f118b5a0a6d1fu,
                                                                        0x6d367ecf27cb09b7u,
                                                                        0x4f463f669e5fea2du,
                                                                        0x7527bac7ebe5f17bu,
                                                                        0x3d0739f78a5292eau,
                                                                        0x6bfb5fb11f8d5d08u,
                                                                        0x56033046fc7b6babu };

/* 64 bits of 2 / pi, from that one on. */
static inline COHORT_MATH_U64_ cohort_math_long_two_by_pi_from_(int bit)
{
    const COHORT_MATH_U64_ word = cohort_math_long_two_by_pi_[bit >> 6];
    const int shift = bit & 63;
    return shift == 0
               ? word
               : (word << shift) | (cohort_math_long_two_by_pi_[(bit >> 6) + 1] >> (64 - shift));
}

/* The high 64 bits of a product. */
static inline COHORT_MATH_U64_ cohort_math_high_product_(COHORT_MATH_U64_ a, COHORT_MATH_U64_ b)
{
    const COHORT_MATH_U64_ a_high = a >> 32, a_low = a & 0xffffffffu, b_high = b >> 32,
                           b_low = b & 0xffffffffu;
    const COHORT_MATH_U64_ middle = a_high * b_low + ((a_low * b_low) >> 32);
    const COHORT_MATH_U64_ other = a_low * b_high + (middle & 0xffffffffu);
    return a_high * b_high + (middle >> 32) + (other >> 32);
}

/* high 2^64 + low times 2^-126, in two parts. */
static inline double cohort_math_of_words_(COHORT_MATH_U64_ high, COHORT_MATH_U64_ low,
                                           double *out_low)
{
    double of_high, of_low, rest;
    const double a = cohort_math_sum_(COHORT_MATH_CAST_(double, high >> 32) * 4294967296.0,
                                      COHORT_MATH_CAST_(double, high & 0xffffffffu), &of_high);
    const double b = cohort_math_sum_(COHORT_MATH_CAST_(double, low >> 32) * 4294967296.0,
                                      COHORT_MATH_CAST_(double, low & 0xffffffffu), &of_low);
    const double sum = cohort_math_sum_(a, b * 5.421010862427522e-20, &rest);
    *out_low = (of_high + (rest + of_low * 5.421010862427522e-20)) * 2.168404344971009e-19;
    return sum * 2.168404344971009e-19;
}

/* Of a finite size from 1/2 on: the nearest integer to 2 x / pi, by its last two bits, and what is
 * left of x: the sum of the result and *out_low. x is an integer times a power of two, so that 192
 * bits of 2 / pi matter: those before give whole turns, those behind nothing.
 *
 * Source: M. H. Payne, R. N. Hanek, "Radian reduction for trigonometric functions", SIGNUM
 * Newsletter 18, 1983. */
static inline double cohort_math_double_quarter_(COHORT_MATH_I64_ size, int *out_quarter,
                                                 double *out_low)
{
    const COHORT_MATH_U64_ m =
        COHORT_MATH_CAST_(COHORT_MATH_U64_, (size & 0x000fffffffffffff) | COHORT_MATH_LONG_UNIT_);
    /* 64: the word of zeros. The first bit has the weight 2 once it is multiplied. */
    const int bit = 64 + COHORT_MATH_CAST_(int, size >> 52) - 1075 - 2;
    const COHORT_MATH_U64_ second = cohort_math_long_two_by_pi_from_(bit + 64);
    const COHORT_MATH_U64_ third =
        cohort_math_high_product_(m, cohort_math_long_two_by_pi_from_(bit + 128));
    /* 2 x / pi modulo 4, in units of 2^-62 and 2^-126 */
    COHORT_MATH_U64_ low = m * second + third;
    COHORT_MATH_U64_ high = m * cohort_math_long_two_by_pi_from_(bit) +
                            cohort_math_high_product_(m, second) + (low < third ? 1u : 0u);
    const COHORT_MATH_U64_ eighth = COHORT_MATH_CAST_(COHORT_MATH_U64_, 1) << 61;
    const COHORT_MATH_U64_ quarter = (high + eighth) >> 62;
    high -= quarter << 62;
    const int is_below = (high >> 63) != 0;
    if (is_below) {
        low = ~low + 1u;
        high = ~high + (low == 0 ? 1u : 0u);
    }
    *out_quarter = COHORT_MATH_CAST_(int, quarter & 3);
    double rest;
    const double turned = cohort_math_of_words_(high, low, &rest);
    const double angle =
        cohort_math_times_(turned, rest, 1.5707963267948966, 6.123233995736766e-17, &rest);
    *out_low = is_below ? -rest : rest;
    return is_below ? -angle : angle;
}

/* The same of each finite size. Of those below 2^20 pi / 2 three parts of pi / 2 are taken off,
 * unless little is left, of which they do not know enough. */
static inline double cohort_math_double_reduced_(COHORT_MATH_I64_ size, int *out_quarter,
                                                 double *out_low)
{
    const double x = COHORT_MATH_DOUBLE_(size);
    if (x < 1647099.0) {
        /* 3 * 2^51 rounds to an integer */
        const double shifted = x * 0.6366197723675814 + 6755399441055744.0;
        const double n = shifted - 6755399441055744.0;
        double low;
        const double near =
            cohort_math_sum_(x - n * 1.5707963267341256, n * -6.077100506303966e-11, &low);
        if (n == 0.0 || cohort_math_size_(near) > 1e-6) {
            *out_quarter = COHORT_MATH_CAST_(int, COHORT_MATH_LONG_BITS_(shifted) & 3);
            return cohort_math_near_sum_(near, low - n * 2.0222662487959506e-21, out_low);
        }
    }
    return cohort_math_double_quarter_(size, out_quarter, out_low);
}

/* The sine and the cosine of x + low for |x| <= pi / 4, in two parts. */
static inline double cohort_math_sine_(double x, double low, double *out_low)
{
    const double square = x * x;
    const double tail =
        -0.16666666666666666 +
        square * (0.008333333333333331 +
                  square * (-0.00019841269841265065 +
                            square * (2.7557319219339167e-06 +
                                      square * (-2.5052106232447578e-08 +
                                                square * (1.6058531618986147e-10 +
                                                          square * -7.586697117706918e-13)))));
    return cohort_math_near_sum_(x, low * (1.0 - 0.5 * square) + x * (square * tail), out_low);
}

static inline double cohort_math_cosine_(double x, double low, double *out_low)
{
    double of_square, lost;
    const double square = cohort_math_product_(x, x, &of_square);
    const double tail =
        0.041666666666666664 +
        square *
            (-0.0013888888888887398 +
             square *
                 (2.480158729876569e-05 +
                  square * (-2.7557317271729793e-07 +
                            square * (2.08761462684032e-09 + square * -1.1382632425521717e-11))));
    const double near = cohort_math_near_sum_(1.0, -0.5 * square, &lost);
    return cohort_math_near_sum_(
        near, lost + (square * (square * tail) - (0.5 * of_square + x * low)), out_low);
}

/* sin(x + quarters pi / 2) of a finite size x. */
static inline double cohort_math_double_turned_(COHORT_MATH_I64_ size, int quarters)
{
    int quarter;
    double low;
    const double x = cohort_math_double_reduced_(size, &quarter, &low);
    const int turn = quarter + quarters;
    const double y =
        (turn & 1) != 0 ? cohort_math_cosine_(x, low, &low) : cohort_math_sine_(x, low, &low);
    return (turn & 2) != 0 ? -y : y;
}

/* The sine of x, within 0.85 ulp; however large x is. NaN: x is infinite. */
static inline double cohort_sin(double x)
{
    const COHORT_MATH_I64_ bits = COHORT_MATH_LONG_BITS_(x), size = bits & COHORT_MATH_LONG_SIZE_;
    if (size >= COHORT_MATH_LONG_INFINITY_)
        return COHORT_MATH_DOUBLE_(COHORT_MATH_LONG_NAN_);
    const double y = cohort_math_double_turned_(size, 0);
    return bits < 0 ? -y : y;
}

/* The cosine of x, within 0.85 ulp; however large x is. NaN: x is infinite. */
static inline double cohort_cos(double x)
{
    const COHORT_MATH_I64_ size = COHORT_MATH_LONG_BITS_(x) & COHORT_MATH_LONG_SIZE_;
    return size >= COHORT_MATH_LONG_INFINITY_ ? COHORT_MATH_DOUBLE_(COHORT_MATH_LONG_NAN_)
                                              : cohort_math_double_turned_(size, 1);
}

/* The tangent of x, within 1 ulp; however large x is. NaN: x is infinite. */
static inline double cohort_tan(double x)
{
    const COHORT_MATH_I64_ bits = COHORT_MATH_LONG_BITS_(x), size = bits & COHORT_MATH_LONG_SIZE_;
    if ((size >= COHORT_MATH_LONG_INFINITY_) | (size == 0))
        return size == 0 ? x : COHORT_MATH_DOUBLE_(COHORT_MATH_LONG_NAN_);
    int quarter;
    double low, of_sine, of_cosine;
    const double r = cohort_math_double_reduced_(size, &quarter, &low);
    const double sine = cohort_math_sine_(r, low, &of_sine);
    const double cosine = cohort_math_cosine_(r, low, &of_cosine);
    const double y = (quarter & 1) != 0
                         ? -cohort_math_quotient_(cosine, of_cosine, sine, of_sine, &low)
                         : cohort_math_quotient_(sine, of_sine, cosine, of_cosine, &low);
    return bits < 0 ? -y : y;
}

/* ---- Inverse functions */

/* atan(i / 8), in two parts. */
COHORT_MATH_TABLE_ double cohort_math_eighths_[9][2] = {
    { 0.0, 0.0 },
    { 0.12435499454676144, -3.1253241424539383e-18 },
    { 0.24497866312686414, 1.0698755618734451e-17 },
    { 0.35877067027057225, -2.4623815582638635e-17 },
    { 0.4636476090008061, 2.2698777452961687e-17 },
    { 0.5585993153435624, -5.4556305485916264e-18 },
    { 0.6435011087932844, 1.5834785051444286e-17 },
    { 0.7188299996216245, -2.1478388444456983e-17 },
    { 0.7853981633974483, 3.061616997868383e-17 }
};

/* The angle of the point (x, y) for 0 <= y <= x, x between 2^-60 and 2^60, all in two parts: that
 * of (8, i), and of what is left, below 1/16, by its series. */
static inline double cohort_math_eighth_turn_(double y, double low_y, double x, double low_x,
                                              double *out_low)
{
    double low, of_y, of_x, lost;
    int i = 0;
    for (int k = 1; k < 16; k += 2)
        i += 16.0 * y > k * x;
    const double c = 0.125 * i;
    const double part_x = cohort_math_product_(c, x, &of_x),
                 part_y = cohort_math_product_(c, y, &of_y);
    const double above = cohort_math_sum_(y, -part_x, &low);
    const double below = cohort_math_near_sum_(x, part_y, &lost);
    const double t = cohort_math_quotient_(above, low + ((low_y - of_x) - c * low_x), below,
                                           lost + ((low_x + of_y) + c * low_y), &low);
    const double square = t * t;
    const double tail =
        square * t *
        (-1.0 / 3 +
         square *
             (0.2 + square * (-1.0 / 7 +
                              square * (1.0 / 9 +
                                        square * (-1.0 / 11 +
                                                  square * (1.0 / 13 + square * (-1.0 / 15)))))));
    const double sum = cohort_math_sum_(cohort_math_eighths_[i][0], t, &lost);
    return cohort_math_near_sum_(sum, lost + (cohort_math_eighths_[i][1] + (low + tail)), out_low);
}

/* The angle of the point (x, y), both positive, one between 2^-60 and 2^60 and the other one not
 * beyond; where is_left is 1, of (-x, y). */
static inline double cohort_math_double_angle_(double y, double low_y, double x, double low_x,
                                               int is_left)
{
    double low, lost;
    const int is_steep = y > x;
    const double a = is_steep ? cohort_math_eighth_turn_(x, low_x, y, low_y, &low)
                              : cohort_math_eighth_turn_(y, low_y, x, low_x, &low);
    if (!is_steep & !is_left)
        return a;
    /* pi / 2 - a, pi / 2 + a or pi - a */
    const int is_more = is_steep & is_left;
    const double from = is_steep ? 1.5707963267948966 : 3.141592653589793,
                 rest = is_steep ? 6.123233995736766e-17 : 1.2246467991473532e-16;
    const double sum = cohort_math_near_sum_(from, is_more ? a : -a, &lost);
    return sum + (lost + (rest + (is_more ? low : -low)));
}

/* The arc tangent of x, within 0.51 ulp. */
static inline double cohort_atan(double x)
{
    const double size = cohort_math_size_(x);
    if (size < 1e-9)
        return x;
    /* from 2^56 on it is pi / 2 */
    const double bounded = size < 72057594037927936.0 ? size : 72057594037927936.0;
    return cohort_math_signed_(x, cohort_math_double_angle_(bounded, 0.0, 1.0, 0.0, 0));
}

/* sqrt(1 - x^2) for |x| <= 1, in two parts. */
static inline double cohort_math_other_side_(double x, double *out_low)
{
    double rest, lost;
    const double square = cohort_math_product_(x, x, &rest);
    const double left = cohort_math_near_sum_(1.0, -square, &lost);
    const double sum = cohort_math_sum_(left, lost - rest, &lost);
    return cohort_math_root_(sum, lost, out_low);
}

/* The arc sine of x, within 0.51 ulp. NaN: |x| > 1. */
static inline double cohort_asin(double x)
{
    const double size = cohort_math_size_(x);
    if (size < 1e-9)
        return x;
    if (!(size <= 1.0))
        return COHORT_MATH_DOUBLE_(COHORT_MATH_LONG_NAN_);
    double low;
    const double other = cohort_math_other_side_(size, &low);
    return cohort_math_signed_(x, cohort_math_double_angle_(size, 0.0, other, low, 0));
}

/* The arc cosine of x, within 0.51 ulp. NaN: |x| > 1. */
static inline double cohort_acos(double x)
{
    const double size = cohort_math_size_(x);
    if (!(size <= 1.0))
        return COHORT_MATH_DOUBLE_(COHORT_MATH_LONG_NAN_);
    double low;
    const double other = cohort_math_other_side_(size, &low);
    return cohort_math_double_angle_(other, low, size, 0.0, x < 0.0);
}

/* The angle of sizes that are neither 0 nor infinite nor NaN, from the positive x axis or, where
 * is_left is 1, from the negative one. */
static inline double cohort_math_finite_angle_(double y, double x, int is_left)
{
    int of_y, of_x;
    const double part_y =
        COHORT_MATH_DOUBLE_(cohort_math_double_parts_(COHORT_MATH_LONG_BITS_(y), &of_y));
    const double part_x =
        COHORT_MATH_DOUBLE_(cohort_math_double_parts_(COHORT_MATH_LONG_BITS_(x), &of_x));
    const int behind = of_x - of_y;
    if (behind > 58) /* beside pi it is nothing */
        return is_left ? 3.141592653589793 : y / x;
    if (behind < -58)
        return 1.5707963267948966;
    return cohort_math_double_angle_(part_y, 0.0, part_x * cohort_math_power_of_two_(behind), 0.0,
                                     is_left);
}

/* The angle of the point (x, y), from -pi to pi, within 0.51 ulp. Signs of 0 count, as C has it. */
static inline double cohort_atan2(double y, double x)
{
    double size_y = cohort_math_size_(y), size_x = cohort_math_size_(x);
    const double most = 1.7976931348623157e308;
    if ((x != x) | (y != y))
        return COHORT_MATH_DOUBLE_(COHORT_MATH_LONG_NAN_);
    const int is_left = COHORT_MATH_LONG_BITS_(x) < 0;
    /* Infinite numbers count as 1 beside what is finite. */
    if ((size_y > most) | (size_x > most)) {
        size_y = size_y > most ? 1.0 : 0.0;
        size_x = size_x > most ? 1.0 : 0.0;
    }
    const double angle = size_y == 0.0   ? (is_left ? 3.141592653589793 : 0.0)
                         : size_x == 0.0 ? 1.5707963267948966
                                         : cohort_math_finite_angle_(size_y, size_x, is_left);
    return cohort_math_signed_(y, angle);
}

COHORT_MATH_END_

#endif
