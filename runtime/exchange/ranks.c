/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/exchange/ranks.h"

#include "runtime/exchange/communicator.h"

#include <stdio.h>
#include <string.h>

/* ------------------------------------------------------------------ numbers */

static int32_t count(const cohort_membership *m, const char *type)
{
    const cohort_cluster_job *job = cohort_cluster_spec_find(m->spec, type);
    return job != NULL ? job->n : 0;
}

static int32_t rank_of(const cohort_membership *m, const cohort_ranks *r)
{
    if (strcmp(m->task_type, "ps") == 0)
        return r->n_workers + m->task_id;
    if (strcmp(m->task_type, "evaluator") == 0)
        return r->n_workers + r->n_servers + m->task_id;
    return strcmp(m->task_type, "chief") == 0 ? 0 : count(m, "chief") + m->task_id;
}

cohort_status cohort_ranks_of(const cohort_membership *m, const char *call, cohort_ranks *out)
{
    if (m->task_type[0] == '\0' || m->task_id < 0)
        return cohort_error_set(COHORT_EINVAL,
                                "%s: resolver '%s' gives no task type and task id of this process",
                                call, m->resolver->name);
    *out = (cohort_ranks){ .n_workers = count(m, "chief") + count(m, "worker"),
                           .n_chiefs = count(m, "chief"),
                           .n_servers = count(m, "ps"),
                           .n_evaluators = count(m, "evaluator") };
    out->rank = rank_of(m, out);
    return COHORT_OK;
}

void cohort_ranks_name(const cohort_ranks *r, int32_t rank, char out[COHORT_RANKS_NAME])
{
    int32_t server = rank - r->n_workers, evaluator = server - r->n_servers;
    if (rank < r->n_chiefs)
        (void)snprintf(out, COHORT_RANKS_NAME, "chief");
    else if (server < 0)
        (void)snprintf(out, COHORT_RANKS_NAME, "worker %d of %d", (int)(rank - r->n_chiefs),
                       (int)(r->n_workers - r->n_chiefs));
    else if (evaluator < 0)
        (void)snprintf(out, COHORT_RANKS_NAME, "parameter server %d of %d", (int)server,
                       (int)r->n_servers);
    else
        (void)snprintf(out, COHORT_RANKS_NAME, "evaluator %d of %d", (int)evaluator,
                       (int)r->n_evaluators);
}

/* ------------------------------------------------------------------ a communicator */

cohort_status cohort_ranks_check(const cohort_membership *m, int32_t size, int32_t rank,
                                 const cohort_resolver *transport)
{
    const cohort_comm_info *info = &cohort_communicator_of(transport)->info;
    if (info->size == size && info->rank == rank)
        return COHORT_OK;
    return cohort_error_set(COHORT_EINVAL,
                            "resolver '%s' says that this is worker %d of %d, and MPI that it is "
                            "rank %d of %d; start one process for each worker, in their order",
                            m->resolver->name, (int)rank, (int)size, (int)info->rank,
                            (int)info->size);
}

/* Another resolver than that of MPI knows who the tasks are, and MPI beside it joins them. */
static cohort_resolver *join_started(const cohort_membership *m, int32_t size)
{
    if (cohort_communicator_is_started())
        return cohort_resolver_mpi(COHORT_MPI_WORLD);
    (void)cohort_error_set(COHORT_EINVAL,
                           "resolver '%s' knows of %d workers, and nothing carries bytes between "
                           "them: start the program by mpirun",
                           m->resolver->name, (int)size);
    return NULL;
}

cohort_status cohort_ranks_connect(const cohort_membership *m, int32_t size, cohort_resolver **out)
{
    *out = cohort_communicator_of(m->resolver) != NULL ? cohort_resolver_share(m->resolver)
                                                       : join_started(m, size);
    return *out != NULL ? COHORT_OK : cohort_error_status();
}
