/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of cohort/math.h beside those of libm in double: errors and digests over samples of
 * all floats. */
#ifndef COHORT_TESTS_ULP_H
#define COHORT_TESTS_ULP_H

#include <cohort/math.h>

#include <stdint.h>

typedef struct ulp_function {
    const char *name;
    float (*function)(float);
    double (*exact)(double);
    double bound; /* as cohort/math.h says, in ulp */
} ulp_function;

enum { ULP_FUNCTIONS = 19 };
static const ulp_function ulp_functions[ULP_FUNCTIONS] = {
    { "cohort_expf", cohort_expf, exp, 0.99 },      { "cohort_logf", cohort_logf, log, 0.88 },
    { "cohort_tanhf", cohort_tanhf, tanh, 1.34 },   { "cohort_exp2f", cohort_exp2f, exp2, 1.1 },
    { "cohort_log2f", cohort_log2f, log2, 1.2 },    { "cohort_log10f", cohort_log10f, log10, 1.1 },
    { "cohort_cbrtf", cohort_cbrtf, cbrt, 0.87 },   { "cohort_sinf", cohort_sinf, sin, 0.86 },
    { "cohort_cosf", cohort_cosf, cos, 0.86 },      { "cohort_tanf", cohort_tanf, tan, 2.4 },
    { "cohort_atanf", cohort_atanf, atan, 2.3 },    { "cohort_erff", cohort_erff, erf, 1.2 },
    { "cohort_expm1f", cohort_expm1f, expm1, 1.7 }, { "cohort_log1pf", cohort_log1pf, log1p, 0.51 },
    { "cohort_sinhf", cohort_sinhf, sinh, 1.7 },    { "cohort_coshf", cohort_coshf, cosh, 1.5 },
    { "cohort_asinf", cohort_asinf, asin, 1.3 },    { "cohort_acosf", cohort_acosf, acos, 1.1 },
    { "cohort_erfcf", cohort_erfcf, erfc, 4 },
};

/* In units of the last place that a float of the size of `exact` has; an infinite float counts as
 * 2^128. */
static inline double ulp_error(double exact, float found)
{
    int exponent;
    if (isnan(exact) || isnan(found))
        return isnan(exact) && isnan(found) ? 0 : INFINITY;
    double wanted = fmax(-0x1p128, fmin(exact, 0x1p128));
    double value = isinf(found) ? copysign(0x1p128, found) : (double)found;
    frexp(wanted, &exponent);
    exponent = exponent < -125 ? -125 : exponent > 128 ? 128 : exponent;
    return fabs(value - wanted) / ldexp(1, exponent - 24);
}

typedef struct ulp_result {
    double error; /* the largest */
    float at;
    uint64_t digest; /* FNV-1a, 64 bits, of the results, four bytes at once */
} ulp_result;

/* The floats with the bit patterns first, first + step ... below end. */
static inline ulp_result ulp_measure(const ulp_function *f, uint64_t first, uint64_t end,
                                     uint64_t step)
{
    ulp_result out = { .digest = 0xcbf29ce484222325u };
    for (uint64_t i = first; i < end; i += step) {
        float x = cohort_math_float_((int)(uint32_t)i), y = f->function(x);
        double error = ulp_error(f->exact((double)x), y);
        if (error > out.error) {
            out.error = error;
            out.at = x;
        }
        out.digest = (out.digest ^ (uint32_t)cohort_math_bits_(y)) * 0x100000001b3u;
    }
    return out;
}

#endif
