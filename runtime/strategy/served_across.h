/* SPDX-License-Identifier: BSD-3-Clause */
/* The notes that all tasks of a cluster with parameter servers compare: they meet once, when a
 * strategy is made, and never again. So whoever contradicts, or is told something wrong of the
 * cluster, is named by all at once. */
#ifndef COHORT_STRATEGY_SERVED_ACROSS_H
#define COHORT_STRATEGY_SERVED_ACROSS_H

#include "runtime/cluster/membership.h"
#include "runtime/exchange/ranks.h"

#include <cohort/placement.h>

/* The note of one of them. */
typedef struct cohort_served_task {
    const char *call; /* "strategy", or "cohort_server_run", for messages */
    bool is_server;
    const cohort_placement *placement; /* of variables that name none; NULL: the usual one */
    int64_t staleness;
} cohort_served_task;

/* All meet. status: what this one has found by itself, with its text in the slot, which the others
 * then get, and which comes back. membership, ranks: as this one knows them; NULL, with an error:
 * not at all. COHORT_EINVAL, COHORT_EINCOMPATIBLE: they say different things, or one has failed;
 * COHORT_ELOST: one has not come within COHORT_TIMEOUT_WORKER. */
cohort_status cohort_served_across(const cohort_served_task *task,
                                   const cohort_membership *membership, const cohort_ranks *ranks,
                                   const cohort_resolver *transport, cohort_status status);

#endif
