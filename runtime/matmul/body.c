/* SPDX-License-Identifier: BSD-3-Clause */
/* Bodies for the host: the parameters of a prototype become products of matrices. */
#include "config.h"

#include "runtime/matmul/body.h"

#include "runtime/matmul/blas.h"
#include "runtime/matmul/kernel.h"
#include "runtime/matmul/product.h"

/* A call: the product of the first matrices, with the extents of each and what a batch steps by. */
typedef struct call {
    cohort_product product;
    int64_t m, g, bytes; /* of an element */
    int32_t kind;
} call;

static call begin(int64_t m, int64_t n, int64_t k, int64_t g, int32_t kind, cohort_dtype dtype,
                  int64_t bytes)
{
    const bool is_a_turned = (kind & COHORT_MATMUL_TRANSPOSE_A) != 0,
               is_b_turned = (kind & COHORT_MATMUL_TRANSPOSE_B) != 0;
    return (call){ .product = { .dtype = dtype,
                                .n = n,
                                .k = k,
                                .a_row = is_a_turned ? 1 : k,
                                .a_column = is_a_turned ? m : 1,
                                .b_row = is_b_turned ? 1 : n,
                                .b_column = is_b_turned ? k : 1 },
                   .m = m,
                   .g = g,
                   .bytes = bytes,
                   .kind = kind };
}

static cohort_product product_at(const call *x, int64_t matrix)
{
    cohort_product p = x->product;
    if ((x->kind & COHORT_MATMUL_BATCH_A) != 0)
        p.a = (const char *)p.a + matrix * x->m * p.k * x->bytes;
    if ((x->kind & COHORT_MATMUL_BATCH_B) != 0)
        p.b = (const char *)p.b + matrix * p.k * p.n * x->bytes;
    p.c = (char *)p.c + matrix * x->m * p.n * x->bytes;
    return p;
}

/* Rows are counted over all matrices of a batch. */
static void compute_range(const call *x, int64_t first, int64_t end, int64_t column,
                          int64_t end_column)
{
    while (first < end) {
        const cohort_product p = product_at(x, first / x->m);
        int64_t row = first % x->m, rows = end - first < x->m - row ? end - first : x->m - row;
        cohort_product_compute(NULL, &p, row, rows, column, end_column - column);
        first += rows;
    }
}

static void compute_whole(const call *x)
{
    for (int64_t i = 0; i < x->g; i++) {
        const cohort_product p = product_at(x, i);
        if (!cohort_blas_multiply(&p, x->m))
            cohort_product_compute(NULL, &p, 0, x->m, 0, p.n);
    }
}

#define RANGE int64_t first, int64_t end, int64_t column, int64_t end_column
#define BOUNDS int64_t m, int64_t n, int64_t k, int64_t g, int32_t kind

#define FILL(dtype_, element, beta_)                                                               \
    call x = begin(m, n, k, g, kind, dtype_, (int64_t)sizeof(element));                            \
    x.product.alpha = (double)alpha;                                                               \
    x.product.beta = (double)(beta_);                                                              \
    x.product.a = a;                                                                               \
    x.product.b = b;                                                                               \
    x.product.c = c

#define ITEMS(name, dtype, element, real)                                                          \
    static void name##_items(RANGE, BOUNDS, real alpha, const element *a, const element *b,        \
                             element *c)                                                           \
    {                                                                                              \
        FILL(dtype, element, 0);                                                                   \
        compute_range(&x, first, end, column, end_column);                                         \
    }                                                                                              \
    static void name##_items_added(RANGE, BOUNDS, real alpha, const element *a, const element *b,  \
                                   real beta, element *c)                                          \
    {                                                                                              \
        FILL(dtype, element, beta);                                                                \
        compute_range(&x, first, end, column, end_column);                                         \
    }

#define WHOLE(name, dtype, element, real)                                                          \
    static void name##_whole(BOUNDS, real alpha, const element *a, const element *b, element *c)   \
    {                                                                                              \
        FILL(dtype, element, 0);                                                                   \
        compute_whole(&x);                                                                         \
    }                                                                                              \
    static void name##_whole_added(BOUNDS, real alpha, const element *a, const element *b,         \
                                   real beta, element *c)                                          \
    {                                                                                              \
        FILL(dtype, element, beta);                                                                \
        compute_whole(&x);                                                                         \
    }

ITEMS(f32, COHORT_F32, float, float)
ITEMS(f64, COHORT_F64, double, double)
ITEMS(f16, COHORT_F16, uint16_t, float)
ITEMS(bf16, COHORT_BF16, uint16_t, float)
WHOLE(f32, COHORT_F32, float, float)
WHOLE(f64, COHORT_F64, double, double)

#define FN(body) (void (*)(void))(body)

static const cohort_matmul_bodies of_f32 = { .element = "float",
                                             .real = "float",
                                             .items = { FN(f32_items), FN(f32_items_added) },
                                             .whole = { FN(f32_whole), FN(f32_whole_added) },
                                             .opencl = cohort_matmul_kernel_f32 };
static const cohort_matmul_bodies of_f64 = { .element = "double",
                                             .real = "double",
                                             .items = { FN(f64_items), FN(f64_items_added) },
                                             .whole = { FN(f64_whole), FN(f64_whole_added) },
                                             .opencl = cohort_matmul_kernel_f64 };
static const cohort_matmul_bodies of_f16 = { .element = "_Float16",
                                             .real = "float",
                                             .items = { FN(f16_items), FN(f16_items_added) },
                                             .opencl = cohort_matmul_kernel_f16 };
static const cohort_matmul_bodies of_bf16 = { .element = "__bf16",
                                              .real = "float",
                                              .items = { FN(bf16_items), FN(bf16_items_added) },
                                              .opencl = cohort_matmul_kernel_bf16 };

const cohort_matmul_bodies *cohort_matmul_bodies_of(cohort_dtype dtype)
{
    return dtype == COHORT_F32    ? &of_f32
           : dtype == COHORT_F64  ? &of_f64
           : dtype == COHORT_F16  ? &of_f16
           : dtype == COHORT_BF16 ? &of_bf16
                                  : NULL;
}
