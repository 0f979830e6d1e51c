/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps: a step function played on every replica. */
#ifndef COHORT_RUN_STEP_H
#define COHORT_RUN_STEP_H

#include "runtime/run/stage.h"

/* Play the innermost step, which this replica has not begun, on its thread. held: lock of the
 * stage, given up meanwhile */
void cohort_step_play(cohort_replica *me);

/* Put "step function name at site: " before what the slot says; returns status. */
cohort_status cohort_step_prefix(const cohort_frame *frame, cohort_status status);

#endif
