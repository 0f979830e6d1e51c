/* SPDX-License-Identifier: BSD-3-Clause */
/* A plan whose result is a plain value. */
#ifndef COHORT_REDUCE_PLAN_INTO_H
#define COHORT_REDUCE_PLAN_INTO_H

#include "runtime/reduce/plan.h"

/* `into` is another value than x, and of the strategy of x. COHORT_EINVAL with "call: ...". */
cohort_status cohort_reduce_check_into(const cohort_argument *x, const cohort_value *into,
                                       const char *call);

/* The last part that may fail; and the posting, which needs that. */
cohort_status cohort_reduce_prepare(const cohort_reduce_plan *plan, cohort_value *into);
void cohort_reduce_post(const cohort_reduce_plan *plan, cohort_value *into);

#endif
