/* SPDX-License-Identifier: BSD-3-Clause */
/* Little reductions along axes and with weights: of what every replica has, in memory that this
 * process sees. The call itself does all of one, without a plan, when nothing is under way, with
 * the bits of the plan: what is posted for a plan, and the plan, take longer than the
 * arithmetic. */
#ifndef COHORT_REDUCE_LITTLE_H
#define COHORT_REDUCE_LITTLE_H

#include "runtime/reduce/plan.h"
#include "runtime/reduce/reducer.h"

/* Is this reduction little? Then it is done. False also where it is wrong or something has no
 * memory yet, which its plan finds again, and says or mends; then no value has changed, though both
 * may have got places. x: the value of the request. */
bool cohort_little_do(cohort_reducer *reducer, const cohort_reduce_request *request,
                      cohort_value *x, cohort_value *into);

#endif
