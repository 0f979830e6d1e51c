/* SPDX-License-Identifier: BSD-3-Clause */
/* All-reduces without a total of their own: contributions that lie in memory which this process sees
 * are combined straight into the components that get the outcome, which may be themselves. Whether
 * one is made so changes no bit. */
#ifndef COHORT_RUN_IN_PLACE_H
#define COHORT_RUN_IN_PLACE_H

#include "runtime/reduce/plan.h"

/* May this one be? `x` is per replica, and what the plan is of; `into` as well, or will be; both are
 * prepared. */
bool cohort_in_place_may_be(const cohort_reduce_plan *plan, const cohort_value *x,
                            const cohort_value *into);

/* Then: every replica has the outcome in its component of `into`. */
void cohort_in_place_post(const cohort_reduce_plan *plan, const cohort_value *x,
                          cohort_value *into);

#endif
