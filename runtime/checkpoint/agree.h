/* SPDX-License-Identifier: BSD-3-Clause */
/* What the workers of a strategy agree on before a checkpoint of theirs is written or read. All of
 * it does nothing where a strategy is alone. */
#ifndef COHORT_CHECKPOINT_AGREE_H
#define COHORT_CHECKPOINT_AGREE_H

#include "runtime/checkpoint/state.h"

/* All have the same variables, parts, names, rules and what is allowed. COHORT_EINVAL, for all:
 * they have not; the errors of cohort_workers_meet. */
cohort_status cohort_agree_on_state(cohort_state *state, const char *call);

/* The same to save it, at the same step: which arrays of the program differ is noted in the items.
 * Contents are compared by two checksums of 32 bits. COHORT_ENOMEM. */
cohort_status cohort_agree_to_save(cohort_state *state, const char *call, int64_t step);

/* A point that all reach, or none passes: who cannot tells the others by its failure. */
cohort_status cohort_agree_that_all_can(cohort_strategy *strategy, const char *call);

#endif
