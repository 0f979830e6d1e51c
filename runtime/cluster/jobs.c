/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/cluster/jobs.h"

#include "runtime/base/error.h"
#include "runtime/base/limits.h"

#include <stdio.h>
#include <string.h>

const char *const cohort_job_types[COHORT_JOB_TYPES] = { "chief", "worker", "ps", "evaluator" };

static int find_type(const char *type, size_t length)
{
    int i = 0;
    while (i < COHORT_JOB_TYPES && (strlen(cohort_job_types[i]) != length ||
                                    memcmp(type, cohort_job_types[i], length) != 0))
        i++;
    return i;
}

cohort_status cohort_jobs_read(const cohort_job_tasks jobs[], int n, int32_t out[COHORT_JOB_TYPES])
{
    int n_open = 0;
    if (jobs == NULL || n < 1 || n > COHORT_JOB_TYPES)
        return cohort_error_set(COHORT_EINVAL, "%d jobs; 1 to %d", n, COHORT_JOB_TYPES);
    for (int i = 0; i < n; i++) {
        const char *type = jobs[i].type != NULL ? jobs[i].type : "";
        int t = find_type(type, strlen(type));
        if (t == COHORT_JOB_TYPES)
            return cohort_error_set(COHORT_EINVAL,
                                    "job %d is '%.32s'; jobs are chief, worker, ps and evaluator",
                                    i, type);
        if (out[t] != 0 || jobs[i].tasks < 0)
            return cohort_error_set(
                COHORT_EINVAL, out[t] != 0 ? "job '%s' is there twice" : "job '%s' has %d tasks",
                cohort_job_types[t], (int)jobs[i].tasks);
        out[t] = jobs[i].tasks > 0 ? jobs[i].tasks : -1;
        n_open += jobs[i].tasks == 0;
    }
    return n_open <= 1 ? COHORT_OK
                       : cohort_error_set(COHORT_EINVAL,
                                          "%d jobs take all tasks that are left; one can", n_open);
}

/* "ps=1" at *text, which then stands behind it; false: it is none. */
static bool parse_one(const char **text, int32_t out[COHORT_JOB_TYPES])
{
    enum { DIGITS = 5 };
    size_t length = strcspn(*text, "=");
    int t = find_type(*text, length);
    const char *number = *text + length + ((*text)[length] == '=');
    size_t digits = strspn(number, "0123456789");
    int tasks = 0;
    bool is_right = t < COHORT_JOB_TYPES && out[t] == 0 && digits >= 1 && digits <= DIGITS &&
                    sscanf(number, "%5d", &tasks) == 1 && tasks >= 1 &&
                    tasks <= COHORT_LIMIT_CLUSTER_TASKS;
    if (is_right)
        out[t] = tasks;
    *text = number + digits;
    return is_right;
}

cohort_status cohort_jobs_parse(const char *text, int32_t out[COHORT_JOB_TYPES])
{
    const char *at = text;
    bool is_right = true;
    do {
        is_right = parse_one(&at, out) && (*at == ',' || *at == '\0');
    } while (is_right && *at++ == ',');
    return is_right ? COHORT_OK
                    : cohort_error_set(COHORT_EINVAL,
                                       "'%.100s' is no list of jobs, each once, such as "
                                       "worker=2,ps=1; jobs are chief, worker, ps and evaluator",
                                       text);
}

cohort_status cohort_jobs_share_out(int32_t size, int32_t tasks[COHORT_JOB_TYPES])
{
    int64_t sum = 0;
    bool is_open = false;
    if (tasks[0] > 1)
        return cohort_error_set(COHORT_EINVAL, "job 'chief' has %d tasks; it has one",
                                (int)tasks[0]);
    for (int i = 0; i < COHORT_JOB_TYPES; i++) {
        sum += tasks[i] > 0 ? tasks[i] : 0;
        is_open = is_open || tasks[i] < 0;
    }
    if (is_open ? sum >= size : sum != size)
        return cohort_error_set(COHORT_EINVAL,
                                "the jobs want %lld processes%s, and there are %d; start as many",
                                (long long)(sum + is_open), is_open ? " or more" : "", (int)size);
    for (int i = 0; i < COHORT_JOB_TYPES; i++)
        tasks[i] = tasks[i] < 0 ? (int32_t)(size - sum) : tasks[i];
    return COHORT_OK;
}
