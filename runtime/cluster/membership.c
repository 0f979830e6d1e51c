/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/cluster/membership.h"

#include "runtime/base/log.h"
#include "runtime/base/memory.h"

#include <string.h>

/* The tasks that would train together, if they were joined. */
void cohort_membership_warn_of_others(const cohort_membership *m)
{
    if (!cohort_membership_has_cluster(m))
        return;
    if (strcmp(m->task_type, "chief") != 0 && strcmp(m->task_type, "worker") != 0)
        return;
    int n = cohort_cluster_spec_worker_count(m->spec, m->task_type);
    if (n > 1)
        cohort_log(COHORT_SUBSYSTEM_CLUSTER, COHORT_LOG_WARNING,
                   "the cluster has %d workers; the strategy of %s %d runs its own replicas and "
                   "waits for no other task",
                   n, m->task_type, (int)m->task_id);
}

static cohort_status ask_task(cohort_membership *m)
{
    const char *type = cohort_resolver_task_type(m->resolver);
    if (type == NULL)
        return cohort_error_status();
    if ((m->task_type = cohort_string_copy(type)) == NULL)
        return cohort_error_memory("a strategy");
    m->task_id = cohort_resolver_task_id(m->resolver);
    return m->task_id < 0 && m->task_id != COHORT_ENOENT ? m->task_id : COHORT_OK;
}

static cohort_status ask(cohort_membership *m)
{
    const cohort_cluster_spec *spec = cohort_resolver_cluster_spec(m->resolver);
    if (spec == NULL)
        return cohort_error_status();
    m->spec = cohort_cluster_spec_share(cohort_memory_own(spec));
    return ask_task(m);
}

static cohort_status check_parameter_tasks(const cohort_membership *m)
{
    if (cohort_cluster_spec_find(m->spec, "ps") == NULL)
        return cohort_error_set(COHORT_EINVAL, "the cluster has no job ps, on which its variables "
                                               "would live");
    if (m->task_type[0] == '\0' || m->task_id < 0)
        return cohort_error_set(COHORT_EINVAL,
                                "resolver '%s' gives no task type and task id of this process",
                                m->resolver->name);
    return COHORT_OK;
}

/* A process that is no task has nobody to leave the work of a chief to. */
static cohort_status find_role(cohort_membership *m, bool needs_ps)
{
    cohort_status status = needs_ps && m->spec->n > 0 ? check_parameter_tasks(m) : COHORT_OK;
    m->is_chief = true;
    if (status < 0 || m->spec->n == 0 || m->task_type[0] == '\0')
        return status;
    int is_chief = cohort_cluster_spec_is_chief(m->spec, m->task_type, m->task_id);
    if (is_chief < 0)
        return is_chief;
    m->is_chief = is_chief;
    return COHORT_OK;
}

cohort_status cohort_membership_join(cohort_membership *m, cohort_resolver *resolver, bool needs_ps,
                                     const char *call)
{
    if (resolver == NULL)
        return cohort_error_prefix(cohort_error_status(), "%s", call);
    cohort_status status =
        cohort_handle_check(resolver, COHORT_HANDLE_RESOLVER, call, "the resolver");
    if (status < 0)
        return status;
    cohort_error_saved before;
    cohort_error_save(&before);
    m->resolver = cohort_resolver_share(resolver);
    status = ask(m);
    if (status >= 0)
        status = find_role(m, needs_ps);
    if (status >= 0) {
        cohort_error_restore(&before); /* that there is no task id is no error here */
        return COHORT_OK;
    }
    cohort_membership_leave(m);
    return cohort_error_prefix(status, "%s", call);
}

void cohort_membership_leave(cohort_membership *m)
{
    cohort_resolver_destroy(m->resolver);
    cohort_cluster_spec_destroy(m->spec);
    cohort_free(m->task_type);
    *m = (cohort_membership){ 0 };
}
