/* SPDX-License-Identifier: BSD-3-Clause */
/* cohort_exp, cohort_log and what the functions of doubles have in common: those of cohort/math.h,
 * of which this is a part, without the f behind their names, with the same bits in C, C++ and
 * OpenCL C. Conventions: there. A device without doubles refuses a body that calls them.
 *
 * Numbers in two parts, a double and what is left of it, carry about 106 bits; from them a result
 * is rounded once, so that errors are little more than half a unit in the last place. There is no
 * fma: products are split by their bits. Not vector code: tables, and branches where results are
 * subnormal.
 *
 * Largest error (make check-long, on 10^7 places beside MPFR; doc/math.md):
 *   cohort_exp   0.53 ulp
 *   cohort_log   0.51 ulp
 *
 * Tables and polynomials: scripts/make_double_coefficients.py. Source: P.-T. P. Tang, "Table-driven
 * implementation of the exponential function" and "... of the logarithm function in IEEE
 * floating-point arithmetic", ACM TOMS 15 and 16, 1989 and 1990; T. J. Dekker, "A floating-point
 * technique for extending the available precision", Numerische Mathematik 18, 1971. */
#ifndef COHORT_MATH_DOUBLE_H
#define COHORT_MATH_DOUBLE_H

#include <cohort/math.h>

COHORT_MATH_BEGIN_

#if defined(__OPENCL_VERSION__) || defined(__OPENCL_C_VERSION__)

#define COHORT_MATH_SQRT_OF_DOUBLE_(x) sqrt(x)
#define COHORT_MATH_LONG_BITS_(x) as_long(x)
#define COHORT_MATH_DOUBLE_(bits) as_double(bits)

#else

#define COHORT_MATH_SQRT_OF_DOUBLE_(x) sqrt(x)
#define COHORT_MATH_LONG_BITS_(x) cohort_math_long_bits_(x)
#define COHORT_MATH_DOUBLE_(bits) cohort_math_double_(bits)

static inline int64_t cohort_math_long_bits_(double x)
{
    int64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline double cohort_math_double_(int64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

#endif

#define COHORT_MATH_LONG_NAN_ 0x7ff8000000000000
#define COHORT_MATH_LONG_INFINITY_ 0x7ff0000000000000
#define COHORT_MATH_LONG_SIZE_ 0x7fffffffffffffff
#define COHORT_MATH_LONG_ONE_ 0x3ff0000000000000
#define COHORT_MATH_LONG_UNIT_ 0x0010000000000000 /* one more in the exponent */

/* ---- Sums, products, quotients and roots in two parts */

/* a + b, exactly: the sum of the result and *out_low. */
static inline double cohort_math_sum_(double a, double b, double *out_low)
{
    const double sum = a + b, of_b = sum - a;
    *out_low = (a - (sum - of_b)) + (b - of_b);
    return sum;
}

/* The same for |a| >= |b|. */
static inline double cohort_math_near_sum_(double a, double b, double *out_low)
{
    const double sum = a + b;
    *out_low = b - (sum - a);
    return sum;
}

/* The first 26 bits of a double: a product of two such is exact. */
static inline double cohort_math_double_head_(double x)
{
    return COHORT_MATH_DOUBLE_(COHORT_MATH_LONG_BITS_(x) &
                               ~COHORT_MATH_CAST_(COHORT_MATH_I64_, 0x7ffffff));
}

/* a * b, of which *out_low is what the result lost, within 2^-106. */
static inline double cohort_math_product_(double a, double b, double *out_low)
{
    const double head_a = cohort_math_double_head_(a), head_b = cohort_math_double_head_(b);
    const double tail_a = a - head_a, tail_b = b - head_b, product = a * b;
    *out_low =
        (((head_a * head_b - product) + head_a * tail_b) + tail_a * head_b) + tail_a * tail_b;
    return product;
}

/* (a + low_a) (b + low_b). */
static inline double cohort_math_times_(double a, double low_a, double b, double low_b,
                                        double *out_low)
{
    double low;
    const double product = cohort_math_product_(a, b, &low);
    return cohort_math_near_sum_(product, low + (a * low_b + low_a * b), out_low);
}

/* (a + low_a) / (b + low_b). */
static inline double cohort_math_quotient_(double a, double low_a, double b, double low_b,
                                           double *out_low)
{
    const double inverse = 1.0 / b, q = a * inverse;
    double low;
    const double product = cohort_math_product_(q, b, &low);
    return cohort_math_near_sum_(q, (((a - product) - low) + (low_a - q * low_b)) * inverse,
                                 out_low);
}

/* sqrt(v + low) in two parts, for v between 2^-60 and 2^60, or 0. */
static inline double cohort_math_root_(double v, double low, double *out_low)
{
    double of_square;
    const double root = COHORT_MATH_SQRT_OF_DOUBLE_(v);
    const double square = cohort_math_product_(root, root, &of_square);
    const double twice = root == 0.0 ? 1.0 : root + root;
    return cohort_math_near_sum_(root, (((v - square) - of_square) + low) / twice, out_low);
}

/* ---- Parts of a double */

/* A size that is not 0, infinite or a NaN, as the bits of a double in [1, 2), and the power of two
 * that it is multiplied with. A subnormal number is an integer times 2^-1074. */
static inline COHORT_MATH_I64_ cohort_math_double_parts_(COHORT_MATH_I64_ size, int *out_power)
{
    const int is_subnormal = size < COHORT_MATH_LONG_UNIT_;
    const COHORT_MATH_I64_ normal =
        is_subnormal ? COHORT_MATH_LONG_BITS_(COHORT_MATH_CAST_(double, size)) : size;
    *out_power = COHORT_MATH_CAST_(int, normal >> 52) - (is_subnormal ? 1023 + 1074 : 1023);
    return (normal & 0x000fffffffffffff) | COHORT_MATH_LONG_ONE_;
}

/* 2^n for -1022 <= n <= 1023. */
static inline double cohort_math_power_of_two_(int n)
{
    return COHORT_MATH_DOUBLE_(COHORT_MATH_CAST_(COHORT_MATH_I64_, n + 1023) << 52);
}

/* (y + low) 2^n where the result may be subnormal, for -1200 <= n: what is added makes the last bit
 * of the sum that of a subnormal number, so that it is rounded once. */
static inline double cohort_math_subnormal_(double y, double low, int n)
{
    const double lift = cohort_math_power_of_two_(-1022 - n), sum = lift + y;
    const double rest = ((lift - sum) + y) + low;
    const double rounded = (sum + rest) - lift;
    return rounded * cohort_math_power_of_two_(n + 200) * cohort_math_power_of_two_(-200);
}

/* (y + low) 2^n, rounded once, for 2^-60 <= y < 2^60 and -1200 <= n <= 1200. */
static inline double cohort_math_rounded_sum_(double y, double low, int n)
{
    const double near = y + low;
    const int exponent = COHORT_MATH_CAST_(int, COHORT_MATH_LONG_BITS_(near) >> 52) + n;
    if (exponent < 1)
        return cohort_math_subnormal_(y, low, n);
    if (exponent > 2046)
        return COHORT_MATH_DOUBLE_(COHORT_MATH_LONG_INFINITY_);
    return COHORT_MATH_DOUBLE_(COHORT_MATH_LONG_BITS_(near) +
                               COHORT_MATH_CAST_(COHORT_MATH_I64_, n) * COHORT_MATH_LONG_UNIT_);
}

/* y, or the one NaN where x is a NaN. */
static inline double cohort_math_double_or_nan_(double x, double y)
{
    return x != x ? COHORT_MATH_DOUBLE_(COHORT_MATH_LONG_NAN_) : y;
}

/* The size of y, which is not negative, with the sign of x, or the one NaN if x is a NaN. */
static inline double cohort_math_signed_(double x, double y)
{
    const COHORT_MATH_I64_ bits = COHORT_MATH_LONG_BITS_(x);
    const COHORT_MATH_I64_ sign = bits ^ (bits & COHORT_MATH_LONG_SIZE_);
    return cohort_math_double_or_nan_(x, COHORT_MATH_DOUBLE_(COHORT_MATH_LONG_BITS_(y) | sign));
}

/* |x|. */
static inline double cohort_math_size_(double x)
{
    return COHORT_MATH_DOUBLE_(COHORT_MATH_LONG_BITS_(x) & COHORT_MATH_LONG_SIZE_);
}

/* ---- exp */

/* 2^(j / 32), in two parts. */
COHORT_MATH_TABLE_ double cohort_math_powers_[32][2] = {
    { 1.0, 0.0 },
    { 1.0218971486541166, 5.109225028973444e-17 },
    { 1.0442737824274138, 8.551889705537965e-17 },
    { 1.0671404006768237, -7.899853966841582e-17 },
    { 1.0905077326652577, -3.046782079812471e-17 },
    { 1.1143867425958924, 1.0410278456845571e-16 },
    { 1.1387886347566916, 8.912812676025408e-17 },
    { 1.1637248587775775, 3.8292048369240935e-17 },
    { 1.189207115002721, 3.982015231465646e-17 },
    { 1.215247359980469, -7.712630692681488e-17 },
    { 1.241857812073484, 4.658027591836937e-17 },
    { 1.2690509571917332, 2.667932131342186e-18 },
    { 1.2968395546510096, 2.5382502794888315e-17 },
    { 1.3252366431597413, -2.8587312100388614e-17 },
    { 1.3542555469368927, 7.70094837980299e-17 },
    { 1.383909881963832, -6.770511658794786e-17 },
    { 1.4142135623730951, -9.667293313452913e-17 },
    { 1.4451808069770467, -3.0237581349939873e-17 },
    { 1.4768261459394993, -3.483994556892796e-17 },
    { 1.5091644275934228, -1.016455327754295e-16 },
    { 1.5422108254079407, 7.949834809697621e-17 },
    { 1.5759808451078865, -1.0136916471278304e-17 },
    { 1.6104903319492543, 2.4707192569797888e-17 },
    { 1.645755478153965, -1.0125679913674773e-16 },
    { 1.681792830507429, 8.199010020581497e-17 },
    { 1.718619298122478, -1.851380418263111e-17 },
    { 1.7562521603732995, 2.960140695448873e-17 },
    { 1.7947090750031072, 1.8227458427912087e-17 },
    { 1.8340080864093424, 3.283107224245627e-17 },
    { 1.8741676341103, -6.122763413004143e-17 },
    { 1.9152065613971474, -1.0619946056195963e-16 },
    { 1.9571441241754002, 8.960767791036668e-17 }
};

/* 2^(k / 32) e^(r + low) for |r| <= ln 2 / 64: the sum of the result and *out_low, times
 * 2^*out_n. */
static inline double cohort_math_exp_table_(int k, double r, double low, int *out_n,
                                            double *out_low)
{
    const int j = k & 31;
    const double high = cohort_math_powers_[j][0], rest = cohort_math_powers_[j][1];
    const double tail =
        r * r *
        (0.5 +
         r * (1.0 / 6 + r * (1.0 / 24 + r * (1.0 / 120 + r * (1.0 / 720 + r * (1.0 / 5040))))));
    *out_n = (k - j) / 32;
    return cohort_math_near_sum_(high, rest + high * (r + (low + tail)), out_low);
}

/* e^(x + low) for |x| <= 800 and a low that is less than a unit in the last place of x: the sum of
 * the result, in [0.98, 2.03], and *out_low, times 2^*out_n. */
static inline double cohort_math_exp_parts_(double x, double low, int *out_n, double *out_low)
{
    /* 3 * 2^51 rounds to an integer; of ln 2 / 32 the first 35 bits, whose product is exact */
    const double shifted = x * 46.16624130844683 + 6755399441055744.0;
    const double k = shifted - 6755399441055744.0;
    double rest;
    const double r =
        cohort_math_sum_(x - k * 0.021660849392901582, low + k * 4.0329125843991075e-13, &rest);
    return cohort_math_exp_table_(
        COHORT_MATH_CAST_(int, COHORT_MATH_LONG_BITS_(shifted) - 0x4338000000000000), r, rest,
        out_n, out_low);
}

/* x, but -most below, and `most` above and for a NaN. */
static inline double cohort_math_bounded_(double x, double most)
{
    return x < -most ? -most : x < most ? x : most;
}

/* e^x, within 0.53 ulp. */
static inline double cohort_exp(double x)
{
    int n;
    double low;
    /* 800: from there on all is 0 or infinite */
    const double y = cohort_math_exp_parts_(cohort_math_bounded_(x, 800.0), 0.0, &n, &low);
    return cohort_math_double_or_nan_(x, cohort_math_rounded_sum_(y, low, n));
}

/* ---- log */

/* For the 64 parts of [1, 2), from 91 / 64 on halved: 1 / c of 10 bits for a c in it, and log(c) in
 * two parts, the first a multiple of 2^-42. Beside 1, c is 1. */
COHORT_MATH_TABLE_ double cohort_math_logarithms_[64][3] = {
    { 1.0, 0.0, 0.0 },
    { 0.9765625, 0.023716526617363343, -4.730054772033249e-14 },
    { 0.962890625, 0.03781545099673167, 8.600744742060645e-14 },
    { 0.947265625, 0.05417573410204568, -2.1092591481336484e-14 },
    { 0.93359375, 0.06871389254797577, 7.603386951772729e-14 },
    { 0.919921875, 0.08346653102307755, 1.2485591229479935e-14 },
    { 0.908203125, 0.09628721945205143, 1.0004154004618119e-13 },
    { 0.89453125, 0.11145544092528326, 3.957125899799804e-14 },
    { 0.8828125, 0.12464244520720058, 7.601671269852866e-14 },
    { 0.87109375, 0.1380056730195065, -6.278619479555556e-14 },
    { 0.859375, 0.151549898127314, -1.1307104809870373e-13 },
    { 0.84765625, 0.16528009093917717, -7.424679100316254e-14 },
    { 0.8359375, 0.17920142945763473, 7.626153677429339e-14 },
    { 0.826171875, 0.19095244599316175, 6.806942496762734e-14 },
    { 0.814453125, 0.20523840324062803, 7.830497219227196e-14 },
    { 0.8046875, 0.21730127569003344, -5.204008743405884e-14 },
    { 0.794921875, 0.22951143959699039, -7.75890005756947e-14 },
    { 0.78515625, 0.24187253642048745, -7.252318953240293e-16 },
    { 0.775390625, 0.25438834435226454, 5.28323330087437e-14 },
    { 0.765625, 0.2670627852489815, 6.371947269815667e-14 },
    { 0.7578125, 0.27731928541629713, -6.279055732660844e-14 },
    { 0.748046875, 0.290289635858926, -6.418144637660116e-14 },
    { 0.740234375, 0.30078841995714356, -6.212323048084214e-14 },
    { 0.73046875, 0.3140688276250785, -1.0263280755261064e-13 },
    { 0.72265625, 0.3248216194012912, -5.351646604259541e-14 },
    { 0.71484375, 0.3356912916381134, 2.8136969901227338e-14 },
    { 0.70703125, 0.3466804132137895, -5.277820018864269e-14 },
    { 1.3984375, -0.3353555419212171, 7.925157831386559e-14 },
    { 1.3828125, -0.32411946865431673, 1.0475750058776541e-13 },
    { 1.369140625, -0.31418326199514013, 5.78226744752067e-14 },
    { 1.35546875, -0.30414733546740536, 1.0863828679707913e-13 },
    { 1.33984375, -0.29255300268641804, 4.0599978860151284e-14 },
    { 1.326171875, -0.28229650251910243, -8.591005116461382e-14 },
    { 1.3125, -0.2719337154835557, -8.604306772808733e-14 },
    { 1.298828125, -0.26146241561627903, -6.732357717676106e-14 },
    { 1.287109375, -0.2523989094629542, -4.525483213977917e-14 },
    { 1.2734375, -0.2417199368871934, 4.8230289429940886e-14 },
    { 1.26171875, -0.23247487874300532, -8.874507297974632e-14 },
    { 1.248046875, -0.22157982933799758, -2.943906849595697e-14 },
    { 1.236328125, -0.21214579710476755, 9.915042767736755e-14 },
    { 1.224609375, -0.2026219155934541, 4.119425349421142e-14 },
    { 1.212890625, -0.19300645689395424, -1.6743362111260996e-14 },
    { 1.201171875, -0.1832976427670019, -8.195810871501334e-15 },
    { 1.19140625, -0.17513433212775453, -9.461516580665081e-14 },
    { 1.1796875, -0.16524957289539088, 8.372091099235912e-14 },
    { 1.169921875, -0.15693697307597176, 3.0199991588728915e-14 },
    { 1.158203125, -0.1468697739583149, 9.72408768682066e-14 },
    { 1.1484375, -0.13840232285906495, -5.4183331379008994e-14 },
    { 1.138671875, -0.1298625613110289, 4.431886289018848e-14 },
    { 1.126953125, -0.11951764146851929, -7.249000326669549e-14 },
    { 1.1171875, -0.11081436634026431, -2.5799991283069902e-14 },
    { 1.107421875, -0.10203467868814187, -1.0241934414218483e-13 },
    { 1.099609375, -0.09495500310026728, 8.467950419828151e-14 },
    { 1.08984375, -0.0860343373417436, -5.955922987625643e-14 },
    { 1.080078125, -0.07703337648285924, 3.222480823739624e-14 },
    { 1.0703125, -0.06795066190852594, 1.8195060030168815e-14 },
    { 1.0625, -0.06062462181648698, 5.213620639136504e-14 },
    { 1.052734375, -0.051390945869570714, 8.134490401032933e-14 },
    { 1.044921875, -0.04394212185638935, -1.0941417282366671e-13 },
    { 1.037109375, -0.03643739620247288, 4.183392669768346e-14 },
    { 1.02734375, -0.026976587698300136, 9.806050516843177e-14 },
    { 1.01953125, -0.019342962843211353, 8.041853850522586e-14 },
    { 1.01171875, -0.011650617220084314, 1.0903974971735932e-13 },
    { 1.0, 0.0, 0.0 }
};

/* log(1 + r + low) for |r| <= 2^-6, in two parts. */
static inline double cohort_math_log_near_(double r, double low, double *out_low)
{
    double rest, lost;
    const double square = cohort_math_product_(r, r, &rest);
    const double odd =
                     1.0 / 3 +
                     square * (0.2 + square * (1.0 / 7 + square * (1.0 / 9 + square * (1.0 / 11)))),
                 even = 0.25 + square * (1.0 / 6 + square * (0.125 + square * 0.1)),
                 tail = square * r * (odd - r * even);
    const double sum = cohort_math_near_sum_(r, -0.5 * square, &lost);
    return cohort_math_near_sum_(sum, lost + ((low - (0.5 * rest + r * low)) + tail), out_low);
}

/* The logarithm of a finite x > 0, times 1 + more, a tiny number: n ln 2, and the sum of the result
 * and *out_low, which is between -0.36 and 0.36. Beside 1 nothing is lost: n is 0 there. */
static inline double cohort_math_log_parts_(double x, double more, int *out_n, double *out_low)
{
    int power;
    const COHORT_MATH_I64_ bits = cohort_math_double_parts_(COHORT_MATH_LONG_BITS_(x), &power);
    const int i = COHORT_MATH_CAST_(int, bits >> 46) & 63, is_upper = i >= 27;
    const double m = COHORT_MATH_DOUBLE_(bits - (is_upper ? COHORT_MATH_LONG_UNIT_ : 0));
    const double inverse = cohort_math_logarithms_[i][0], head = cohort_math_double_head_(m);
    /* both products are exact, and so is the difference */
    double low, lost;
    double r = cohort_math_sum_(head * inverse - 1.0, (m - head) * inverse, &low);
    if (more != 0.0)
        r = cohort_math_sum_(r, low + more * (1.0 + r), &low);
    const double of_near = cohort_math_log_near_(r, low, &low);
    const double sum = cohort_math_sum_(cohort_math_logarithms_[i][1], of_near, &lost);
    *out_n = power + is_upper;
    return cohort_math_near_sum_(sum, lost + (low + cohort_math_logarithms_[i][2]), out_low);
}

/* The same with n ln 2. */
static inline double cohort_math_whole_log_(double x, double more, double *out_low)
{
    int n;
    double low, lost;
    const double y = cohort_math_log_parts_(x, more, &n, &low);
    const double sum = cohort_math_sum_(n * 0.6931471805598903, y, &lost);
    return cohort_math_near_sum_(sum, lost + (low + n * 5.497923018708371e-14), out_low);
}

/* Is x a finite number above 0? */
static inline int cohort_math_has_log_(double x)
{
    return (x > 0.0) & (COHORT_MATH_LONG_BITS_(x) < COHORT_MATH_LONG_INFINITY_);
}

/* The logarithm of what has no finite one. */
static inline double cohort_math_no_log_(double x)
{
    return x == 0.0  ? COHORT_MATH_DOUBLE_(-COHORT_MATH_LONG_UNIT_) /* -infinity */
           : x > 0.0 ? x
                     : COHORT_MATH_DOUBLE_(COHORT_MATH_LONG_NAN_);
}

/* The natural logarithm of x, within 0.51 ulp. */
static inline double cohort_log(double x)
{
    double low;
    return cohort_math_has_log_(x) ? cohort_math_whole_log_(x, 0.0, &low) : cohort_math_no_log_(x);
}

COHORT_MATH_END_

#include <cohort/math_double_angle.h>
#include <cohort/math_double_erf.h>
#include <cohort/math_double_power.h>
#include <cohort/math_double_round.h>

#endif
