/* SPDX-License-Identifier: BSD-3-Clause */
/* Opening a checkpoint for all workers of a strategy, whichever of them can read it. */
#ifndef COHORT_CHECKPOINT_OPEN_ACROSS_H
#define COHORT_CHECKPOINT_OPEN_ACROSS_H

#include "runtime/checkpoint/file.h"
#include "runtime/strategy/strategy.h"

/* cohort_checkpoint_begin, and of several workers for all of them, in the middle of a call that all
 * make: the newest generation that some worker finds whole is that of all, and those who have not
 * the same get its files from the first who has, into memory. All of it is verified.
 *
 * COHORT_END, for all: nobody has one. Else, where nobody has a whole one, the first worker's
 * error; COHORT_ENOMEM; COHORT_EINTERNAL a file cannot be read now, or memory not be made a file;
 * the errors of cohort_workers_meet. */
cohort_status cohort_checkpoint_begin_across(cohort_strategy *strategy, const char *call,
                                             const char *path, cohort_checkpoint **out);

#endif
