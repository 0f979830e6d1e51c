/* SPDX-License-Identifier: BSD-3-Clause */
/* Operations: which reductions there are of a dtype, and what comes out. */
#ifndef COHORT_REDUCE_OPERATION_H
#define COHORT_REDUCE_OPERATION_H

#include <cohort/array.h>

/* Is there such a reduction of that dtype? COHORT_EINVAL with "call: ...". */
cohort_status cohort_reduce_check_op(cohort_reduce_op op, cohort_dtype dtype, const char *call);

/* The dtype that comes out: another one for the MEAN of integers. */
cohort_dtype cohort_reduce_result(cohort_reduce_op op, cohort_dtype dtype);

/* What combines two contributions: MEAN sums up. */
static inline cohort_reduce_op cohort_reduce_step(cohort_reduce_op op)
{
    return op == COHORT_MEAN ? COHORT_SUM : op;
}

/* Fill with what leaves every number as it is: 0 of SUM, 1 of PROD. */
void cohort_reduce_fill_neutral(cohort_reduce_op op, cohort_dtype dtype, void *items,
                                uint64_t count);

#endif
