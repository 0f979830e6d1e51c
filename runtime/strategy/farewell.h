/* SPDX-License-Identifier: BSD-3-Clause */
/* The farewell of a process that ends to the other tasks of its strategies. */
#ifndef COHORT_STRATEGY_FAREWELL_H
#define COHORT_STRATEGY_FAREWELL_H

#include "runtime/strategy/strategy.h"

/* A whole strategy: where it has other tasks, and the process ends by exit, or by the end of main,
 * before the strategy is destroyed, they are told so. */
void cohort_farewell_owe(cohort_strategy *strategy);

/* It is being destroyed, which tells them. Also of one that owes nothing. */
void cohort_farewell_settle(cohort_strategy *strategy);

#endif
