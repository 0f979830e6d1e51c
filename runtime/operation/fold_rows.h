/* SPDX-License-Identifier: BSD-3-Clause */
/* Folds along an axis: rows of one buffer, weighed or not, combined by this process. */
#ifndef COHORT_OPERATION_FOLD_ROWS_H
#define COHORT_OPERATION_FOLD_ROWS_H

#include "runtime/operation/buffer.h"

typedef struct cohort_fold_shape {
    int64_t outer, rows, inner;
} cohort_fold_shape;

/* src is outer x rows x inner; combine along the middle into dst, outer x inner, whose device can
 * access src and weights. rows is at least 1.
 *
 * op       MEAN: the sum, in the dtype in which a mean is summed up (fold_halves.h)
 * stride   elements from one row to the next, `inner`; or 0 with outer 1: src is one row, which
 *          counts `rows` times
 * weights  NULL; or one for each row, by which its elements are multiplied, and rounded to the
 *          dtype in which they are combined, first; or one for all */
void cohort_fold_post_rows(cohort_reduce_op op, cohort_dtype dtype, cohort_buffer *src,
                           cohort_fold_shape shape, int64_t stride, cohort_buffer *weights,
                           bool has_one_weight, cohort_buffer *dst);

/* Do the same at once, in memory of this process. COHORT_ENOTSUP: there is no such op of
 * the dtype, or no weights. */
cohort_status cohort_fold_rows(cohort_reduce_op op, cohort_dtype dtype, const void *src,
                               cohort_fold_shape shape, int64_t stride, const void *weights,
                               bool has_one_weight, void *dst);

#endif
