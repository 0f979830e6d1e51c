/* SPDX-License-Identifier: BSD-3-Clause */
/* A strategy's part in its cluster: the resolver, and its answers when the strategy was made, so
 * that the role does not change while it runs. */
#ifndef COHORT_CLUSTER_MEMBERSHIP_H
#define COHORT_CLUSTER_MEMBERSHIP_H

#include "runtime/cluster/resolver.h"

/* All zero: of no cluster. */
typedef struct cohort_membership {
    cohort_resolver *resolver; /* a share */
    cohort_cluster_spec *spec; /* a share */
    char *task_type;           /* "": none */
    int32_t task_id;           /* negative: none */
    bool is_chief;
} cohort_membership;

/* All zero afterwards, unless COHORT_OK; errors begin with "call: ". resolver NULL: it could not be
 * made, as the slot says. needs_ps: the variables live on tasks of job ps, so that there have to be
 * some, and this process has to be a task. */
cohort_status cohort_membership_join(cohort_membership *membership, cohort_resolver *resolver,
                                     bool needs_ps, const char *call);

/* The log says so where there are other workers, for a strategy that does not join them. */
void cohort_membership_warn_of_others(const cohort_membership *membership);

void cohort_membership_leave(cohort_membership *membership);

/* There are other tasks, perhaps: the resolver knows of a cluster. */
static inline bool cohort_membership_has_cluster(const cohort_membership *membership)
{
    return membership->spec != NULL && membership->spec->n > 0;
}

#endif
