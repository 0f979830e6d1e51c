/* SPDX-License-Identifier: BSD-3-Clause */
/* Roles of tasks. Source: multi_worker_util.py of TensorFlow 2.21. */
#include "config.h"

#include "runtime/cluster/spec.h"

#include <string.h>

static bool is(const char *type, const char *other)
{
    return strcmp(type, other) == 0;
}

static bool is_type(const char *type)
{
    return is(type, "chief") || is(type, "worker") || is(type, "evaluator") || is(type, "ps");
}

static int32_t count(const cohort_cluster_spec *spec, const char *type)
{
    const cohort_cluster_job *job = cohort_cluster_spec_find(spec, type);
    return job != NULL ? job->n : 0;
}

static cohort_status check_jobs(const cohort_cluster_spec *spec, const char *call)
{
    static const char *const singles[] = { "chief", "evaluator" };
    for (int32_t i = 0; i < spec->n; i++)
        if (!is_type(spec->jobs[i].type))
            return cohort_error_set(
                COHORT_EINVAL,
                "%s: the cluster has a job '%.200s'; jobs are chief, worker, ps and evaluator",
                call, spec->jobs[i].type);
    for (size_t i = 0; i < sizeof singles / sizeof *singles; i++)
        if (count(spec, singles[i]) > 1)
            return cohort_error_set(COHORT_EINVAL,
                                    "%s: the cluster has %d tasks of job '%s'; at most one", call,
                                    (int)count(spec, singles[i]), singles[i]);
    return COHORT_OK;
}

/* The evaluator may be missing in a cluster: it is a cluster of its own. */
static cohort_status check_task(const cohort_cluster_spec *spec, const char *type, int32_t id,
                                const char *call)
{
    if (type[0] == '\0')
        return COHORT_OK;
    if (!is_type(type))
        return cohort_error_set(COHORT_EINVAL,
                                "%s: no task type '%.200s'; chief, worker, ps and evaluator", call,
                                type);
    const cohort_cluster_job *job = cohort_cluster_spec_find(spec, type);
    if (job == NULL && !is(type, "evaluator")) {
        char jobs[256];
        cohort_cluster_spec_list_jobs(spec, jobs, sizeof jobs);
        return cohort_error_set(COHORT_EINVAL,
                                "%s: task type '%s' is not in the cluster; its jobs: %s", call,
                                type, jobs);
    }
    if (job != NULL && id >= job->n)
        return cohort_error_set(COHORT_EINVAL,
                                "%s: there is no %s %d: the cluster has %d task%s of it", call,
                                type, (int)id, (int)job->n, job->n == 1 ? "" : "s");
    return COHORT_OK;
}

/* *type: "" for NULL afterwards. */
static cohort_status check(const cohort_cluster_spec *spec, const char **type, int32_t id,
                           const char *call)
{
    cohort_status status = cohort_cluster_spec_check(spec, call);
    *type = *type != NULL ? *type : "";
    if (status >= 0)
        status = check_jobs(spec, call);
    return status < 0 ? status : check_task(spec, *type, id, call);
}

int cohort_cluster_spec_is_chief(const cohort_cluster_spec *spec, const char *type, int32_t id)
{
    cohort_status status = check(spec, &type, id, "cohort_cluster_spec_is_chief");
    if (status < 0)
        return status;
    bool is_first_worker = is(type, "worker") && id == 0;
    return is(type, "chief") || is(type, "evaluator") ||
           (is_first_worker && cohort_cluster_spec_find(spec, "chief") == NULL);
}

int cohort_cluster_spec_worker_count(const cohort_cluster_spec *spec, const char *type)
{
    static const char call[] = "cohort_cluster_spec_worker_count";
    cohort_status status = check(spec, &type, 0, call);
    if (status < 0)
        return status;
    if (is(type, "evaluator") && cohort_cluster_spec_find(spec, type) == NULL)
        return cohort_error_set(COHORT_ENOENT, "%s: the cluster has no job 'evaluator'", call);
    if (is(type, "evaluator"))
        return count(spec, type);
    if (is(type, "chief") || is(type, "worker"))
        return count(spec, "chief") + count(spec, "worker");
    return cohort_error_set(COHORT_EINVAL, "%s: '%s' is no worker; chief, worker or evaluator",
                            call, type);
}

int cohort_cluster_spec_id_in_cluster(const cohort_cluster_spec *spec, const char *type, int32_t id)
{
    static const char call[] = "cohort_cluster_spec_id_in_cluster";
    cohort_status status = check(spec, &type, id, call);
    if (status < 0)
        return status;
    if (type[0] == '\0' || is(type, "ps"))
        return cohort_error_set(COHORT_EINVAL,
                                "%s: a task of type '%s' has no id in the cluster; chief, worker "
                                "and evaluator have",
                                call, type);
    if (id < 0)
        return cohort_error_set(COHORT_EINVAL, "%s: there is no %s %d; ids begin with 0", call,
                                type, (int)id);
    if (is(type, "chief"))
        return 0;
    return is(type, "worker") ? id + count(spec, "chief") : id;
}

static const char *leader(const cohort_cluster_spec *spec, const char *call)
{
    if (cohort_cluster_spec_find(spec, "chief") != NULL)
        return "/job:chief/replica:0/task:0";
    if (cohort_cluster_spec_find(spec, "worker") != NULL)
        return "/job:worker/replica:0/task:0";
    (void)cohort_error_set(COHORT_EINVAL, "%s: the cluster has no chief and no worker", call);
    return NULL;
}

const char *cohort_cluster_spec_collective_leader(const cohort_cluster_spec *spec, const char *type,
                                                  int32_t id)
{
    static const char call[] = "cohort_cluster_spec_collective_leader";
    if (cohort_cluster_spec_check(spec, call) < 0)
        return NULL;
    if (spec->n == 0)
        return "";
    if (check(spec, &type, id, call) < 0)
        return NULL;
    return is(type, "evaluator") ? "" : leader(spec, call);
}

const char *cohort_cluster_spec_coordination_leader(const cohort_cluster_spec *spec)
{
    static const char call[] = "cohort_cluster_spec_coordination_leader";
    if (cohort_cluster_spec_check(spec, call) < 0)
        return NULL;
    if (spec->n == 0)
        return "";
    return cohort_cluster_spec_find(spec, "ps") != NULL ? "/job:ps/replica:0/task:0"
                                                        : leader(spec, call);
}
