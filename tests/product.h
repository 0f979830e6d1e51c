/* SPDX-License-Identifier: BSD-3-Clause */
/* A product of matrices as its definition has it, three plain loops, for tests of others. */
#ifndef COHORT_TESTS_PRODUCT_H
#define COHORT_TESTS_PRODUCT_H

#include "cohort/codes.h"
#include "runtime/base/half.h"

#include <stdbool.h>
#include <stdint.h>

static const cohort_dtype product_dtypes[] = { COHORT_F32, COHORT_F64, COHORT_F16, COHORT_BF16 };
enum { PRODUCT_DTYPES = 4 };

static inline double product_get(cohort_dtype dtype, const void *p, int64_t i)
{
    return dtype == COHORT_F64   ? ((const double *)p)[i]
           : dtype == COHORT_F32 ? (double)((const float *)p)[i]
           : dtype == COHORT_F16 ? (double)cohort_half_from_f16(((const uint16_t *)p)[i])
                                 : (double)cohort_half_from_bf16(((const uint16_t *)p)[i]);
}

static inline void product_put(cohort_dtype dtype, void *p, int64_t i, double x)
{
    if (dtype == COHORT_F64)
        ((double *)p)[i] = x;
    else if (dtype == COHORT_F32)
        ((float *)p)[i] = (float)x;
    else
        ((uint16_t *)p)[i] =
            dtype == COHORT_F16 ? cohort_half_to_f16((float)x) : cohort_half_to_bf16((float)x);
}

/* Of matrices that lie in row-major order, turned or not. */
typedef struct product_case {
    cohort_dtype dtype;
    bool turn_a, turn_b;
    int64_t m, n, k;
    double alpha, beta;
} product_case;

static inline int64_t product_a(const product_case *x, int64_t i, int64_t l)
{
    return x->turn_a ? l * x->m + i : i * x->k + l;
}

static inline int64_t product_b(const product_case *x, int64_t l, int64_t j)
{
    return x->turn_b ? j * x->k + l : l * x->n + j;
}

static inline double product_float(const product_case *x, const void *a, const void *b, double c,
                                   int64_t i, int64_t j)
{
    float sum = 0;
    for (int64_t l = 0; l < x->k; l++)
        sum += (float)product_get(x->dtype, a, product_a(x, i, l)) *
               (float)product_get(x->dtype, b, product_b(x, l, j));
    sum = (float)x->alpha * sum;
    return (double)(x->beta == 0 ? sum : sum + (float)x->beta * (float)c);
}

static inline double product_double(const product_case *x, const void *a, const void *b, double c,
                                    int64_t i, int64_t j)
{
    double sum = 0;
    for (int64_t l = 0; l < x->k; l++)
        sum += product_get(x->dtype, a, product_a(x, i, l)) *
               product_get(x->dtype, b, product_b(x, l, j));
    sum = x->alpha * sum;
    return x->beta == 0 ? sum : sum + x->beta * c;
}

static inline void product_define(const product_case *x, const void *a, const void *b, void *c)
{
    for (int64_t i = 0; i < x->m; i++)
        for (int64_t j = 0; j < x->n; j++) {
            double before = product_get(x->dtype, c, i * x->n + j);
            product_put(x->dtype, c, i * x->n + j,
                        x->dtype == COHORT_F64 ? product_double(x, a, b, before, i, j)
                                               : product_float(x, a, b, before, i, j));
        }
}

/* Numbers of either sign and many sizes, whose sums are rounded. */
static inline void product_fill(cohort_dtype dtype, void *p, int64_t n, uint64_t *random)
{
    for (int64_t i = 0; i < n; i++) {
        *random = *random * 6364136223846793005u + 1442695040888963407u;
        product_put(dtype, p, i, (double)(int32_t)(*random >> 32) / 1.7e9);
    }
}

#endif
