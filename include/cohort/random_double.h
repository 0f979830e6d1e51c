/* SPDX-License-Identifier: BSD-3-Clause */
/* Random doubles, drawn as the floats of cohort/random.h, of which this is a part, and with the
 * same bits in C, C++ and OpenCL C. A device without doubles refuses a body that draws them. */
#ifndef COHORT_RANDOM_DOUBLE_H
#define COHORT_RANDOM_DOUBLE_H

#include <cohort/math_double.h>
#include <cohort/random.h>

COHORT_MATH_BEGIN_

/* The next 64 bits: two words, the high one first. */
static inline COHORT_MATH_U64_ cohort_random_pair_(cohort_random *r)
{
    const COHORT_MATH_U64_ high = cohort_random_bits(r);
    return high << 32 | cohort_random_bits(r);
}

/* A double in [0, 1): each of the 2^53 multiples of 2^-53 alike. Draws two words. */
static inline double cohort_random_uniform(cohort_random *r)
{
    return COHORT_MATH_CAST_(double,
                             COHORT_MATH_CAST_(COHORT_MATH_I64_, cohort_random_pair_(r) >> 11)) *
           1.1102230246251565e-16;
}

/* A double of the normal distribution with mean 0 and variance 1, between -9.5 and 9.5, beyond
 * which one in 10^20 would be. Draws four words. Source: cohort_random_normalf. */
static inline double cohort_random_normal(cohort_random *r)
{
    /* a number in (0, 1], as fine near 0 as doubles are: what is far out comes from there */
    const COHORT_MATH_U64_ of_size = cohort_random_pair_(r), of_angle = cohort_random_pair_(r);
    const double size = (COHORT_MATH_CAST_(double, of_size) + 0.5) * 5.421010862427522e-20;
    /* an eighth of a turn to both sides, in units of 2^-64 turns, and how many quarters more */
    const COHORT_MATH_U64_ eighth = COHORT_MATH_CAST_(COHORT_MATH_U64_, 1) << 61;
    const COHORT_MATH_U64_ turned = of_angle + eighth, quarter = turned >> 62;
    const COHORT_MATH_I64_ units = COHORT_MATH_CAST_(COHORT_MATH_I64_, turned - (quarter << 62)) -
                                   COHORT_MATH_CAST_(COHORT_MATH_I64_, eighth);
    const double angle = COHORT_MATH_CAST_(double, units) * 3.4061215800865545e-19;
    double low;
    const double side = (quarter & 1) != 0 ? cohort_math_sine_(angle, 0.0, &low)
                                           : cohort_math_cosine_(angle, 0.0, &low);
    const double length = COHORT_MATH_SQRT_OF_DOUBLE_(-2.0 * cohort_log(size));
    return ((quarter + 1) & 2) != 0 ? -(length * side) : length * side;
}

COHORT_MATH_END_

#endif
