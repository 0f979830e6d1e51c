/* SPDX-License-Identifier: BSD-3-Clause */
/* Element by element: the arithmetic of assign_add and its relatives, by the core's own loops,
 * planned.
 *
 * Integers wrap; every result is rounded to the dtype, float16 and bfloat16 to nearest even. Where
 * the device shows its memory that is done in place, else by way of this process. */
#ifndef COHORT_OPERATION_ELEMENTWISE_H
#define COHORT_OPERATION_ELEMENTWISE_H

#include "runtime/operation/buffer.h"

typedef enum cohort_elementwise_op {
    COHORT_ELEMENTWISE_ADD,      /* into = a + b */
    COHORT_ELEMENTWISE_SUBTRACT, /* into = a - b */
    /* into = b / divisor: of integers the quotient towards zero; a is NULL */
    COHORT_ELEMENTWISE_SHARE,
    COHORT_ELEMENTWISE_REST /* the same, of integers with the remainder */
} cohort_elementwise_op;

/* Has the dtype these operations? Numbers but bool. */
bool cohort_elementwise_has(cohort_dtype dtype);

/* Post one of them for `count` elements; all buffers are on the same device and large enough.
 * divisor: of a share, at least 1. */
void cohort_elementwise_post(cohort_elementwise_op op, cohort_dtype dtype, cohort_buffer *a,
                             cohort_buffer *b, cohort_buffer *into, uint64_t count,
                             uint32_t divisor);

#endif
