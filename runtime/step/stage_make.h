/* SPDX-License-Identifier: BSD-3-Clause */
/* Making and freeing of stages. */
#ifndef COHORT_STEP_STAGE_MAKE_H
#define COHORT_STEP_STAGE_MAKE_H

#include "runtime/step/stage.h"

/* The stage of a strategy; NULL: it has not been made. _prepare makes it at the first step, yet
 * without threads; NULL with an error text. */
cohort_stage *cohort_stage_of(const cohort_strategy *strategy);
cohort_stage *cohort_stage_prepare(cohort_strategy *strategy);

/* The frame for a step inside `outer` (NULL: for the outermost one), made at first use. NULL with
 * an error text. */
cohort_frame *cohort_stage_frame(cohort_stage *stage, cohort_frame *outer);

#endif
