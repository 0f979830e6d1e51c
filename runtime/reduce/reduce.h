/* SPDX-License-Identifier: BSD-3-Clause */
/* What cohort_reduce and the collectives of step functions have in common. */
#ifndef COHORT_REDUCE_REDUCE_H
#define COHORT_REDUCE_REDUCE_H

#include "runtime/reduce/reducer.h"
#include "runtime/value/value.h"

/* Is there such a reduction of that dtype? COHORT_EINVAL with "call: ...". */
cohort_status cohort_reduce_check_op(cohort_reduce_op op, cohort_dtype dtype, const char *call);

/* Are two components alike in dtype and shape? */
cohort_status cohort_reduce_check_component(const cohort_content *first, const cohort_content *content,
                                            int32_t replica);

#endif
