/* SPDX-License-Identifier: BSD-3-Clause */
/* All-reduces without a plan and a total: the usual ones, of what every replica has, in memory that
 * this process sees. They are combined straight into the components that get the outcome, which may
 * be the contributions. Whether one is made so changes no bit. */
#ifndef COHORT_STEP_IN_PLACE_H
#define COHORT_STEP_IN_PLACE_H

#include "runtime/value/value.h"

/* May this one be made so, into a value whose components are prepared? False also where it is
 * wrong, which its plan finds, and says. */
bool cohort_in_place_may_be(cohort_reduce_op op, const cohort_value *x, const cohort_value *into);

/* Then: every replica gets the outcome. */
void cohort_in_place_post(cohort_reduce_op op, const cohort_value *x, cohort_value *into);

#endif
