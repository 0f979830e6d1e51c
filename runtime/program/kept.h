/* SPDX-License-Identifier: BSD-3-Clause */
/* Kept steps: a step in which a device is lost is made again on the others, with the same rows.
 *
 *     cohort_kept_begin(program);
 *     status = the step
 *     status = cohort_kept_end(program, status);
 *     while (status < 0 && cohort_kept_may_repeat(program, &status))
 *         status = cohort_kept_end(program, the step, but for its batch, which is there);
 *
 * A step begins when the one before is over. What it finds of the variables is there until it is
 * over itself (value/variable.h), its batch is with its values, and what it writes to values is
 * written anew. So a program is looked at once: a value that it reads before it writes it carries
 * something from step to step, of which nobody has the older content, and what it writes to its
 * batch cannot be undone. All of it is the planner's. */
#ifndef COHORT_PROGRAM_KEPT_H
#define COHORT_PROGRAM_KEPT_H

#include "runtime/program/program.h"

void cohort_kept_begin(cohort_program *program);

/* Its batch is there. */
void cohort_kept_note_batch(cohort_program *program);

/* Waits for all of it. */
cohort_status cohort_kept_end(cohort_program *program, cohort_status status);

/* It has failed with this status. True: a device was lost, the strategy goes on without it, and all
 * is as the step found it. Else *status is the error, which sticks. */
bool cohort_kept_may_repeat(cohort_program *program, cohort_status *status);

/* It has failed with this status, and is not made once more. COHORT_OK: it is skipped
 * (value/skip.h); else that is the error, which sticks. */
cohort_status cohort_kept_skip(cohort_program *program, cohort_status status);

#endif
