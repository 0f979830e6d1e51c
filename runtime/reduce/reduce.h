/* SPDX-License-Identifier: BSD-3-Clause */
/* What cohort_reduce, its relatives and the collectives of step functions have in common. */
#ifndef COHORT_REDUCE_REDUCE_H
#define COHORT_REDUCE_REDUCE_H

#include "runtime/reduce/plan.h"

/* Enter the strategy of the value to fill, into; it may be NULL, which is an error of x's
 * strategy. */
cohort_status cohort_reduce_enter(const cohort_value *into, const cohort_argument *x,
                                  const char *call);

/* The same for values and as many to fill, n of them, not 0. What is NULL, or a negative n, is an
 * error of the first strategy there is. */
cohort_status cohort_reduce_enter_list(cohort_value *const into[], cohort_value *const values[],
                                       int n, const char *call);

/* `into` is another value than x, and of the strategy of x. COHORT_EINVAL with "call: ...". */
cohort_status cohort_reduce_check_into(const cohort_argument *x, const cohort_value *into,
                                       const char *call);

/* Every value to fill is another one than all others of a list. COHORT_EINVAL with "call: ...". */
cohort_status cohort_reduce_check_distinct(const char *call, cohort_value *const values[], int n,
                                           cohort_value *const into[]);

/* One reduction into a plain value, inside a call. */
cohort_status cohort_reduce_into(const char *call, const cohort_reduce_request *request,
                                 cohort_value *into);

#endif
