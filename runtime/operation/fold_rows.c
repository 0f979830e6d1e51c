/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/operation/fold_rows.h"

#include "runtime/arithmetic/row_fold.h"
#include "runtime/operation/fallback.h"
#include "runtime/operation/fold_halves.h"

#include <cohort/array.h>

typedef struct rows_work {
    cohort_reduce_op op;
    cohort_dtype dtype;
    cohort_fold_shape shape;
    int64_t stride;
    uint32_t has_weights, has_one_weight; /* 0 or 1 */
} rows_work;

cohort_status cohort_fold_rows(cohort_reduce_op op, cohort_dtype dtype, const void *src,
                               cohort_fold_shape shape, int64_t stride, const void *weights,
                               bool has_one_weight, void *dst)
{
    const bool is_mean = op == COHORT_MEAN;
    const cohort_rows rows = { .op = is_mean ? COHORT_SUM : op,
                               .type = dtype,
                               .from = src,
                               .outer = shape.outer,
                               .rows = shape.rows,
                               .inner = shape.inner,
                               .outer_stride = shape.rows * shape.inner,
                               .stride = stride,
                               .weights = weights,
                               .weight_stride = has_one_weight ? 0 : 1,
                               .keeps_float32 = is_mean && cohort_halves_sum(dtype) != dtype };
    return cohort_row_fold(&rows, dst);
}

static cohort_status fold_rows(const void *work, const void *const sources[], void *const results[])
{
    const rows_work *w = work;
    return cohort_fold_rows(w->op, w->dtype, sources[0], w->shape, w->stride,
                            w->has_weights != 0 ? sources[1] : NULL, w->has_one_weight != 0,
                            results[0]);
}

void cohort_fold_post_rows(cohort_reduce_op op, cohort_dtype dtype, cohort_buffer *src,
                           cohort_fold_shape shape, int64_t stride, cohort_buffer *weights,
                           bool has_one_weight, cohort_buffer *dst)
{
    rows_work w = { op, dtype, shape, stride, weights != NULL, has_one_weight };
    uint64_t item = (uint64_t)cohort_dtype_bytes(dtype), rows = (uint64_t)shape.rows;
    uint64_t row = (uint64_t)(shape.outer * shape.inner);
    uint64_t out =
        row * (uint64_t)cohort_dtype_bytes(op == COHORT_MEAN ? cohort_halves_sum(dtype) : dtype);
    (void)cohort_fallback_post(
        &(cohort_fallback){ .fn = fold_rows,
                            .work = &w,
                            .work_bytes = sizeof w,
                            .sources = { { src, row * item * (stride == 0 ? 1 : rows) },
                                         { weights, item * (has_one_weight ? 1 : rows) } },
                            .n_sources = weights != NULL ? 2 : 1,
                            .results = { { dst, out } },
                            .n_results = 1 });
}
