/* SPDX-License-Identifier: BSD-3-Clause */
/* The transactions of a strategy (strategy/transaction.h), and what step functions and programs
 * need of them. */
#ifndef COHORT_VALUE_TRANSACTION_H
#define COHORT_VALUE_TRANSACTION_H

#include "runtime/strategy/strategy.h"

/* A device may be lost, and calls are to survive that. */
bool cohort_transaction_may_be(const cohort_strategy *strategy);

/* When all is over: what only devices have that may be lost is with this process from now on, too.
 * The error of bringing it; COHORT_ENOMEM. */
cohort_status cohort_transaction_keep(cohort_strategy *strategy);

/* Around what is undone as a whole when it fails, after all before is over: what variables hold is
 * kept, and a step begins (variable.h). Then _finish waits for all of it,
 * and who called says whether the step is over (strategy->is_step_open). The error that is up;
 * COHORT_ENOMEM. */
cohort_status cohort_transaction_open(cohort_strategy *strategy);
cohort_status cohort_transaction_finish(cohort_strategy *strategy);

#endif
