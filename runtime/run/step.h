/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps: a step function played on every replica. */
#ifndef COHORT_RUN_STEP_H
#define COHORT_RUN_STEP_H

#include "runtime/run/stage.h"

/* Play the innermost step, which this replica has not begun, on its thread. held: lock of the
 * stage, given up meanwhile */
void cohort_step_play(cohort_replica *me);

/* Thread of a replica that the runner of its lane does not play. */
void *cohort_step_thread(void *replica);

/* Put "step function name at site: " before what the slot says; returns status. */
cohort_status cohort_step_prefix(const cohort_frame *frame, cohort_status status);

/* Of stage.c: the stage of a strategy; NULL: it has not been made. */
cohort_stage *cohort_stage_of(const cohort_strategy *strategy);

/* Of stage.c: the stage of a strategy, made at its first step, with a thread for every replica that
 * needs one; and the frame for a step inside `outer` (NULL: for the outermost one), made at first
 * use. NULL with an error text. */
cohort_stage *cohort_stage_prepare(cohort_strategy *strategy);
cohort_frame *cohort_stage_frame(cohort_stage *stage, cohort_frame *outer);

#endif
