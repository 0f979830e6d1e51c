/* SPDX-License-Identifier: BSD-3-Clause */
/* The error function of doubles and its complement, with the same bits in C, C++ and OpenCL C.
 * Conventions: cohort/math_double.h, of which this is a part. Largest error (make check-long, on
 * 10^7 places beside MPFR; doc/math.md): 0.85 ulp. */
#ifndef COHORT_MATH_DOUBLE_ERF_H
#define COHORT_MATH_DOUBLE_ERF_H

#include <cohort/math_double.h>

COHORT_MATH_BEGIN_

/* For t = -43 / 64, -29 / 64 ... 41 / 64: (1 + 2 x) e^(x^2) erfc(x) where t = (x - 4) / (x + 4), in
 * two parts, and what is to be added by d, a difference from t: d (c0 + c1 d + ...).
 *
 * Source: M. M. Shepherd, J. G. Laframboise, "Chebyshev approximation of (1 + 2 x) exp(x^2) erfc x
 * in 0 <= x < infinity", Mathematics of Computation 36, 1981. */
COHORT_MATH_TABLE_ double cohort_math_far_errors_[7][15] = {
    { 1.2704475722562063, 5.164119265227307e-17, 0.23847086761950537, -1.0432678279403902,
      1.5965446468819622, -1.5847483853706106, 1.127666277494992, -0.5805293996911828,
      0.20353067293992505, -0.037254300601672306, -0.0036744152347469926, 0.0037451763083992326,
      -0.0003736004313319281, -0.0002686967395306959, 5.72155100200014e-05 },
    { 1.2862801498250374, 3.183548455749173e-17, -0.04380629648938175, -0.35040766620654157,
      0.6432045270818572, -0.6996063589837689, 0.5477971515542969, -0.32032901870362945,
      0.1363333085146301, -0.037331564073685077, 0.003025733577807191, 0.0022052393972348235,
      -0.0008073613506831633, -4.7381195521104237e-05, 8.520048292210333e-05 },
    { 1.2653031538364528, -1.6196223676124174e-17, -0.12866069274548725, -0.08150702901028396,
      0.23602976560259448, -0.28617772679354947, 0.2435913413438831, -0.15805448083434592,
      0.07837200299953873, -0.028021671315604367, 0.005747044629580256, 0.0003468649677887348,
      -0.0006539277380425228, 0.00013977948149553727, 3.734063273643212e-05 },
    { 1.2351801874937494, 4.8260289798444044e-18, -0.14005028515378737, 0.012035960578625165,
      0.07464597480488772, -0.10860988339875557, 0.10014536107997384, -0.07050791133539264,
      0.03923680144360363, -0.016913550153008026, 0.00514756908287807, -0.0007210657429021721,
      -0.0002279500584922996, 0.00015483080875545237, -2.1581722980066204e-05 },
    { 1.205696087741549, 9.889868467638866e-17, -0.1276545453690283, 0.038265592834960484,
      0.01548781428234133, -0.03771377932426926, 0.03850305539693728, -0.028946773259547327,
      0.017484272501815067, -0.008566932035579308, 0.0032828209158208216, -0.0008645510713294256,
      6.817437469459093e-05, 6.528411845725958e-05, -3.301735102223914e-05 },
    { 1.1796949792754021, 7.534513886253702e-17, -0.10990334620763334, 0.04079784910848628,
      -0.003958726971798706, -0.011157855946930176, 0.013900761025113412, -0.01116047560252529,
      0.0071328675275757515, -0.003793707155591208, 0.0016718334010733834, -0.0005820547545370701,
      0.00013626440909914246, -3.6228806961640617e-06, -1.4051950031457394e-05 },
    { 1.1575447688077383, -6.964609500685574e-17, -0.09295933881426517, 0.0361328544631608,
      -0.008927512466247954, -0.0018662621744675834, 0.004612149391180139, -0.004100469099086377,
      0.0027420541792322712, -0.00153171097852483, 0.0007313465603620198, -0.0002949575484580114,
      9.529882936079447e-05, -2.055535387447734e-05, -6.844784821522916e-09 }
};

/* erf(x) for |x| < 1/2, in two parts. */
static inline double cohort_math_near_error_(double x, double *out_low)
{
    double low;
    const double square = x * x;
    const double tail =
        -0.37612638903183754 +
        square *
            (0.112837916709551 +
             square *
                 (-0.02686617064510409 +
                  square *
                      (0.005223977624325344 +
                       square *
                           (-0.0008548326793233783 +
                            square * (0.0001205530629440674 +
                                      square * (-1.4923829613452872e-05 +
                                                square * (1.6389446360450111e-06 +
                                                          square * -1.4787385599052157e-07)))))));
    const double near = cohort_math_times_(x, 0.0, 1.1283791670955126, 1.533545961316588e-17, &low);
    return cohort_math_near_sum_(near, low + x * (square * tail), out_low);
}

/* (1 + 2 x) e^(x^2) erfc(x) for 1/2 <= x <= 27.5, in two parts. */
static inline double cohort_math_far_error_(double x, double *out_low)
{
    double of_more, of_less, low;
    const double more = cohort_math_sum_(x, 4.0, &of_more),
                 less = cohort_math_sum_(x, -4.0, &of_less);
    const double t = cohort_math_quotient_(less, of_less, more, of_more, &low);
    /* 25 / 32 before the first one, 7 / 32 from one to the next */
    const int i = COHORT_MATH_CAST_(int, (t + 0.78125) * (32.0 / 7));
    const double d = (t - (14 * i - 43) * 0.015625) + low;
    const double square = d * d;
    double even = cohort_math_far_errors_[i][14], odd = cohort_math_far_errors_[i][13];
    for (int k = 12; k > 2; k -= 2) {
        even = even * square + cohort_math_far_errors_[i][k];
        odd = odd * square + cohort_math_far_errors_[i][k - 1];
    }
    even = even * square + cohort_math_far_errors_[i][2];
    return cohort_math_near_sum_(cohort_math_far_errors_[i][0],
                                 d * (even + d * odd) + cohort_math_far_errors_[i][1], out_low);
}

/* erfc(x) for 1/2 <= x <= 27.5: the sum of the result and *out_low, times 2^*out_n. */
static inline double cohort_math_far_rest_(double x, int *out_n, double *out_low)
{
    double low, of_e, of_part;
    const double square = cohort_math_product_(x, x, &low);
    const double e = cohort_math_exp_parts_(-square, -low, out_n, &of_e);
    const double g = cohort_math_far_error_(x, &low);
    const double more = cohort_math_sum_(1.0, x + x, &of_part);
    const double part = cohort_math_quotient_(g, low, more, of_part, &low);
    return cohort_math_times_(e, of_e, part, low, out_low);
}

/* 1 - erfc(x) for 1/2 <= x <= 7, or 2 - erfc(x). */
static inline double cohort_math_without_rest_(double from, double x)
{
    int n;
    double low, lost;
    const double y = cohort_math_far_rest_(x, &n, &low), unit = cohort_math_power_of_two_(n);
    const double sum = cohort_math_near_sum_(from, -(y * unit), &lost);
    return sum + (lost - low * unit);
}

/* 2 x / sqrt(pi) for 0 <= x < 2^-200. */
static inline double cohort_math_tiny_error_(double x)
{
    if (x == 0.0)
        return x;
    int power;
    double low;
    const double part =
        COHORT_MATH_DOUBLE_(cohort_math_double_parts_(COHORT_MATH_LONG_BITS_(x), &power));
    const double y = cohort_math_times_(part, 0.0, 1.1283791670955126, 1.533545961316588e-17, &low);
    return cohort_math_rounded_sum_(y, low, power);
}

/* The error function of x, within 0.85 ulp: 2 / sqrt(pi) times the integral of e^(-t^2) from 0 to
 * x. */
static inline double cohort_erf(double x)
{
    double low;
    const double size = cohort_math_size_(x);
    if (size < 1e-200) /* a subnormal number has no parts */
        return cohort_math_signed_(x, cohort_math_tiny_error_(size));
    if (size < 0.5)
        return cohort_math_signed_(x, cohort_math_near_error_(size, &low));
    /* from 6 on it is 1 */
    return cohort_math_signed_(x, cohort_math_without_rest_(1.0, size < 6.0 ? size : 6.0));
}

/* 1 - erf(x), within 0.85 ulp, though erf(x) is close to 1. */
static inline double cohort_erfc(double x)
{
    int n;
    double low, lost;
    const double size = cohort_math_size_(x);
    if (size < 0.5) {
        const double y = cohort_math_near_error_(x, &low);
        const double sum = cohort_math_near_sum_(1.0, -y, &lost);
        return sum + (lost - low);
    }
    if (x < 0.0) /* from -6 on it is 2 */
        return cohort_math_without_rest_(2.0, size < 6.0 ? size : 6.0);
    /* from 27.5 on it is 0 */
    const double y = cohort_math_far_rest_(size < 27.5 ? size : 27.5, &n, &low);
    return cohort_math_double_or_nan_(x, cohort_math_rounded_sum_(y, low, n));
}

COHORT_MATH_END_

#endif
