/* SPDX-License-Identifier: BSD-3-Clause */
/* Rendezvous: the replicas of a step call a collective, each at its time. All held: lock of the
 * stage. */
#ifndef COHORT_STEP_RENDEZVOUS_H
#define COHORT_STEP_RENDEZVOUS_H

#include "runtime/step/stage.h"

/* A replica returns from the step function: an error when others wait for it. */
void cohort_rendezvous_check_end(cohort_replica *me, cohort_frame *frame);

#endif
