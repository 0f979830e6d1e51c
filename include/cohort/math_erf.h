/* SPDX-License-Identifier: BSD-3-Clause */
/* The error function of floats and its complement, with the same bits in C, C++ and OpenCL C.
 * Conventions: cohort/math.h, of which this is a part. Largest error, over all floats (make
 * check-long): 1.2 ulp, and 4 ulp of cohort_erfcf. */
#ifndef COHORT_MATH_ERF_H
#define COHORT_MATH_ERF_H

#include <cohort/math.h>

COHORT_MATH_BEGIN_

/* The error function of 0 <= a < 0.921875. */
static inline float cohort_math_near_erf_(float a)
{
    const float square = a * a;
    const float near =
        0.128379166f +
        square *
            (-0.376126289f +
             square * (0.112836257f +
                       square * (-0.0268557295f +
                                 square * (0.00519239251f + square * (-0.000804951473f +
                                                                      square * 7.99504851e-05f)))));
    return a + a * near;
}

/* The error function of x, within 1.2 ulp: 2 / sqrt(pi) times the integral of e^(-t^2) from 0 to
 * x. */
static inline float cohort_erff(float x)
{
    /* x P(x^2) below 0.921875, 1 - e^-Q(x) above; from 4 on it is 1. */
    const int bits = COHORT_MATH_BITS_(x), size = bits & 0x7fffffff;
    const float a = COHORT_MATH_FLOAT_(size < 0x40800000 ? size : 0x40800000);
    const float far =
        0.128682911f +
        a * (0.635054827f +
             a * (0.106286667f +
                  a * (-0.0236491431f +
                       a * (0.00345204328f +
                            a * (-0.000198205176f +
                                 a * (-2.97746974e-05f +
                                      a * (6.54593896e-06f + a * -3.82259941e-07f)))))));
    int n;
    const float p = cohort_math_exp_(-(a + a * far), &n);
    const float small = cohort_math_near_erf_(a),
                large = 1.0f - COHORT_MATH_FLOAT_(COHORT_MATH_BITS_(p) + n * 0x00800000);
    const int y =
        /* 0.921875 */
        cohort_math_choose_(size < 0x3f6c0000, COHORT_MATH_BITS_(small), COHORT_MATH_BITS_(large));
    return COHORT_MATH_FLOAT_(
        cohort_math_choose_(size > COHORT_MATH_INFINITY_, COHORT_MATH_NAN_, y | (bits ^ size)));
}

/* (1 + 2 x) e^(x^2) erfc(x) = c0 + c1 d + ... where t = (x - 2) / (x + 2) and d = t + 5 / 16 for
 * x < 2, d = t - 5 / 16 above. Source: cohort/math_double_erf.h. */
COHORT_MATH_TABLE_ float cohort_math_far_errors_of_floats_[2][9] = {
    { 1.28426123f, 0.0651579201f, -0.3480106f, 0.219283476f, -0.0310234018f, -0.0199253708f,
      0.00335073331f, 0.00290844101f, -1.64303674e-05f },
    { 1.23624957f, -0.155312106f, -0.0451680049f, 0.093909882f, -0.0537250191f, 0.00809451565f,
      0.00691736024f, -0.00264791562f, -0.00100058003f }
};

/* erfc(a) for 1/2 <= a <= 10.1. */
static inline float cohort_math_far_erfc_(float a)
{
    const float square = a * a, t = (a - 2.0f) / (a + 2.0f);
    const int i = t >= 0.0f;
    const float d = t - (i ? 0.3125f : -0.3125f);
    float sum = cohort_math_far_errors_of_floats_[i][8];
    for (int k = 7; k >= 0; k--)
        sum = sum * d + cohort_math_far_errors_of_floats_[i][k];
    int n;
    const float q = cohort_math_exp_rest_(-square, &n), rest = cohort_math_square_rest_(a, square);
    const float e = 1.0f + (q - (rest + rest * q));
    return cohort_math_times_power_(e * (sum / (1.0f + (a + a))), n);
}

/* 1 - erf(x), within 4 ulp, though erf(x) is close to 1. */
static inline float cohort_erfcf(float x)
{
    const int bits = COHORT_MATH_BITS_(x), size = bits & 0x7fffffff;
    const float a = COHORT_MATH_FLOAT_(size < 0x4121999a ? size : 0x4121999a); /* 10.1 */
    const float near = cohort_math_near_erf_(a < 0.5f ? a : 0.5f);
    const float far = cohort_math_far_erfc_(a < 0.5f ? 0.5f : a);
    const float y =
        size < 0x3f000000 ? (bits < 0 ? 1.0f + near : 1.0f - near) : (bits < 0 ? 2.0f - far : far);
    return COHORT_MATH_FLOAT_(
        cohort_math_choose_(size > COHORT_MATH_INFINITY_, COHORT_MATH_NAN_, COHORT_MATH_BITS_(y)));
}

COHORT_MATH_END_

#endif
