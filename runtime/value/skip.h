/* SPDX-License-Identifier: BSD-3-Clause */
/* Skipping: a step in which the guard has found something, here or on another worker, is as if it
 * had not been made.
 *
 * The scan of a contribution fails, as with COHORT_GUARD_ERROR: lanes pass over its call and later
 * ones, everywhere. When all has been waited for, variables go back to what the step found, which
 * is kept for steps (variable.h), and the failure is cleared. All of it is the planner's.
 *
 * Over workers who has found something comes to no meeting more, and says so; the others fail in
 * that of the same call. Then all say that they skip, and go on, unless somebody's step has failed
 * otherwise (exchange/workers.h). */
#ifndef COHORT_VALUE_SKIP_H
#define COHORT_VALUE_SKIP_H

#include "runtime/strategy/strategy.h"

/* A step that is to begin now is skipped where it has to be: the guard is COHORT_GUARD_SKIP, and no
 * step is under way. */
static inline bool cohort_skip_may_be(const cohort_strategy *strategy)
{
    return strategy->guard == COHORT_GUARD_SKIP && !strategy->is_step_open;
}

/* A step begins: what variables and writes are now is what a failure of it goes back to. */
void cohort_skip_begin_step(cohort_strategy *strategy);

/* The failure of the step that is under way is one for which it is to be skipped. */
bool cohort_skip_is_due(const cohort_strategy *strategy);

/* Skip it with all workers, count it, and say so in the log; the strategy has no failure then. The
 * error of a worker that does not: the failure is that now. Blocks for the others. */
cohort_status cohort_skip_step(cohort_strategy *strategy);

#endif
