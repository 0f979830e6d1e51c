/* SPDX-License-Identifier: BSD-3-Clause */
/* Dispatch: a bound call becomes one launch per replica, or per store of a variable, in the lanes
 * of their devices. */
#ifndef COHORT_RUN_DISPATCH_H
#define COHORT_RUN_DISPATCH_H

#include "runtime/call/plain.h"

/* What a recorded call keeps for its replays (recording.h). */
typedef struct cohort_memo_own cohort_memo_own;

/* A function, and what is passed to it. */
typedef struct cohort_invocation {
    const cohort_function *function;
    const cohort_argument *arguments;
    cohort_memo_own *own; /* of a recorded call; NULL: of any other one */
} cohort_invocation;

/* Launch a function for replicas first .. first + count - 1. The caller holds the strategy
 * (cohort_call_enter, or the planner's lock of a step). An error means that nothing was posted. */
cohort_status cohort_dispatch_run(cohort_strategy *strategy, const cohort_invocation *invocation,
                                  cohort_call_kind kind, int32_t first, int32_t count);

/* An update. `component`: that of an ON_READ variable alone; -1: of all stores. updated NULL: the
 * first variable that the function writes. only_on: where exactly what it writes must live; NULL:
 * anywhere. */
typedef struct cohort_update_call {
    cohort_strategy *strategy;
    cohort_variable *updated;
    const cohort_invocation *invocation;
    int32_t component;
    const cohort_destination *only_on;
} cohort_update_call;

/* Launch a function for the stores of a variable. As for _run. */
cohort_status cohort_dispatch_update(const cohort_update_call *call);

#endif
