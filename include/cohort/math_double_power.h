/* SPDX-License-Identifier: BSD-3-Clause */
/* Powers, logarithms, roots and hyperbolic functions of doubles, with the same bits in C, C++ and
 * OpenCL C. Conventions: cohort/math_double.h, of which this is a part.
 *
 * Largest error (make check-long, on 10^7 places beside MPFR; doc/math.md):
 *   cohort_exp2    0.54 ulp
 *   cohort_expm1   0.6 ulp
 *   cohort_log1p   0.51 ulp
 *   cohort_log2    0.51 ulp
 *   cohort_log10   0.51 ulp
 *   cohort_pow     0.55 ulp
 *   cohort_sinh    0.6 ulp
 *   cohort_cosh    0.54 ulp
 *   cohort_tanh    0.6 ulp
 *   cohort_cbrt    0.51 ulp
 *   cohort_hypot   0.51 ulp */
#ifndef COHORT_MATH_DOUBLE_POWER_H
#define COHORT_MATH_DOUBLE_POWER_H

#include <cohort/math_double.h>

COHORT_MATH_BEGIN_

/* 2^x, within 0.54 ulp; of an integer it is exact. */
static inline double cohort_exp2(double x)
{
    /* 1200: from there on all is 0 or infinite */
    const double all = cohort_math_bounded_(x, 1200.0);
    /* 3 * 2^46 rounds to a number of 32nds */
    const double shifted = all + 211106232532992.0, r = all - (shifted - 211106232532992.0);
    double low;
    const double of_e =
        cohort_math_times_(r, 0.0, 0.6931471805599453, 2.3190468138462996e-17, &low);
    int n;
    const double y = cohort_math_exp_table_(
        COHORT_MATH_CAST_(int, COHORT_MATH_LONG_BITS_(shifted) - 0x42e8000000000000), of_e, low, &n,
        &low);
    return cohort_math_double_or_nan_(x, cohort_math_rounded_sum_(y, low, n));
}

/* e^x - 1 for |x| < 60, in two parts. */
static inline double cohort_math_less_one_(double x, double *out_low)
{
    double low, lost;
    if (cohort_math_size_(x) < 0.25) {
        const double square = cohort_math_product_(x, x, &low);
        const double even = 1.0 / 6 +
                            square * (1.0 / 120 +
                                      square * (1.0 / 5040 +
                                                square * (1.0 / 362880 +
                                                          square * (1.0 / 39916800 +
                                                                    square * (1.0 / 6227020800))))),
                     odd = 1.0 / 24 +
                           square * (1.0 / 720 + square * (1.0 / 40320 +
                                                           square * (1.0 / 3628800 +
                                                                     square * (1.0 / 479001600)))),
                     tail = even + x * odd;
        const double near = cohort_math_near_sum_(x, 0.5 * square, &lost);
        return cohort_math_near_sum_(near, lost + (0.5 * low + square * x * tail), out_low);
    }
    int n;
    const double y = cohort_math_exp_parts_(x, 0.0, &n, &low), unit = cohort_math_power_of_two_(n);
    const double sum = cohort_math_sum_(y * unit, -1.0, &lost);
    return cohort_math_near_sum_(sum, lost + low * unit, out_low);
}

/* e^x - 1, within 0.6 ulp. */
static inline double cohort_expm1(double x)
{
    double low;
    if (x < -50.0)
        return -1.0;
    if (x < 50.0)
        return x == 0.0 ? x : cohort_math_less_one_(x, &low);
    return cohort_exp(x);
}

/* log(1 + x), within 0.51 ulp. */
static inline double cohort_log1p(double x)
{
    double low;
    const double sum = cohort_math_sum_(1.0, x, &low);
    if (!cohort_math_has_log_(sum) || x == 0.0)
        return x == 0.0 ? x : cohort_math_no_log_(sum);
    return cohort_math_whole_log_(sum, low / sum, &low);
}

/* The logarithm of x for the base 2, within 0.51 ulp; of a power of two it is exact. */
static inline double cohort_log2(double x)
{
    if (!cohort_math_has_log_(x))
        return cohort_math_no_log_(x);
    int n;
    double low, lost;
    const double y = cohort_math_log_parts_(x, 0.0, &n, &low);
    const double of_two =
        cohort_math_times_(y, low, 1.4426950408889634, 2.0355273740931033e-17, &low);
    const double sum = cohort_math_sum_(COHORT_MATH_CAST_(double, n), of_two, &lost);
    return sum + (lost + low);
}

/* The logarithm of x for the base 10, within 0.51 ulp; of a power of ten it is exact. */
static inline double cohort_log10(double x)
{
    if (!cohort_math_has_log_(x))
        return cohort_math_no_log_(x);
    int n;
    double low, lost;
    const double y = cohort_math_log_parts_(x, 0.0, &n, &low);
    const double of_ten =
        cohort_math_times_(y, low, 0.4342944819032518, 1.098319650216765e-17, &low);
    const double sum = cohort_math_sum_(n * 0.3010299956640665, of_ten, &lost);
    return sum + (lost + (low + n * -8.532344317057107e-14));
}

/* ---- pow */

/* 0: y is no integer; 1: an odd one; 2: an even one, as all large numbers are. */
static inline int cohort_math_parity_(double y)
{
    const double size = cohort_math_size_(y);
    if (!(size < 9007199254740992.0)) /* 2^53 */
        return 2;
    const COHORT_MATH_I64_ whole = COHORT_MATH_CAST_(COHORT_MATH_I64_, size);
    return COHORT_MATH_CAST_(double, whole) != size ? 0 : (whole & 1) != 0 ? 1 : 2;
}

/* x^y for a finite x > 0 and a finite y. */
static inline double cohort_math_pow_(double x, double y)
{
    double low;
    const double log = cohort_math_whole_log_(x, 0.0, &low);
    /* 2^64: from there on all is 0, 1 or infinite */
    const double power = cohort_math_bounded_(y, 18446744073709551616.0);
    double z = cohort_math_times_(log, low, power, 0.0, &low);
    if (!(cohort_math_size_(z) < 800.0)) {
        z = z < 0.0 ? -800.0 : 800.0;
        low = 0.0;
    }
    int n;
    const double e = cohort_math_exp_parts_(z, low, &n, &low);
    return cohort_math_rounded_sum_(e, low, n);
}

/* x^y for x >= 0 where x is 0 or infinite, or y is infinite: 0, 1 or infinite. */
static inline double cohort_math_pow_of_edge_(double x, double y)
{
    return x == 1.0                 ? 1.0
           : (x > 1.0) == (y > 0.0) ? COHORT_MATH_DOUBLE_(COHORT_MATH_LONG_INFINITY_)
                                    : 0.0;
}

/* x to the power y, within 0.55 ulp; special values are those of C, Annex F: 1 for y = 0 and for
 * x = 1, whatever the other is, and NaN for a finite x < 0 with a finite y that is no integer. */
static inline double cohort_pow(double x, double y)
{
    if ((y == 0.0) | (x == 1.0))
        return 1.0;
    if ((x != x) | (y != y))
        return COHORT_MATH_DOUBLE_(COHORT_MATH_LONG_NAN_);
    const double size = cohort_math_size_(x), most = 1.7976931348623157e308;
    const int is_edge = size == 0.0 || size > most || cohort_math_size_(y) > most;
    const int parity = COHORT_MATH_LONG_BITS_(x) < 0 ? cohort_math_parity_(y) : 2;
    if ((parity == 0) & !is_edge)
        return COHORT_MATH_DOUBLE_(COHORT_MATH_LONG_NAN_);
    const double power = is_edge ? cohort_math_pow_of_edge_(size, y) : cohort_math_pow_(size, y);
    return parity == 1 ? -power : power;
}

/* ---- Hyperbolic functions */

/* The hyperbolic sine of x, within 0.6 ulp. */
static inline double cohort_sinh(double x)
{
    const double a = cohort_math_size_(cohort_math_bounded_(x, 800.0));
    double low, rest;
    if (a < 40.0) {
        /* (e + e / (e + 1)) / 2 for e = e^a - 1 */
        const double e = cohort_math_less_one_(a, &low);
        double of_more;
        const double more = cohort_math_sum_(e, 1.0, &of_more);
        const double part = cohort_math_quotient_(e, low, more, of_more + low, &rest);
        const double sum = cohort_math_near_sum_(e, part, &of_more);
        return a == 0.0 ? x : cohort_math_signed_(x, 0.5 * sum + 0.5 * (of_more + (low + rest)));
    }
    int n;
    const double y = cohort_math_exp_parts_(a, 0.0, &n, &low);
    return cohort_math_signed_(x, cohort_math_rounded_sum_(y, low, n - 1));
}

/* The hyperbolic cosine of x, within 0.54 ulp. */
static inline double cohort_cosh(double x)
{
    const double a = cohort_math_size_(cohort_math_bounded_(x, 800.0));
    int n;
    double low, rest, lost;
    const double y = cohort_math_exp_parts_(a, 0.0, &n, &low);
    if (!(a < 40.0))
        return cohort_math_double_or_nan_(x, cohort_math_rounded_sum_(y, low, n - 1));
    const double half_unit = 0.5 * cohort_math_power_of_two_(n);
    const double halved = y * half_unit, of_half = low * half_unit;
    const double inverse = cohort_math_quotient_(0.25, 0.0, halved, of_half, &rest);
    const double sum = cohort_math_near_sum_(halved, inverse, &lost);
    return cohort_math_double_or_nan_(x, sum + (lost + (of_half + rest)));
}

/* The hyperbolic tangent of x, within 0.6 ulp. */
static inline double cohort_tanh(double x)
{
    /* e / (e + 2) for e = e^2a - 1; from 22 on it is 1 */
    const double a = cohort_math_size_(cohort_math_bounded_(x, 22.0));
    double low, of_more;
    const double e = cohort_math_less_one_(a + a, &low);
    const double more = cohort_math_sum_(e, 2.0, &of_more);
    const double y = cohort_math_quotient_(e, low, more, of_more + low, &low);
    return a == 0.0 ? x : cohort_math_signed_(x, y);
}

/* ---- Roots */

/* The cube root of 1 <= m < 8, in the bits of a double: within 5 percent, twice by Halley within
 * 2^-40, then by Newton with the exact cube. */
static inline double cohort_math_cube_root_(COHORT_MATH_I64_ bits)
{
    const double m = COHORT_MATH_DOUBLE_(bits);
    double t = COHORT_MATH_DOUBLE_(bits / 3 + 0x2a9f789300000000);
    for (int i = 0; i < 2; i++) {
        const double cube = t * t * t;
        t = t * (m + m + cube) / (m + cube + cube);
    }
    double of_square, of_cube;
    const double square = cohort_math_product_(t, t, &of_square);
    const double cube = cohort_math_product_(square, t, &of_cube);
    return t + ((m - cube) - (of_cube + of_square * t)) / (3.0 * square);
}

/* The cube root of x, within 0.51 ulp. */
static inline double cohort_cbrt(double x)
{
    const COHORT_MATH_I64_ size = COHORT_MATH_LONG_BITS_(x) & COHORT_MATH_LONG_SIZE_;
    if ((size == 0) | (size >= COHORT_MATH_LONG_INFINITY_))
        return cohort_math_double_or_nan_(x, x);
    int power;
    const COHORT_MATH_I64_ bits = cohort_math_double_parts_(size, &power);
    const int n = (power + 1200) / 3 - 400;
    const double root = cohort_math_cube_root_(bits + (power - 3 * n) * COHORT_MATH_LONG_UNIT_);
    return cohort_math_signed_(x, root * cohort_math_power_of_two_(n));
}

/* sqrt(x^2 + y^2), within 0.51 ulp, without overflow or underflow on the way. It is infinite if x
 * or y is, even beside a NaN. */
static inline double cohort_hypot(double x, double y)
{
    const COHORT_MATH_I64_ size_x = COHORT_MATH_LONG_BITS_(x) & COHORT_MATH_LONG_SIZE_,
                           size_y = COHORT_MATH_LONG_BITS_(y) & COHORT_MATH_LONG_SIZE_;
    const COHORT_MATH_I64_ high = size_x > size_y ? size_x : size_y,
                           low = size_x > size_y ? size_y : size_x;
    if ((high == COHORT_MATH_LONG_INFINITY_) | (low == COHORT_MATH_LONG_INFINITY_))
        return COHORT_MATH_DOUBLE_(COHORT_MATH_LONG_INFINITY_);
    if (high > COHORT_MATH_LONG_INFINITY_)
        return COHORT_MATH_DOUBLE_(COHORT_MATH_LONG_NAN_);
    if (low == 0)
        return COHORT_MATH_DOUBLE_(high);
    int power_a, power_b;
    const double a = COHORT_MATH_DOUBLE_(cohort_math_double_parts_(high, &power_a));
    const COHORT_MATH_I64_ b = cohort_math_double_parts_(low, &power_b);
    /* from 2^-60 on the smaller one is nothing beside the other */
    const int behind = power_a - power_b < 60 ? power_a - power_b : 60;
    const double of_b = COHORT_MATH_DOUBLE_(b - behind * COHORT_MATH_LONG_UNIT_);
    double rest_a, rest_b, lost;
    const double square_a = cohort_math_product_(a, a, &rest_a);
    const double sum =
        cohort_math_near_sum_(square_a, cohort_math_product_(of_b, of_b, &rest_b), &lost);
    const double root = cohort_math_root_(sum, lost + (rest_a + rest_b), &lost);
    return cohort_math_rounded_sum_(root, lost, power_a);
}

COHORT_MATH_END_

#endif
