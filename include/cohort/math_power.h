/* SPDX-License-Identifier: BSD-3-Clause */
/* Powers, logarithms, roots and hyperbolic functions of floats, with the same bits in C, C++ and
 * OpenCL C. Conventions: cohort/math.h, of which this is a part.
 *
 * Largest error, over all floats; of cohort_hypotf over 10^8 pairs and a grid of edges (make
 * check-long):
 *   cohort_exp2f    1.1 ulp
 *   cohort_log2f    1.2 ulp
 *   cohort_log10f   1.1 ulp
 *   cohort_cbrtf    0.87 ulp
 *   cohort_hypotf   0.76 ulp
 *   cohort_expm1f   1.7 ulp
 *   cohort_log1pf   0.51 ulp
 *   cohort_powf     1.4 ulp, over 10^8 pairs, too
 *   cohort_sinhf    1.7 ulp
 *   cohort_coshf    1.5 ulp */
#ifndef COHORT_MATH_POWER_H
#define COHORT_MATH_POWER_H

#include <cohort/math.h>

COHORT_MATH_BEGIN_

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

/* ---- expm1, log1p and pow */

/* e^x - 1, within 1.7 ulp. */
static inline float cohort_expm1f(float x)
{
    /* 2^n (1 + q) - 1; from 17.5 on, 1 is nothing beside e^x, and from -17.5 on it is all */
    const float above = x < 17.5f ? x : 17.5f, bounded = above < -17.5f ? -17.5f : above;
    int n;
    const float q = cohort_math_exp_rest_(bounded, &n);
    const float unit = COHORT_MATH_FLOAT_((n + 127) << 23);
    const float y = x > 17.0f ? cohort_expf(x) : (unit - 1.0f) + unit * q;
    const int bits = COHORT_MATH_BITS_(x), size = bits & 0x7fffffff;
    const int out = cohort_math_choose_(size == 0, bits, COHORT_MATH_BITS_(y));
    return COHORT_MATH_FLOAT_(
        cohort_math_choose_(size > COHORT_MATH_INFINITY_, COHORT_MATH_NAN_, out));
}

/* a + b, exactly: the sum of the result and *out_low. */
static inline float cohort_math_float_sum_(float a, float b, float *out_low)
{
    const float sum = a + b, of_b = sum - a;
    *out_low = (a - (sum - of_b)) + (b - of_b);
    return sum;
}

/* For the 32 parts of [1, 2), from 45 / 32 on halved: 1 / c of 7 bits for a c in it, and log(c) in
 * two parts, the first a multiple of 2^-16. Beside 1, c is 1. */
COHORT_MATH_TABLE_ float cohort_math_float_logarithms_[32][3] = {
    { 1.0f, 0.0f, 0.0f },
    { 0.953125f, 0.0480041504f, 5.06879587e-06f },
    { 0.921875f, 0.0813446045f, 1.03496177e-06f },
    { 0.90625f, 0.0984344482f, 5.62457126e-06f },
    { 0.875f, 0.133529663f, 1.72953855e-06f },
    { 0.859375f, 0.151550293f, -3.9484155e-07f },
    { 0.828125f, 0.188598633f, -7.46300475e-06f },
    { 0.8125f, 0.207641602f, -2.23678421e-06f },
    { 0.796875f, 0.227050781f, 6.66938513e-06f },
    { 0.765625f, 0.267059326f, 3.45907711e-06f },
    { 0.75f, 0.287689209f, -7.13653253e-06f },
    { 0.734375f, 0.308731079f, 4.40254826e-06f },
    { 0.71875f, 0.330245972f, -4.28480917e-06f },
    { 1.40625f, -0.340927124f, 5.3705287e-07f },
    { 1.375f, -0.318450928f, -2.80338418e-06f },
    { 1.34375f, -0.295471191f, 6.97851237e-06f },
    { 1.3125f, -0.27192688f, -6.83560074e-06f },
    { 1.296875f, -0.259963989f, 6.46482067e-06f },
    { 1.265625f, -0.235565186f, -8.85765871e-07f },
    { 1.25f, -0.223144531f, 9.79935749e-07f },
    { 1.21875f, -0.1978302f, 4.45686555e-06f },
    { 1.203125f, -0.184921265f, -1.07384562e-06f },
    { 1.171875f, -0.158599854f, -5.17666103e-06f },
    { 1.15625f, -0.145187378f, 5.36808511e-06f },
    { 1.125f, -0.117782593f, -4.42882936e-07f },
    { 1.109375f, -0.103790283f, -6.51047867e-06f },
    { 1.09375f, -0.0896148682f, 2.7094743e-06f },
    { 1.078125f, -0.0752258301f, 2.4088406e-06f },
    { 1.0625f, -0.0606231689f, -1.45287117e-06f },
    { 1.046875f, -0.0458068848f, -2.65126573e-06f },
    { 1.03125f, -0.0307769775f, 5.31887235e-06f },
    { 1.0f, 0.0f, 0.0f }
};

/* The logarithm of a size that is neither 0 nor infinite, times 1 + more, a tiny number: the sum of
 * the result and *out_low, within 2^-36 of it. */
static inline float cohort_math_log_parts_of_float_(int size, float more, float *out_low)
{
    int power;
    const int bits = cohort_math_parts_(size, &power);
    const int i = (bits >> 18) & 31, is_upper = i >= 13, n = power + is_upper;
    const float m = COHORT_MATH_FLOAT_(bits - (0x00800000 & -is_upper));
    const float inverse = cohort_math_float_logarithms_[i][0], head = cohort_math_head_(m);
    /* both products are exact, and so is the difference */
    float low, lost;
    const float first = cohort_math_float_sum_(head * inverse - 1.0f, (m - head) * inverse, &low);
    const float r = cohort_math_float_sum_(first, low + more * (1.0f + first), &low);
    const float square = r * r;
    const float tail =
        square * r *
        (0.333333343f + r * (-0.25f + r * (0.2f + r * (-0.166666672f + r * 0.142857149f))));
    const float near = cohort_math_float_sum_(r, -0.5f * square, &lost);
    const float rest =
        lost + ((low - (0.5f * cohort_math_square_rest_(r, square) + r * low)) + tail);
    /* the first sum is exact */
    const float whole =
        COHORT_MATH_CAST_(float, n) * 0.693145752f + cohort_math_float_logarithms_[i][1];
    const float sum = cohort_math_float_sum_(whole, near, &lost);
    const float last = rest + (COHORT_MATH_CAST_(float, n) * 1.42860677e-06f +
                               cohort_math_float_logarithms_[i][2]);
    return cohort_math_float_sum_(sum, lost + last, out_low);
}

/* log(1 + x), within 0.51 ulp. */
static inline float cohort_log1pf(float x)
{
    float lost, low;
    const float sum = cohort_math_float_sum_(1.0f, x, &lost);
    const int bits = COHORT_MATH_BITS_(sum),
              is_positive = (bits > 0) & (bits < COHORT_MATH_INFINITY_);
    const float safe = is_positive ? sum : 1.0f;
    const float y = cohort_math_log_parts_of_float_(COHORT_MATH_BITS_(safe),
                                                    is_positive ? lost / safe : 0.0f, &low);
    return x == 0.0f ? x : cohort_math_log_special_(sum, y + low);
}

/* 0: y is no integer; 1: an odd one; 2: an even one, as all large numbers are. */
static inline int cohort_math_parity_of_float_(float y)
{
    const float size = COHORT_MATH_FLOAT_(COHORT_MATH_BITS_(y) & 0x7fffffff);
    const int is_large = size >= 16777216.0f;
    const int whole = COHORT_MATH_CAST_(int, is_large ? 0.0f : size);
    const int is_whole = is_large | (COHORT_MATH_CAST_(float, whole) == size);
    return is_whole ? 2 - (whole & 1) : 0;
}

/* x^y for a size x that is neither 0 nor infinite, and a finite y. */
static inline float cohort_math_powf_(int x, float y)
{
    float low;
    const float log = cohort_math_log_parts_of_float_(x, 0.0f, &low);
    /* 2^40: from there on all is 0, 1 or infinite */
    const float above = y < 1.09951163e12f ? y : 1.09951163e12f;
    const float power = above < -1.09951163e12f ? -1.09951163e12f : above;
    const float z = log * power, head = cohort_math_head_(log), of_power = cohort_math_head_(power);
    const float rest =
        (((head * of_power - z) + head * (power - of_power)) + (log - head) * of_power) +
        ((log - head) * (power - of_power) + low * power);
    const int is_far = (z > 104.0f) | (z < -104.0f);
    const float bounded = z < -104.0f ? -104.0f : z > 104.0f ? 104.0f : z;
    int n;
    const float q = cohort_math_exp_rest_(bounded, &n), more = is_far ? 0.0f : rest;
    return cohort_math_times_power_(1.0f + (q + (more + more * q)), n);
}

/* x to the power y, within 1.4 ulp; special values are those of C, Annex F: 1 for y = 0 and for
 * x = 1, whatever the other is, and NaN for a finite x < 0 with a finite y that is no integer. */
static inline float cohort_powf(float x, float y)
{
    const int bits = COHORT_MATH_BITS_(x), size = bits & 0x7fffffff,
              of_y = COHORT_MATH_BITS_(y) & 0x7fffffff;
    if ((of_y == 0) | (bits == 0x3f800000))
        return 1.0f;
    if ((size > COHORT_MATH_INFINITY_) | (of_y > COHORT_MATH_INFINITY_))
        return COHORT_MATH_FLOAT_(COHORT_MATH_NAN_);
    const int is_edge =
        (size == 0) | (size == COHORT_MATH_INFINITY_) | (of_y == COHORT_MATH_INFINITY_);
    const int parity = bits < 0 ? cohort_math_parity_of_float_(y) : 2;
    if ((parity == 0) & !is_edge)
        return COHORT_MATH_FLOAT_(COHORT_MATH_NAN_);
    const float of_edge = size == 0x3f800000 ? 1.0f
                          : (size > 0x3f800000) == (y > 0.0f)
                              ? COHORT_MATH_FLOAT_(COHORT_MATH_INFINITY_)
                              : 0.0f;
    const float power = is_edge ? of_edge : cohort_math_powf_(size, y);
    return parity == 1 ? -power : power;
}

/* ---- Hyperbolic functions */

/* e^a / 2, and e^-a / 2 as *out_less, for 0 <= a <= 90. */
static inline float cohort_math_half_exp_(float a, float *out_less)
{
    int n;
    const float p = cohort_math_exp_(a, &n);
    const int least = n < 100 ? n : 100;
    *out_less = COHORT_MATH_FLOAT_((126 - least) << 23) / p;
    return cohort_math_times_power_(p, n - 1);
}

/* The hyperbolic sine of x, within 1.7 ulp. */
static inline float cohort_sinhf(float x)
{
    const int bits = COHORT_MATH_BITS_(x), size = bits & 0x7fffffff;
    const float a = COHORT_MATH_FLOAT_(size < 0x42b40000 ? size : 0x42b40000); /* 90 */
    const float square = a * a;
    const float tail =
        0.166666672f +
        square * (0.00833331048f + square * (0.000198429014f + square * 2.78213906e-06f));
    const float small = a + a * (square * tail);
    float less;
    const float more = cohort_math_half_exp_(a, &less);
    /* 1 */
    const int y = cohort_math_choose_(size < 0x3f800000, COHORT_MATH_BITS_(small),
                                      COHORT_MATH_BITS_(more - less));
    return COHORT_MATH_FLOAT_(
        cohort_math_choose_(size > COHORT_MATH_INFINITY_, COHORT_MATH_NAN_, y | (bits ^ size)));
}

/* The hyperbolic cosine of x, within 1.5 ulp. */
static inline float cohort_coshf(float x)
{
    const int size = COHORT_MATH_BITS_(x) & 0x7fffffff;
    float less;
    const float more =
        cohort_math_half_exp_(COHORT_MATH_FLOAT_(size < 0x42b40000 ? size : 0x42b40000), &less);
    return COHORT_MATH_FLOAT_(cohort_math_choose_(size > COHORT_MATH_INFINITY_, COHORT_MATH_NAN_,
                                                  COHORT_MATH_BITS_(more + less)));
}

/* ---- Roots */

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

COHORT_MATH_END_

#endif
