/* SPDX-License-Identifier: BSD-3-Clause */
/* News of a lane: that something has happened which whoever has its baton may wait for. */
#ifndef COHORT_STEP_NEWS_H
#define COHORT_STEP_NEWS_H

#include "runtime/step/stage.h"

/* There are some. held: lock of the stage */
void cohort_news_tell(cohort_stage *stage, cohort_stage_lane *lane);

/* Wake the lanes that are asleep, when the stage's must_ring was set and the lock is given up. */
void cohort_news_ring(cohort_stage *stage);

/* The work that a thread with the baton of this lane looks for may be done by another lane on the
 * core where it is itself; then looking would keep it from being done: let it run. */
void cohort_news_let_run(const cohort_stage *stage, cohort_stage_lane *lane);

/* Somebody may go on, or a ring has something to do: news for all lanes. _busy: nobody may, but
 * rings have, if any. held, as below: lock of the stage */
void cohort_news_wake(cohort_stage *stage);
void cohort_news_wake_busy(cohort_stage *stage);

/* An error of the step; wakes all. Operations that were planned before are done nevertheless. */
void cohort_news_raise(cohort_stage *stage, cohort_status status);

/* The same, of a thread that may have been planning: lanes stop, for what they wait for may never
 * be posted. */
void cohort_news_stop(cohort_stage *stage, cohort_status status);

#endif
