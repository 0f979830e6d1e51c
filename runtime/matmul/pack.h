/* SPDX-License-Identifier: BSD-3-Clause */
/* Elements of matrices on their way into panels of float or double, and sums on their way out. */
#ifndef COHORT_MATMUL_PACK_H
#define COHORT_MATMUL_PACK_H

#include "runtime/base/half.h"
#include "runtime/matmul/product.h"

/* A panel has, for each of `depth` terms, the elements of so many rows of a, or columns of b, side
 * by side: its lanes. lane, term: strides of the matrix between them. */
typedef struct cohort_panel {
    const void *from;
    int64_t offset, lane, term; /* in elements */
    int64_t lanes, depth;       /* that there are */
} cohort_panel;

static inline float cohort_pack_float(float x)
{
    return x;
}

static inline double cohort_pack_double(double x)
{
    return x;
}

/* Lanes beyond those that there are become 0; nobody looks at what is computed of them. Whichever
 * stride is 1 is walked along. */
#define COHORT_PACK(name, element, real, widen)                                                    \
    static inline void cohort_pack_##name(const cohort_panel *p, int64_t width, real *out)         \
    {                                                                                              \
        const element *from = (const element *)p->from + p->offset;                                \
        if (p->lanes < width)                                                                      \
            for (int64_t i = 0; i < p->depth * width; i++)                                         \
                out[i] = 0;                                                                        \
        if (p->lane == 1)                                                                          \
            for (int64_t l = 0; l < p->depth; l++)                                                 \
                for (int64_t i = 0; i < p->lanes; i++)                                             \
                    out[l * width + i] = widen(from[l * p->term + i]);                             \
        else                                                                                       \
            for (int64_t i = 0; i < p->lanes; i++)                                                 \
                for (int64_t l = 0; l < p->depth; l++)                                             \
                    out[l * width + i] = widen(from[i * p->lane + l * p->term]);                   \
    }

/* One row of c from its sums. */
#define COHORT_UNPACK(name, element, real, widen, narrow)                                          \
    static inline void cohort_unpack_##name(const real *sum, int64_t n, real alpha, real beta,     \
                                            element *c)                                            \
    {                                                                                              \
        if (beta == 0)                                                                             \
            for (int64_t j = 0; j < n; j++)                                                        \
                c[j] = narrow(alpha * sum[j]);                                                     \
        else                                                                                       \
            for (int64_t j = 0; j < n; j++)                                                        \
                c[j] = narrow(alpha * sum[j] + beta * widen(c[j]));                                \
    }

COHORT_PACK(f32, float, float, cohort_pack_float)
COHORT_PACK(f64, double, double, cohort_pack_double)
COHORT_PACK(f16, uint16_t, float, cohort_half_from_f16)
COHORT_PACK(bf16, uint16_t, float, cohort_half_from_bf16)
COHORT_UNPACK(f32, float, float, cohort_pack_float, cohort_pack_float)
COHORT_UNPACK(f64, double, double, cohort_pack_double, cohort_pack_double)
COHORT_UNPACK(f16, uint16_t, float, cohort_half_from_f16, cohort_half_to_f16)
COHORT_UNPACK(bf16, uint16_t, float, cohort_half_from_bf16, cohort_half_to_bf16)

static inline void cohort_pack_floats(cohort_dtype dtype, const cohort_panel *panel, int64_t width,
                                      float *out)
{
    if (dtype == COHORT_F16)
        cohort_pack_f16(panel, width, out);
    else if (dtype == COHORT_BF16)
        cohort_pack_bf16(panel, width, out);
    else
        cohort_pack_f32(panel, width, out);
}

static inline void cohort_pack_doubles(cohort_dtype dtype, const cohort_panel *panel, int64_t width,
                                       double *out)
{
    (void)dtype;
    cohort_pack_f64(panel, width, out);
}

/* first: the element of c that the first sum is for */
static inline void cohort_unpack_floats(const cohort_product *p, const float *sum, int64_t n,
                                        int64_t first)
{
    const float alpha = (float)p->alpha, beta = (float)p->beta;
    if (p->dtype == COHORT_F16)
        cohort_unpack_f16(sum, n, alpha, beta, (uint16_t *)p->c + first);
    else if (p->dtype == COHORT_BF16)
        cohort_unpack_bf16(sum, n, alpha, beta, (uint16_t *)p->c + first);
    else
        cohort_unpack_f32(sum, n, alpha, beta, (float *)p->c + first);
}

static inline void cohort_unpack_doubles(const cohort_product *p, const double *sum, int64_t n,
                                         int64_t first)
{
    cohort_unpack_f64(sum, n, p->alpha, p->beta, (double *)p->c + first);
}

#endif
