/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies of the variables that are on parameter servers, all of one instant. */
#ifndef COHORT_CHECKPOINT_SERVED_COPY_H
#define COHORT_CHECKPOINT_SERVED_COPY_H

#include "runtime/checkpoint/state_copy.h"

/* Whether the servers have it. */
bool cohort_served_has(const cohort_source_of_tensor *source);

/* What servers have comes into its places in the copy: as it was at one instant, without a write of
 * anybody between. The copy's room is lent to messages until it returns, also where that fails.
 * COHORT_EAGAIN: the others never paused for long enough; COHORT_ENOMEM; the errors of
 * cohort_servers_ask. */
cohort_status cohort_served_copy_take(cohort_state_copy *copy, cohort_servers *servers);

#endif
