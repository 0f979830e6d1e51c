/* SPDX-License-Identifier: BSD-3-Clause */
/* News of a lane: that something has happened which whoever has its baton may wait for. */
#ifndef COHORT_RUN_NEWS_H
#define COHORT_RUN_NEWS_H

#include "runtime/run/stage.h"

/* There are some. held: lock of the stage */
void cohort_news_tell(cohort_stage *stage, cohort_stage_lane *lane);

/* Wake the lanes that are asleep, when the stage's must_ring was set and the lock is given up. */
void cohort_news_ring(cohort_stage *stage);

/* Until there are news, or for a while; returns how long it has waited. held: lock of the stage,
 * given up meanwhile */
int64_t cohort_news_await(cohort_stage *stage, cohort_stage_lane *lane);

/* What a thread with the baton of this lane looks for may be done by another lane on the core where
 * it is itself; then looking would keep it from being done: let it run. */
void cohort_news_let_run(const cohort_stage *stage, cohort_stage_lane *lane);

#endif
