/* SPDX-License-Identifier: BSD-3-Clause */
/* Linear extents: an expression with one integer that is not known, as factor * unknown +
 * constant. */
#ifndef COHORT_FUNCTION_LINEAR_H
#define COHORT_FUNCTION_LINEAR_H

#include "runtime/function/parameter.h"

typedef struct cohort_linear {
    int64_t factor, constant;
    bool is_curved; /* there is no such form, as of n * n and n / 2 */
} cohort_linear;

/* The parameter that alone keeps an expression from having a value; -1: there is none, or several.
 * A computed integer stands for its expression.
 *
 * known  a bit for each parameter */
int32_t cohort_linear_unknown(const cohort_expression *expression,
                              const cohort_parameter parameters[], uint64_t known);

/* The expression as a linear form in that parameter, for these values of the others. NULL, or why
 * it has no value: "divides by 0", "overflows 64 bits".
 *
 * A quotient is rounded up, so that it is linear only where the divisor divides the factor: n / 2
 * is the same for two values of n. */
const char *cohort_linear_of(const cohort_expression *expression,
                             const cohort_parameter parameters[], const int64_t values[],
                             int32_t unknown, cohort_linear *out);

/* The value of the unknown for which the form, whose factor is not 0, is `wanted`; false: no
 * integer is, and *out is 0. */
bool cohort_linear_solve(const cohort_linear *form, int64_t wanted, int64_t *out);

#endif
