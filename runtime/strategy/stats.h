/* SPDX-License-Identifier: BSD-3-Clause */
/* What a strategy has done, where the user asks for it (COHORT_STATS). */
#ifndef COHORT_STRATEGY_STATS_H
#define COHORT_STRATEGY_STATS_H

#include "runtime/strategy/strategy.h"

/* A strategy was made: times are measured from now on, if COHORT_STATS is set. */
void cohort_stats_begin(cohort_strategy *strategy);

/* It is about to be destroyed: print what COHORT_STATS asks for. */
void cohort_stats_say(const cohort_strategy *strategy);

#endif
