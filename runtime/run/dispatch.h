/* SPDX-License-Identifier: BSD-3-Clause */
/* Dispatch: a bound call becomes one launch per replica, or per copy of a variable, in the lanes of their devices. */
#ifndef COHORT_RUN_DISPATCH_H
#define COHORT_RUN_DISPATCH_H

#include "runtime/run/binding.h"

/* Launch a function for replicas first .. first + count - 1. The caller holds the strategy (cohort_strategy_enter, or
 * the planner's lock of a step). An error means that nothing was posted. */
cohort_status cohort_dispatch_run(cohort_strategy *strategy, const cohort_function *function,
                                  const cohort_argument arguments[], cohort_call_kind kind, int32_t first,
                                  int32_t count);

/* cohort_update, held in the same way. In a step function an ON_READ variable is updated for the replica alone that
 * runs on this thread. */
cohort_status cohort_dispatch_update(cohort_variable *variable, const cohort_function *function,
                                     const cohort_argument arguments[]);

#endif
