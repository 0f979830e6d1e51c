/* SPDX-License-Identifier: BSD-3-Clause */
/* Scatters: rows of a variable combined with index slices, on one store. */
#ifndef COHORT_VALUE_SCATTER_H
#define COHORT_VALUE_SCATTER_H

#include "runtime/value/slices.h"

/* Is there such an operation for that dtype? COHORT_EINVAL names the variable. */
cohort_status cohort_scatter_check(const cohort_variable *variable, cohort_write_op what,
                                   const char *call);

/* Post the scatter of all slices into a store whose joint write was started, and what completes
 * that: `next` is the buffer to fill. divisor: of each row before it is combined (MEAN), else 1. */
void cohort_scatter_post(cohort_variable *variable, int32_t store, cohort_buffer *next,
                         cohort_slices *slices, cohort_write_op what, uint64_t divisor);

#endif
