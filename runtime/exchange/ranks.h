/* SPDX-License-Identifier: BSD-3-Clause */
/* The task of each process, where MPI carries the bytes of a cluster: chief, workers, parameter
 * servers, evaluator, in this order. Chief and workers are workers 0 to n_workers - 1. */
#ifndef COHORT_EXCHANGE_RANKS_H
#define COHORT_EXCHANGE_RANKS_H

#include "runtime/cluster/membership.h"

typedef struct cohort_ranks {
    int32_t n_workers, n_servers, n_evaluators;
    int32_t n_chiefs; /* of the workers, the first ones: 1, or 0 */
    int32_t rank;     /* of this process */
    bool were_there;  /* all, and it is seen here when one of their processes ends (presence.h) */
} cohort_ranks;

/* COHORT_EINVAL with "call: ...": this process is no task of the cluster. */
cohort_status cohort_ranks_of(const cohort_membership *membership, const char *call,
                              cohort_ranks *out);

static inline int32_t cohort_ranks_size(const cohort_ranks *r)
{
    return r->n_workers + r->n_servers + r->n_evaluators;
}

static inline bool cohort_ranks_is_server(const cohort_ranks *r, int32_t rank)
{
    return rank >= r->n_workers && rank < r->n_workers + r->n_servers;
}

/* "worker 1 of 3", "parameter server 0 of 2"; "chief", which counts as none of the workers
 * there. */
enum { COHORT_RANKS_NAME = 64 };
void cohort_ranks_name(const cohort_ranks *ranks, int32_t rank, char out[COHORT_RANKS_NAME]);

/* A share of the resolver whose communicator carries the bytes between so many processes: the
 * membership's own, where it is one of MPI, else that of the processes that mpirun has started.
 * COHORT_EINVAL: nothing carries bytes. */
cohort_status cohort_ranks_connect(const cohort_membership *membership, int32_t size,
                                   cohort_resolver **out);

/* COHORT_EINVAL: its processes are not so many, or this one is not `rank` of them. */
cohort_status cohort_ranks_check(const cohort_membership *membership, int32_t size, int32_t rank,
                                 const cohort_resolver *transport);

#endif
