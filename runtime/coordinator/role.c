/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/coordinator/role.h"

#include "runtime/strategy/served.h"

static cohort_status check_cluster(const cohort_strategy *s, const char *call)
{
    if (s->servers == NULL)
        return cohort_error_set(COHORT_EINVAL,
                                "%s: a strategy of kind '%s'; closures are of "
                                "cohort_parameter_server alone",
                                call, s->name);
    const cohort_ranks *r = &s->servers->ranks;
    return r->n_chiefs > 0 && r->n_workers > r->n_chiefs
               ? COHORT_OK
               : cohort_error_set(COHORT_EINVAL,
                                  "%s: the cluster has no job %s; a chief schedules, and workers "
                                  "run what it does: cohort launch --jobs chief=1,worker=3,ps=1",
                                  call, r->n_chiefs == 0 ? "chief" : "worker");
}

static cohort_status check_task(const cohort_ranks *r, const char *call, bool is_chief)
{
    char name[COHORT_RANKS_NAME];
    bool is_right =
        is_chief ? r->rank < r->n_chiefs : r->rank >= r->n_chiefs && r->rank < r->n_workers;
    if (is_right)
        return COHORT_OK;
    cohort_ranks_name(r, r->rank, name);
    return cohort_error_set(COHORT_EINVAL, "%s: this process is the %s; %s", call, name,
                            is_chief ? "the chief schedules, and workers call cohort_worker_run"
                                     : "workers alone run closures, which the chief schedules with "
                                       "cohort_coordinator_create");
}

cohort_status cohort_role_check(const cohort_strategy *s, const char *call, bool is_chief)
{
    cohort_status status = check_cluster(s, call);
    if (status >= 0)
        status = check_task(&s->servers->ranks, call, is_chief);
    if (status >= 0 && s->servers->company != NULL)
        status = cohort_error_set(COHORT_EINVAL, "%s: the strategy %s", call,
                                  is_chief ? "has a coordinator already; destroy that first"
                                           : "runs closures already, one of which this call is "
                                             "made in");
    if (status >= 0)
        status = cohort_served_check(s, call);
    return status < 0 ? status : cohort_role_check_engine(s->servers, call);
}

cohort_status cohort_role_check_engine(const cohort_servers *servers, const char *call)
{
    const cohort_communicator *c = servers->messages.communicator;
    return cohort_communicator_is_up(c)
               ? COHORT_OK
               : cohort_error_set(COHORT_EINVAL,
                                  "%s: %s was finalised, or initialised below "
                                  "MPI_THREAD_SERIALIZED, so that only the thread that made the "
                                  "resolver may exchange anything",
                                  call, c->info.engine);
}
