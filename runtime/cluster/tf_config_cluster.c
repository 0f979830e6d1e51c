/* SPDX-License-Identifier: BSD-3-Clause */
/* The member "cluster" of TF_CONFIG: {JOB: [ADDRESS, ...] or {INDEX: ADDRESS, ...}, ...}. */
#include "config.h"

#include "runtime/cluster/tf_config_json.h"

#include "runtime/base/limits.h"
#include "runtime/base/memory.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

typedef cohort_json_place place;

typedef struct addresses {
    const char **texts;
    int32_t *indices;
} addresses;

static cohort_status read_list(const cohort_tf_config_reader *r, const char *job,
                               const json_t *list, const place *outer, addresses *out)
{
    char what[128];
    for (size_t i = 0; i < json_array_size(list); i++) {
        const place at = { outer, i };
        const json_t *value = json_array_get(list, i);
        (void)snprintf(what, sizeof what, "the address of %.60s %zu", job, i);
        cohort_status status = cohort_tf_config_wants_text(r, value, &at, what);
        if (status < 0)
            return status;
        out->texts[i] = json_string_value(value);
        out->indices[i] = (int32_t)i;
    }
    return COHORT_OK;
}

static cohort_status read_table(const cohort_tf_config_reader *r, const char *job, json_t *table,
                                const place *outer, addresses *out)
{
    place at = { outer, 0 };
    char what[128];
    cohort_tf_config_shown room;
    const char *key;
    json_t *value;
    json_object_foreach(table, key, value)
    {
        int32_t index = cohort_cluster_index(key);
        if (index < 0)
            return COHORT_TF_CONFIG_FAIL_NAME(
                r, &at, "the names of tasks are \"0\", \"1\" and so on",
                "'%s' is no index of a task of job %.60s", cohort_tf_config_show(&room, key), job);
        (void)snprintf(what, sizeof what, "the address of %.60s %d", job, (int)index);
        cohort_status status = cohort_tf_config_wants_text(r, value, &at, what);
        if (status < 0)
            return status;
        out->texts[at.ordinal] = json_string_value(value);
        out->indices[at.ordinal++] = index;
    }
    return COHORT_OK;
}

/* The tasks of a job, whose memory is the addresses', and its texts the document's. */
static cohort_status read_job(const cohort_tf_config_reader *r, const char *name, json_t *tasks,
                              const place *at, cohort_job *out)
{
    size_t n = json_is_array(tasks) ? json_array_size(tasks) : json_object_size(tasks);
    cohort_status status = cohort_cluster_check_text(name, "the name of a job", false);
    if (status < 0)
        return COHORT_TF_CONFIG_FAIL_NAME(r, at, "", "%s", cohort_error_slot());
    if (!json_is_array(tasks) && !json_is_object(tasks))
        return COHORT_TF_CONFIG_FAIL(r, at, "write it as [\"HOST:PORT\", ...]",
                                     "job %.60s is %s, not a list of addresses", name,
                                     cohort_json_type(tasks));
    if (n > COHORT_LIMIT_CLUSTER_TASKS)
        return COHORT_TF_CONFIG_FAIL(r, at, "", "job %.60s has %zu tasks, more than %d", name, n,
                                     COHORT_LIMIT_CLUSTER_TASKS);
    addresses list = { cohort_allocate(n, sizeof *list.texts),
                       cohort_allocate(n, sizeof *list.indices) };
    *out = (cohort_job){ name, list.texts, (int32_t)n, list.indices };
    if (list.texts == NULL || list.indices == NULL)
        return cohort_error_memory("TF_CONFIG");
    return json_is_array(tasks) ? read_list(r, name, tasks, at, &list)
                                : read_table(r, name, tasks, at, &list);
}

/* An address that is there, as found for messages. */
typedef struct listener {
    const char *address, *job;
    int32_t index;
    size_t job_ordinal, ordinal;
} listener;

static int compare_listeners(const void *a, const void *b)
{
    const listener *x = a, *y = b;
    int order = strcmp(x->address, y->address);
    if (order == 0)
        order = (x->job_ordinal > y->job_ordinal) - (x->job_ordinal < y->job_ordinal);
    return order != 0 ? order : (x->ordinal > y->ordinal) - (x->ordinal < y->ordinal);
}

/* An evaluator reads what the others have saved, and is asked by none of them. */
static bool talks(const listener *task)
{
    return strcmp(task->job, "evaluator") != 0;
}

static cohort_status check_listeners(const cohort_tf_config_reader *r, listener list[], size_t n,
                                     const place *cluster)
{
    qsort(list, n, sizeof *list, compare_listeners);
    for (size_t i = 1; i < n; i++) {
        const listener *a = &list[i - 1], *b = &list[i];
        if (strcmp(a->address, b->address) != 0 || !talks(a) || !talks(b))
            continue;
        cohort_tf_config_shown room;
        const place job = { cluster, b->job_ordinal }, at = { &job, b->ordinal };
        return COHORT_TF_CONFIG_FAIL(r, &at, "each task needs an address of its own",
                                     "%.60s %d and %.60s %d have the same address '%s'", a->job,
                                     (int)a->index, b->job, (int)b->index,
                                     cohort_tf_config_show(&room, b->address));
    }
    return COHORT_OK;
}

/* Two tasks that others talk to cannot listen at one address. */
static cohort_status check_addresses(const cohort_tf_config_reader *r, const cohort_job jobs[],
                                     size_t n_jobs, const place *cluster)
{
    size_t n = 0, used = 0;
    for (size_t j = 0; j < n_jobs; j++)
        n += (size_t)jobs[j].count;
    listener *list = cohort_allocate(n, sizeof *list);
    if (list == NULL)
        return cohort_error_memory("TF_CONFIG");
    for (size_t j = 0; j < n_jobs; j++)
        for (int32_t t = 0; t < jobs[j].count; t++)
            list[used++] =
                (listener){ jobs[j].addresses[t], jobs[j].type, jobs[j].indices[t], j, (size_t)t };
    cohort_status status = check_listeners(r, list, n, cluster);
    cohort_free(list);
    return status;
}

static cohort_status make_spec(const cohort_tf_config_reader *r, const cohort_job jobs[], size_t n,
                               const place *at)
{
    cohort_status status = check_addresses(r, jobs, n, at);
    if (status < 0)
        return status;
    r->out->spec = cohort_cluster_spec_create(jobs, (int)n);
    if (r->out->spec != NULL)
        return COHORT_OK;
    status = cohort_error_status();
    return status == COHORT_EINVAL ? COHORT_TF_CONFIG_FAIL(r, at, "", "%s", cohort_error_slot())
                                   : status;
}

static cohort_status read_jobs(const cohort_tf_config_reader *r, json_t *cluster,
                               const place *outer, cohort_job jobs[])
{
    place at = { outer, 0 };
    const char *name;
    json_t *tasks;
    json_object_foreach(cluster, name, tasks)
    {
        cohort_status status = read_job(r, name, tasks, &at, &jobs[at.ordinal]);
        if (status < 0)
            return status;
        at.ordinal++;
    }
    return make_spec(r, jobs, at.ordinal, outer);
}

cohort_status cohort_tf_config_read_cluster(const cohort_tf_config_reader *r, json_t *cluster,
                                            const place *at)
{
    size_t n = json_object_size(cluster);
    if (!json_is_object(cluster))
        return COHORT_TF_CONFIG_FAIL(r, at, "write it as {\"worker\": [\"HOST:PORT\", ...]}",
                                     "the cluster is %s, not an object of jobs",
                                     cohort_json_type(cluster));
    if (n > COHORT_LIMIT_CLUSTER_JOBS)
        return COHORT_TF_CONFIG_FAIL(r, at, "", "the cluster has %zu jobs, more than %d", n,
                                     COHORT_LIMIT_CLUSTER_JOBS);
    cohort_job *jobs = cohort_allocate(n, sizeof *jobs);
    if (jobs == NULL)
        return cohort_error_memory("TF_CONFIG");
    cohort_status status = read_jobs(r, cluster, at, jobs);
    for (size_t i = 0; i < n; i++) {
        cohort_free(cohort_memory_own(jobs[i].addresses));
        cohort_free(cohort_memory_own(jobs[i].indices));
    }
    cohort_free(jobs);
    return status;
}
