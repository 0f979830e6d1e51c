/* SPDX-License-Identifier: BSD-3-Clause */
/* Processes of several jobs: "worker=2,ps=1", as COHORT_JOBS has it. */
#include "config.h"

#include "cli/launch.h"

#include <stdlib.h>
#include <string.h>

const char *const launch_jobs[LAUNCH_JOBS] = { "chief", "worker", "ps", "evaluator" };

static int find_job(const char *name)
{
    int i = 0;
    while (i < LAUNCH_JOBS && strcmp(name, launch_jobs[i]) != 0)
        i++;
    return i;
}

static bool refuse(const char *item, const char *what)
{
    cli_fail(EXIT_USAGE, "--jobs: '%s': %s", item, what);
    cli_fix("jobs are chief (1 task), worker, ps and evaluator, such as --jobs worker=2,ps=1");
    return false;
}

/* false after a message */
static bool read_job(launch *l, char *item)
{
    uint64_t number;
    char *equals = strchr(item, '=');
    if (equals == NULL)
        return refuse(item, "expected a job and its number of tasks");
    *equals = '\0';
    int i = find_job(item);
    if (i == LAUNCH_JOBS)
        return refuse(item, "there is no such job");
    if (l->tasks[i] != 0)
        return refuse(item, "it is there twice");
    if (!cli_integer("--jobs", equals + 1, 1, i == 0 ? 1 : LAUNCH_MOST, &number))
        return false;
    l->tasks[i] = (int)number;
    l->n += (int)number;
    return true;
}

int launch_read_jobs(launch *l)
{
    char *copy = strdup(l->jobs), *rest = copy;
    bool is_good = true;
    if (copy == NULL)
        return cli_fail(EXIT_FAILED, "launch: out of memory");
    while (is_good && rest != NULL)
        is_good = read_job(l, strsep(&rest, ","));
    free(copy);
    if (is_good && l->n > LAUNCH_MOST)
        is_good = refuse(l->jobs, "more than 65536 processes");
    return is_good ? -1 : EXIT_USAGE;
}

void launch_write_jobs(const launch *l, char out[LAUNCH_JOBS_BYTES])
{
    size_t at = 0;
    out[0] = '\0';
    for (int i = 0; i < LAUNCH_JOBS; i++)
        if (l->tasks[i] > 0)
            at += (size_t)snprintf(out + at, LAUNCH_JOBS_BYTES - at, "%s%s=%d", at > 0 ? "," : "",
                                   launch_jobs[i], l->tasks[i]);
}
