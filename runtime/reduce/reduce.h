/* SPDX-License-Identifier: BSD-3-Clause */
/* What cohort_reduce, its relatives and the collectives of step functions have in common. */
#ifndef COHORT_REDUCE_REDUCE_H
#define COHORT_REDUCE_REDUCE_H

#include "runtime/reduce/plan.h"

/* Enter the strategy for a call of cross-replica context; in a step function COHORT_EINVAL that names the call to use
 * there. strategy is that of the value to fill, into, which may be NULL. */
cohort_status cohort_reduce_enter(const cohort_value *into, const char *call, const char *in_step);

/* `into` is another value than x, and of the strategy of x. COHORT_EINVAL with "call: ...". */
cohort_status cohort_reduce_check_into(const cohort_argument *x, const cohort_value *into, const char *call);

/* Every value to fill is another one than all others of a list. COHORT_EINVAL with "call: ...". */
cohort_status cohort_reduce_check_distinct(const char *call, cohort_value *const values[], int n,
                                           cohort_value *const into[]);

/* One reduction into a plain value, inside a call. */
cohort_status cohort_reduce_into(const char *call, const cohort_reduce_request *request, cohort_value *into);

#endif
