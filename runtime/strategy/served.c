/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/strategy/served.h"

#include "runtime/strategy/kind.h"

#include <string.h>

/* ------------------------------------------------------------------ joining */

cohort_status cohort_served_find(cohort_membership *membership, cohort_resolver *given,
                                 const char *call, cohort_ranks *out_ranks,
                                 cohort_resolver **out_transport)
{
    cohort_resolver *resolver = given != NULL ? given : cohort_resolver_tf_config();
    if (resolver == NULL)
        return cohort_error_prefix(cohort_error_status(), "%s", call);
    cohort_status status = cohort_membership_join(membership, resolver, false);
    if (given == NULL)
        cohort_resolver_destroy(resolver);
    if (status >= 0)
        status = cohort_ranks_of(membership, call, out_ranks);
    if (status < 0)
        return status;
    if (out_ranks->n_servers == 0 || out_ranks->n_workers == 0)
        return cohort_error_set(COHORT_EINVAL,
                                "%s: the cluster has no job %s; there is at least one task of it",
                                call, out_ranks->n_servers == 0 ? "ps" : "worker or chief");
    const int32_t size = cohort_ranks_size(out_ranks);
    status = cohort_ranks_connect(membership, size, out_transport);
    if (status >= 0)
        status = cohort_ranks_check(membership, size, out_ranks->rank, *out_transport);
    return status < 0 ? cohort_error_prefix(status, "%s", call) : COHORT_OK;
}

static cohort_status check_staleness(const cohort_strategy_options *options, bool is_served)
{
    if (options->staleness < 0)
        return cohort_error_set(COHORT_EINVAL,
                                "strategy: a staleness of %lld writes; 0 for no "
                                "bound, or 1 and more",
                                (long long)options->staleness);
    if (options->staleness > 0 && !is_served)
        return cohort_error_set(COHORT_EINVAL,
                                "strategy: staleness is of parameter-server alone; leave it 0");
    return COHORT_OK;
}

static cohort_status join(cohort_strategy *s, const cohort_strategy_options *options)
{
    cohort_ranks ranks;
    cohort_status status =
        cohort_served_find(&s->membership, options->resolver, "strategy", &ranks, &s->transport);
    if (status >= 0 && cohort_ranks_is_server(&ranks, ranks.rank))
        status = cohort_error_set(COHORT_EINVAL,
                                  "strategy: this process is parameter server %d of %d, which "
                                  "calls cohort_server_run instead",
                                  (int)s->membership.task_id, (int)ranks.n_servers);
    if (status < 0)
        return status;
    s->servers =
        cohort_servers_create(cohort_communicator_of(s->transport), &ranks, options->staleness);
    return s->servers != NULL ? COHORT_OK : cohort_error_status();
}

cohort_status cohort_served_join(cohort_strategy *s, const cohort_strategy_options *options)
{
    bool is_served = cohort_kind_is_served(options->name);
    cohort_status status = check_staleness(options, is_served);
    return status >= 0 && is_served ? join(s, options) : status;
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
