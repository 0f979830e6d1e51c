/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/cluster/spec.h"

#include "runtime/base/limits.h"
#include "runtime/base/memory.h"
#include "runtime/base/text.h"
#include "runtime/base/utf8.h"

#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------ texts */

cohort_status cohort_cluster_check_text(const char *text, const char *what, bool is_optional)
{
    if (text == NULL || text[0] == '\0')
        return is_optional ? COHORT_OK
                           : cohort_error_set(COHORT_EINVAL, "%s is %s; expected a text", what,
                                              text == NULL ? "NULL" : "empty");
    char shown[256];
    bool is_short = memchr(text, '\0', COHORT_LIMIT_CLUSTER_TEXT_BYTES + 1) != NULL;
    if (is_short && cohort_utf8_is_printable(text, COHORT_LIMIT_CLUSTER_TEXT_BYTES + 1))
        return COHORT_OK;
    cohort_utf8_escape(text, is_short ? strlen(text) : 40, shown, sizeof shown);
    return is_short ? cohort_error_set(COHORT_EINVAL,
                                       "%s is '%s'; expected UTF-8 without control characters",
                                       what, shown)
                    : cohort_error_set(COHORT_EINVAL, "%s has more than %d bytes: '%s...'", what,
                                       COHORT_LIMIT_CLUSTER_TEXT_BYTES, shown);
}

/* ------------------------------------------------------------------ making */

static int compare_tasks(const void *a, const void *b)
{
    int32_t x = ((const cohort_cluster_task *)a)->index,
            y = ((const cohort_cluster_task *)b)->index;
    return (x > y) - (x < y);
}

static cohort_status check_indices(const cohort_cluster_job *job)
{
    if (job->n > 0 && job->tasks[0].index < 0)
        return cohort_error_set(COHORT_EINVAL,
                                "job '%s' has a task of index %d; indices begin with 0", job->type,
                                (int)job->tasks[0].index);
    for (int32_t i = 1; i < job->n; i++)
        if (job->tasks[i].index == job->tasks[i - 1].index)
            return cohort_error_set(COHORT_EINVAL, "job '%s' has two tasks of index %d: '%s', '%s'",
                                    job->type, (int)job->tasks[i].index, job->tasks[i - 1].address,
                                    job->tasks[i].address);
    return COHORT_OK;
}

/* The content of `to` is freed with the spec, whether or not all of it came to be. */
static cohort_status copy_tasks(cohort_cluster_job *to, const cohort_job *from)
{
    char what[64];
    to->tasks = cohort_allocate((size_t)from->count, sizeof *to->tasks);
    if (to->tasks == NULL)
        return cohort_error_memory("a cluster spec");
    for (; to->n < from->count; to->n++) {
        cohort_cluster_task *task = &to->tasks[to->n];
        task->index = from->indices != NULL ? from->indices[to->n] : to->n;
        (void)snprintf(what, sizeof what, "address %d of job '%.20s'", (int)to->n, from->type);
        cohort_status status = cohort_cluster_check_text(from->addresses[to->n], what, false);
        if (status < 0)
            return status;
        if ((task->address = cohort_string_copy(from->addresses[to->n])) == NULL)
            return cohort_error_memory("a cluster spec");
    }
    qsort(to->tasks, (size_t)to->n, sizeof *to->tasks, compare_tasks);
    return check_indices(to);
}

static cohort_status check_job(const cohort_cluster_spec *spec, const cohort_job *job)
{
    cohort_status status = cohort_cluster_check_text(job->type, "the type of a job", false);
    if (status < 0)
        return status;
    if (cohort_cluster_spec_find(spec, job->type) != NULL)
        return cohort_error_set(COHORT_EINVAL, "job '%s' is there twice", job->type);
    if (job->count < 0 || job->count > COHORT_LIMIT_CLUSTER_TASKS)
        return cohort_error_set(COHORT_EINVAL, "job '%s' has %d tasks; 0 to %d", job->type,
                                (int)job->count, COHORT_LIMIT_CLUSTER_TASKS);
    if (job->count > 0 && job->addresses == NULL)
        return cohort_error_set(COHORT_EINVAL, "job '%s': addresses is NULL, for %d tasks",
                                job->type, (int)job->count);
    return COHORT_OK;
}

static cohort_status copy_jobs(cohort_cluster_spec *spec, const cohort_job jobs[], int n)
{
    int64_t n_tasks = 0;
    for (int i = 0; i < n; i++) {
        cohort_status status = check_job(spec, &jobs[i]);
        if (status < 0)
            return status;
        if ((n_tasks += jobs[i].count) > COHORT_LIMIT_CLUSTER_TASKS)
            return cohort_error_set(COHORT_EINVAL,
                                    "job '%s' is one too many: there are more than %d tasks",
                                    jobs[i].type, COHORT_LIMIT_CLUSTER_TASKS);
        cohort_cluster_job *job = &spec->jobs[spec->n++];
        if ((job->type = cohort_string_copy(jobs[i].type)) == NULL)
            return cohort_error_memory("a cluster spec");
        if ((status = copy_tasks(job, &jobs[i])) < 0)
            return status;
    }
    spec->json = cohort_cluster_spec_write(spec);
    return spec->json != NULL ? COHORT_OK : cohort_error_memory("a cluster spec");
}

static void free_parts(cohort_cluster_spec *spec)
{
    for (int32_t i = 0; i < spec->n; i++) {
        for (int32_t t = 0; t < spec->jobs[i].n; t++)
            cohort_free(spec->jobs[i].tasks[t].address);
        cohort_free(spec->jobs[i].tasks);
        cohort_free(spec->jobs[i].type);
    }
    cohort_free(spec->jobs);
    cohort_free(spec->json);
}

static cohort_cluster_spec *make(const cohort_job jobs[], int n)
{
    if (n < 0 || n > COHORT_LIMIT_CLUSTER_JOBS || (n > 0 && jobs == NULL)) {
        (void)(n > 0 && jobs == NULL
                   ? cohort_error_null("cluster spec", "the list of jobs")
                   : cohort_error_set(COHORT_EINVAL, "cluster spec: %d jobs; 0 to %d", n,
                                      COHORT_LIMIT_CLUSTER_JOBS));
        return NULL;
    }
    cohort_cluster_spec *spec = cohort_allocate(1, sizeof *spec);
    if (spec != NULL)
        spec->jobs = cohort_allocate((size_t)n, sizeof *spec->jobs);
    if (spec == NULL || spec->jobs == NULL) {
        (void)cohort_error_memory("a cluster spec");
        cohort_free(spec);
        return NULL;
    }
    cohort_status status = copy_jobs(spec, jobs, n);
    if (status >= 0) {
        cohort_handle_begin(&spec->handle, COHORT_HANDLE_CLUSTER_SPEC);
        atomic_init(&spec->shares, 1);
        return spec;
    }
    (void)cohort_error_prefix(status, "cluster spec");
    free_parts(spec);
    cohort_free(spec);
    return NULL;
}

cohort_cluster_spec *cohort_cluster_spec_create(const cohort_job jobs[], int n)
{
    return cohort_handle_made(COHORT_HANDLE_CLUSTER_SPEC, make(jobs, n));
}

cohort_cluster_spec *cohort_cluster_spec_share(cohort_cluster_spec *spec)
{
    atomic_fetch_add_explicit(&spec->shares, 1, memory_order_relaxed);
    return spec;
}

void cohort_cluster_spec_destroy(cohort_cluster_spec *spec)
{
    if (spec == NULL || !cohort_handle_may_destroy(spec, COHORT_HANDLE_CLUSTER_SPEC,
                                                   "cohort_cluster_spec_destroy", "the spec"))
        return;
    if (atomic_fetch_sub(&spec->shares, 1) > 1)
        return;
    free_parts(spec);
    cohort_handle_free(&spec->handle, sizeof *spec, NULL);
}

/* ------------------------------------------------------------------ questions */

int32_t cohort_cluster_index(const char *digits)
{
    int64_t number = 0;
    for (const char *p = digits; *p != '\0'; p++)
        if (*p < '0' || *p > '9' || (number = number * 10 + (*p - '0')) > INT32_MAX)
            return -1;
    return digits[0] != '\0' ? (int32_t)number : -1;
}

cohort_status cohort_cluster_spec_check(const cohort_cluster_spec *spec, const char *call)
{
    return cohort_handle_check(spec, COHORT_HANDLE_CLUSTER_SPEC, call, "the spec");
}

const cohort_cluster_job *cohort_cluster_spec_find(const cohort_cluster_spec *spec,
                                                   const char *type)
{
    for (int32_t i = 0; i < spec->n; i++)
        if (strcmp(spec->jobs[i].type, type) == 0)
            return &spec->jobs[i];
    return NULL;
}

void cohort_cluster_spec_list_jobs(const cohort_cluster_spec *spec, char *room, size_t bytes)
{
    cohort_text text = cohort_text_begin(room, bytes);
    for (int32_t i = 0; i < spec->n && cohort_text_add_name(&text, ", ", spec->jobs[i].type);)
        i++;
    if (spec->n == 0)
        cohort_text_add(&text, "none");
}

/* NULL with the error. */
static const cohort_cluster_job *get_job(const cohort_cluster_spec *spec, const char *type,
                                         const char *call)
{
    if (cohort_cluster_spec_check(spec, call) < 0)
        return NULL;
    if (type == NULL) {
        (void)cohort_error_null(call, "the type of the job");
        return NULL;
    }
    const cohort_cluster_job *job = cohort_cluster_spec_find(spec, type);
    if (job != NULL)
        return job;
    char jobs[512];
    cohort_cluster_spec_list_jobs(spec, jobs, sizeof jobs);
    (void)cohort_error_set(COHORT_ENOENT, "%s: no job '%.200s' in the cluster; its jobs: %s", call,
                           type, jobs);
    return NULL;
}

int cohort_cluster_spec_num_jobs(const cohort_cluster_spec *spec)
{
    cohort_status status = cohort_cluster_spec_check(spec, "cohort_cluster_spec_num_jobs");
    return status < 0 ? status : spec->n;
}

const char *cohort_cluster_spec_job(const cohort_cluster_spec *spec, int job)
{
    if (cohort_cluster_spec_check(spec, "cohort_cluster_spec_job") < 0)
        return NULL;
    return job >= 0 && job < spec->n ? spec->jobs[job].type : NULL;
}

int cohort_cluster_spec_num_tasks(const cohort_cluster_spec *spec, const char *type)
{
    const cohort_cluster_job *job = get_job(spec, type, "cohort_cluster_spec_num_tasks");
    return (int)cohort_error_answer(job != NULL ? job->n : cohort_error_status());
}

int cohort_cluster_spec_task_indices(const cohort_cluster_spec *spec, const char *type,
                                     int32_t out[], int capacity)
{
    const cohort_cluster_job *job = get_job(spec, type, "cohort_cluster_spec_task_indices");
    if (job == NULL)
        return cohort_error_status();
    for (int32_t i = 0; i < job->n && i < capacity; i++)
        out[i] = job->tasks[i].index;
    return job->n;
}

const char *cohort_cluster_spec_task_address(const cohort_cluster_spec *spec, const char *type,
                                             int32_t index)
{
    static const char call[] = "cohort_cluster_spec_task_address";
    const cohort_cluster_job *job = get_job(spec, type, call);
    if (job == NULL)
        return NULL;
    const cohort_cluster_task *task = bsearch(&(cohort_cluster_task){ index, NULL }, job->tasks,
                                              (size_t)job->n, sizeof *task, compare_tasks);
    if (task != NULL)
        return task->address;
    (void)cohort_error_set(COHORT_ENOENT,
                           "%s: no task of index %d in job '%s', which has %d task%s%s", call,
                           (int)index, type, (int)job->n, job->n == 1 ? "" : "s",
                           cohort_cluster_job_is_list(job) ? ", from 0 on" : "");
    return NULL;
}

const char *cohort_cluster_spec_json(const cohort_cluster_spec *spec)
{
    return cohort_cluster_spec_check(spec, "cohort_cluster_spec_json") < 0 ? NULL : spec->json;
}

static bool has_same_tasks(const cohort_cluster_job *a, const cohort_cluster_job *b)
{
    if (b == NULL || a->n != b->n)
        return false;
    for (int32_t i = 0; i < a->n; i++)
        if (a->tasks[i].index != b->tasks[i].index ||
            strcmp(a->tasks[i].address, b->tasks[i].address) != 0)
            return false;
    return true;
}

bool cohort_cluster_spec_is_equal(const cohort_cluster_spec *a, const cohort_cluster_spec *b)
{
    static const char call[] = "cohort_cluster_spec_is_equal";
    if (cohort_cluster_spec_check(a, call) < 0 || cohort_cluster_spec_check(b, call) < 0 ||
        a->n != b->n)
        return false;
    for (int32_t i = 0; i < a->n; i++)
        if (!has_same_tasks(&a->jobs[i], cohort_cluster_spec_find(b, a->jobs[i].type)))
            return false;
    return true;
}
