/* SPDX-License-Identifier: BSD-3-Clause */
/* Folds: planned reductions of buffers, by the device where it can, else by the core's own kernel. */
#ifndef COHORT_DEVICE_FOLD_H
#define COHORT_DEVICE_FOLD_H

#include "runtime/device/buffer.h"

typedef struct cohort_fold_term { /* as cohort_term */
    cohort_buffer *buffer;
    uint64_t offset;
    uint32_t merges;
} cohort_fold_term;

/* Combine n terms (1 to COHORT_MAX_TERMS) into dst, on dst's device, which can access all of them. Large ones are cut
 * into slices over the lanes whose devices can access all of them too; that changes no bit. dst is large enough. */
void cohort_fold_post(cohort_reduce_op op, cohort_dtype dtype, const cohort_fold_term terms[], int32_t n,
                      cohort_buffer *dst, uint64_t count, uint64_t divisor);

/* src is outer x rows x inner; combine along the middle into dst, outer x inner, on src's device, which is dst's too.
 * rows is at least 1. */
void cohort_fold_post_rows(cohort_reduce_op op, cohort_dtype dtype, cohort_buffer *src, int64_t outer, int64_t rows,
                           int64_t inner, cohort_buffer *dst);

#endif
