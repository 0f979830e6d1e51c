/* SPDX-License-Identifier: BSD-3-Clause */
/* The error function of floats, with the same bits in C, C++ and OpenCL C. Conventions:
 * cohort/math.h, of which this is a part. Largest error, over all floats (make check-long): 1.2
 * ulp. */
#ifndef COHORT_MATH_ERF_H
#define COHORT_MATH_ERF_H

#include <cohort/math.h>

/* The error function of x, within 1.2 ulp: 2 / sqrt(pi) times the integral of e^(-t^2) from 0 to
 * x. */
static inline float cohort_erff(float x)
{
    /* x P(x^2) below 0.921875, 1 - e^-Q(x) above; from 4 on it is 1. */
    const int bits = COHORT_MATH_BITS_(x), size = bits & 0x7fffffff;
    const float a = COHORT_MATH_FLOAT_(size < 0x40800000 ? size : 0x40800000), square = a * a;
    const float near =
        0.128379166f +
        square *
            (-0.376126289f +
             square * (0.112836257f +
                       square * (-0.0268557295f +
                                 square * (0.00519239251f + square * (-0.000804951473f +
                                                                      square * 7.99504851e-05f)))));
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
    const float small = a + a * near,
                large = 1.0f - COHORT_MATH_FLOAT_(COHORT_MATH_BITS_(p) + n * 0x00800000);
    const int y =
        /* 0.921875 */
        cohort_math_choose_(size < 0x3f6c0000, COHORT_MATH_BITS_(small), COHORT_MATH_BITS_(large));
    return COHORT_MATH_FLOAT_(
        cohort_math_choose_(size > COHORT_MATH_INFINITY_, COHORT_MATH_NAN_, y | (bits ^ size)));
}

#endif
