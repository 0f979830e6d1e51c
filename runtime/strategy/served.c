/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/strategy/served.h"

#include "runtime/cluster/launcher.h"
#include "runtime/exchange/communicator.h"
#include "runtime/exchange/presence.h"
#include "runtime/exchange/refusal.h"
#include "runtime/strategy/kind.h"

#include <string.h>

/* ------------------------------------------------------------------ joining */

static cohort_status check_role(const cohort_served_task *task, const cohort_membership *m,
                                const cohort_ranks *ranks)
{
    if (cohort_ranks_is_server(ranks, ranks->rank) == task->is_server)
        return COHORT_OK;
    return task->is_server
               ? cohort_error_set(COHORT_EINVAL,
                                  "this process is task %d of job '%s'; those of job ps are "
                                  "servers",
                                  (int)m->task_id, m->task_type)
               : cohort_error_set(COHORT_EINVAL,
                                  "this process is parameter server %d of %d, which calls "
                                  "cohort_server_run instead",
                                  (int)m->task_id, (int)ranks->n_servers);
}

static cohort_status check_staleness(const cohort_served_task *task)
{
    if (task->staleness >= 0)
        return COHORT_OK;
    return cohort_error_set(COHORT_EINVAL,
                            "a staleness of %lld writes; 0 for no bound, or 1 and more",
                            (long long)task->staleness);
}

/* As this process alone sees it. */
static cohort_status find(const cohort_served_task *task, const cohort_membership *membership,
                          cohort_ranks *out_ranks, cohort_resolver **out_transport)
{
    cohort_status status =
        cohort_membership_has_cluster(membership) ? COHORT_OK : cohort_launcher_check_alone(NULL);
    if (status >= 0)
        status = cohort_ranks_of(membership, "the cluster", out_ranks);
    if (status < 0)
        return status;
    if (out_ranks->n_servers == 0 || out_ranks->n_workers == 0)
        return cohort_error_set(COHORT_EINVAL,
                                "the cluster has no job %s; there is at least one task of it",
                                out_ranks->n_servers == 0 ? "ps" : "worker or chief");
    const int32_t size = cohort_ranks_size(out_ranks);
    status = cohort_ranks_connect(membership, size, out_transport);
    if (status >= 0)
        status = cohort_ranks_check(membership, size, out_ranks->rank, *out_transport);
    if (status >= 0)
        status = check_role(task, membership, out_ranks);
    /* before they meet: who has met others may have ended by the time that a slow process looks */
    out_ranks->were_there = status >= 0 && cohort_presence_are_all_there(out_ranks->rank, size);
    return status < 0 ? status : check_staleness(task);
}

/* Another cluster than MPI's own may be wrong in this process alone: the others that mpirun has
 * started come to join it, too. */
static void reach_others(cohort_resolver **transport)
{
    cohort_error_saved saved;
    cohort_error_save(&saved);
    if (*transport == NULL && cohort_communicator_is_started())
        *transport = cohort_resolver_mpi(COHORT_MPI_WORLD);
    cohort_error_restore(&saved);
}

/* In a cluster of MPI's own the others may make a strategy of another kind meanwhile, or none; of
 * another one all come, and leave once they have heard. */
static void tell(const cohort_resolver *resolver, const cohort_served_task *task,
                 const cohort_resolver *transport, cohort_status status)
{
    if (cohort_communicator_of(resolver) != NULL)
        cohort_refusal_send_by(resolver, status);
    else if (transport != NULL)
        (void)cohort_served_across(task, NULL, NULL, transport, status);
}

cohort_status cohort_served_find(cohort_membership *membership, cohort_resolver *given,
                                 const cohort_served_task *task, cohort_ranks *out_ranks,
                                 cohort_resolver **out_transport)
{
    cohort_resolver *resolver = given != NULL ? given : cohort_resolver_tf_config();
    cohort_status status = cohort_membership_join(membership, resolver, false, task->call);
    if (status >= 0 && (status = find(task, membership, out_ranks, out_transport)) < 0)
        (void)cohort_error_prefix(status, "%s", task->call);
    if (status < 0 && cohort_communicator_of(resolver) == NULL)
        reach_others(out_transport);
    if (status < 0)
        tell(resolver, task, *out_transport, status);
    if (given == NULL)
        cohort_resolver_destroy(resolver);
    return status;
}

cohort_status cohort_served_meet(const cohort_membership *membership,
                                 const cohort_served_task *task, const cohort_ranks *ranks,
                                 const cohort_resolver *transport, cohort_status status)
{
    if (status >= 0)
        return cohort_served_across(task, membership, ranks, transport, status);
    tell(membership->resolver, task, transport, status);
    return status;
}

static cohort_status join(cohort_strategy *s, const cohort_strategy_options *options)
{
    cohort_ranks ranks;
    const cohort_served_task task = { .call = "strategy",
                                      .placement = options->placement,
                                      .staleness = options->staleness };
    cohort_status status =
        cohort_served_find(&s->membership, options->resolver, &task, &ranks, &s->transport);
    if (status < 0)
        return status;
    s->servers = cohort_servers_create(cohort_communicator_of(s->transport), &ranks);
    status = cohort_served_meet(&s->membership, &task, &ranks, s->transport,
                                s->servers != NULL ? COHORT_OK : cohort_error_status());
    return status < 0 ? status : cohort_servers_greet(s->servers, options->staleness);
}

cohort_status cohort_served_join(cohort_strategy *s, const cohort_strategy_options *options)
{
    if (cohort_kind_is_served(options->name))
        return join(s, options);
    if (options->staleness != 0)
        return cohort_error_set(COHORT_EINVAL,
                                "strategy: staleness is of parameter-server alone; leave it 0");
    return COHORT_OK;
}

/* ------------------------------------------------------------------ afterwards */

void cohort_served_leave(cohort_strategy *s)
{
    cohort_servers_destroy(s->servers);
    s->servers = NULL;
}

bool cohort_served_has_given_up(const cohort_strategy *s)
{
    return s->servers != NULL && s->servers->messages.has_given_up;
}

cohort_status cohort_served_check(const cohort_strategy *s, const char *call)
{
    return cohort_served_has_given_up(s)
               ? cohort_error_set(COHORT_ELOST,
                                  "%s: a parameter server is lost; make a new strategy, of a "
                                  "cluster without it",
                                  call)
               : COHORT_OK;
}
