/* SPDX-License-Identifier: BSD-3-Clause */
/* Configuring a strategy late, and what it makes of a configuration. */
#include "config.h"

#include "runtime/base/limits.h"
#include "runtime/cluster/configuration.h"
#include "runtime/strategy/call.h"
#include "runtime/strategy/kind.h"
#include "runtime/strategy/strategy.h"

#include <stdio.h>
#include <string.h>

/* ------------------------------------------------------------------ updating */

enum { FILTER_BYTES = COHORT_LIMIT_CLUSTER_TEXT_BYTES + 64 };

/* A task of a cluster has its collectives led, and talks to nobody but itself. */
static cohort_config_options for_collectives(cohort_config_options options,
                                             const cohort_membership *m, const char *const own[1])
{
    options.device_filters = own;
    options.num_device_filters = 1;
    options.collective_leader =
        cohort_cluster_spec_collective_leader(m->spec, m->task_type, m->task_id);
    return options;
}

/* A worker talks to itself and to the parameter servers, an evaluator to itself. */
static cohort_config_options for_parameters(cohort_config_options options,
                                            const cohort_membership *m, const char *const own[2])
{
    bool is_worker = strcmp(m->task_type, "chief") == 0 || strcmp(m->task_type, "worker") == 0,
         is_evaluator = strcmp(m->task_type, "evaluator") == 0;
    options.isolate_session_state = false;
    options.device_filters = own;
    options.num_device_filters = is_worker ? 2 : is_evaluator ? 1 : 0;
    return options;
}

static cohort_config *update(const cohort_strategy *s, const cohort_membership *m,
                             const cohort_config *config)
{
    char self[FILTER_BYTES];
    const char *const own[] = { self, "/job:ps" };
    cohort_config_options options = { .device_filters = (const char *const *)config->filters,
                                      .num_device_filters = config->n_filters,
                                      .isolate_session_state = config->isolates_session_state,
                                      .allow_soft_placement = config->allows_soft_placement,
                                      .collective_leader = config->collective_leader };
    bool is_task = cohort_membership_has_cluster(m) && m->task_type[0] != '\0' && m->task_id >= 0;
    if (cohort_kind_is_one_device(s))
        return cohort_config_create(&options);
    if (is_task)
        (void)snprintf(self, sizeof self, "/job:%s/task:%d", m->task_type, (int)m->task_id);
    if (is_task && cohort_kind_has_parameters(s))
        options = for_parameters(options, m, own);
    else if (is_task)
        options = for_collectives(options, m, own);
    else
        options.isolate_session_state = true;
    return cohort_config_create(&options);
}

cohort_config *cohort_strategy_update_config(const cohort_strategy *s, const cohort_config *config)
{
    static const char call[] = "cohort_strategy_update_config";
    cohort_config *updated = NULL;
    if (cohort_handle_check(s, COHORT_HANDLE_STRATEGY, call, "the strategy") >= 0 &&
        cohort_handle_check(config, COHORT_HANDLE_CONFIG, call, "the configuration") >= 0)
        updated = update(s, &s->membership, config);
    return cohort_handle_made(COHORT_HANDLE_CONFIG, updated);
}

/* ------------------------------------------------------------------ configuring */

/* As many GPUs as host replicas, whatever the resolver says that is replaced. */
static int32_t count_gpus(const cohort_strategy *s)
{
    int32_t n = 0;
    for (int32_t d = 0; d < cohort_strategy_hosting(s); d++)
        n += cohort_strategy_context(s, d)->device->info->type == COHORT_DEVICE_GPU;
    return n;
}

static cohort_status join(const cohort_strategy *s, const cohort_cluster_spec *cluster,
                          const char *task_type, int32_t task_id, cohort_membership *out)
{
    const cohort_accelerators gpus = { "GPU", count_gpus(s) };
    cohort_resolver *resolver = cohort_resolver_of_spec(
        cluster, &(cohort_resolver_options){ .task_type = task_type,
                                             .task_id = task_id,
                                             .accelerators = gpus.count > 0 ? &gpus : NULL,
                                             .num_accelerators = gpus.count > 0 });
    if (resolver == NULL)
        return cohort_error_status();
    cohort_status status =
        cohort_membership_join(out, resolver, cohort_kind_needs_ps(s), "strategy");
    cohort_resolver_destroy(resolver); /* the membership has a share */
    if (status >= 0)
        cohort_membership_warn_of_others(out);
    return status;
}

static cohort_status check(const cohort_strategy *s, const cohort_config *config,
                           const cohort_cluster_spec *cluster, const char *task_type)
{
    static const char call[] = "cohort_strategy_configure";
    cohort_status status = COHORT_OK;
    if (s->workers != NULL && cluster != NULL)
        return cohort_error_set(COHORT_EINVAL,
                                "%s: the strategy has joined the workers of its cluster; make "
                                "another one for another cluster",
                                call);
    if (s->has_made_variables)
        return cohort_error_set(COHORT_EINVAL,
                                "%s: the strategy has made variables already; configure it before "
                                "the first one",
                                call);
    if (config != NULL)
        status = cohort_handle_check(config, COHORT_HANDLE_CONFIG, call, "the configuration");
    if (status >= 0 && cluster != NULL)
        status = cohort_handle_check(cluster, COHORT_HANDLE_CLUSTER_SPEC, call, "the cluster");
    if (status >= 0 && cluster == NULL && task_type != NULL)
        status = cohort_error_set(COHORT_EINVAL, "%s: a task '%.60s' without its cluster", call,
                                  task_type);
    return status;
}

/* A failure leaves strategy and configuration as they were. */
static cohort_status configure(cohort_strategy *s, cohort_config *config,
                               const cohort_cluster_spec *cluster, const char *task_type,
                               int32_t task_id)
{
    cohort_membership joined = { 0 };
    cohort_status status = check(s, config, cluster, task_type);
    if (status >= 0 && cluster != NULL)
        status = join(s, cluster, task_type, task_id, &joined);
    if (status < 0)
        return status;
    if (config != NULL) {
        cohort_config *updated = update(s, cluster != NULL ? &joined : &s->membership, config);
        if (updated == NULL) {
            status = cohort_error_status();
            cohort_membership_leave(&joined);
            return status;
        }
        cohort_config_swap(config, updated);
        cohort_config_destroy(updated);
        (void)cohort_config_share(config);
        cohort_config_destroy(s->config);
        s->config = config;
    }
    if (cluster != NULL) {
        cohort_membership_leave(&s->membership);
        s->membership = joined;
    }
    return COHORT_OK;
}

cohort_status cohort_strategy_configure(cohort_strategy *s, cohort_config *config,
                                        const cohort_cluster_spec *cluster, const char *task_type,
                                        int32_t task_id)
{
    cohort_status status = cohort_call_enter(s, "cohort_strategy_configure");
    return status < 0 ? status
                      : cohort_call_leave(s, configure(s, config, cluster, task_type, task_id));
}

const cohort_config *cohort_strategy_config(const cohort_strategy *s)
{
    return cohort_handle_is(s, COHORT_HANDLE_STRATEGY) ? s->config : NULL;
}
