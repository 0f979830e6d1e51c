/* SPDX-License-Identifier: BSD-3-Clause */
/* Waiting for the news of a lane. */
#ifndef COHORT_STEP_NEWS_AWAIT_H
#define COHORT_STEP_NEWS_AWAIT_H

#include "runtime/step/stage.h"

/* Until there are news, or for a while; returns how long it has waited. held: lock of the stage,
 * given up meanwhile */
int64_t cohort_news_await(cohort_stage *stage, cohort_stage_lane *lane);

#endif
