/* SPDX-License-Identifier: BSD-3-Clause */
/* Strategies that are watched from outside (COHORT_TOP, cohort/monitor.h): one thread of the
 * process writes, four times a second, what each of them is doing. */
#ifndef COHORT_STRATEGY_MONITOR_H
#define COHORT_STRATEGY_MONITOR_H

#include "runtime/strategy/strategy.h"

/* A whole strategy: from now on it is watched, where COHORT_TOP wants it, and its times are
 * measured. What keeps it from being watched is said in the log, and no error. */
void cohort_monitor_begin(cohort_strategy *strategy);

/* It is being destroyed. The last one that was watched ends the thread. Also of one that is not. */
void cohort_monitor_end(cohort_strategy *strategy);

/* A call of a watched strategy begins, or is over: the thread sees counts as they were then. By the
 * thread that makes it; call lasts as long as the process. */
void cohort_monitor_enter(cohort_strategy *strategy, const char *call);
void cohort_monitor_leave(cohort_strategy *strategy);

#endif
