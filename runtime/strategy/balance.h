/* SPDX-License-Identifier: BSD-3-Clause */
/* Balance: what the devices of a strategy take for a replica, measured step by step, and the
 * hosting that follows from it. The planner's. */
#ifndef COHORT_STRATEGY_BALANCE_H
#define COHORT_STRATEGY_BALANCE_H

#include "runtime/strategy/strategy.h"

#include <cohort/hosting.h>

/* A step was posted: count it. Whether the replicas are to be hosted otherwise, as
 * cohort_balance_move then does. */
bool cohort_balance_wants(cohort_strategy *strategy);

/* Replicas that moved, or an error. Nothing is kept of steps that were posted (moves.h). */
int cohort_balance_move(cohort_strategy *strategy);

void cohort_balance_free(struct cohort_balance *balance);

#endif
