/* SPDX-License-Identifier: BSD-3-Clause */
/* What is said of a step, its replicas and its collectives when something is wrong. */
#ifndef COHORT_STEP_WORDS_H
#define COHORT_STEP_WORDS_H

#include "runtime/step/stage.h"

enum { COHORT_WORDS_BYTES = 400 };

/* "cohort_all_reduce (sum, 1 value) at step.c:12"; returns text. */
const char *cohort_words_call(const cohort_rendezvous *rendezvous, char text[COHORT_WORDS_BYTES]);

/* "after cohort_barrier at step.c:10", or "before any collective"; returns text. */
const char *cohort_words_latest(const cohort_part *part, char text[COHORT_WORDS_BYTES]);

/* The number that the program knows a replica of the stage by. */
int32_t cohort_words_id(const cohort_stage *stage, int32_t replica);

/* Put "step function name at site: " before what the slot says; returns status. */
cohort_status cohort_words_prefix(const cohort_frame *frame, cohort_status status);

/* An error of the step (cohort_news_raise), with that prefix. held: lock of the stage */
void cohort_words_fail(cohort_stage *stage, const cohort_frame *frame, cohort_status status);

#endif
