/* SPDX-License-Identifier: BSD-3-Clause */
/* The machines and jobs of a cluster that stands in a file, a TF_CONFIG. */
#include "config.h"

#include "cli/address.h"
#include "cli/launch.h"
#include "cli/visible.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 20, MOST_TASKS = 65536 };

char *launch_read_text(const char *path)
{
    char *text = calloc(1, MOST_BYTES + 1);
    FILE *file = fopen(path, "r");
    size_t n = file != NULL && text != NULL ? fread(text, 1, MOST_BYTES + 1, file) : 0;
    bool is_good = file != NULL && text != NULL && !ferror(file) && n <= MOST_BYTES;
    if (file == NULL || (text != NULL && ferror(file)))
        cli_fail(EXIT_FAILED, "%s: %s", path, strerror(errno));
    else if (text == NULL)
        cli_fail(EXIT_FAILED, "%s: out of memory", path);
    else if (!is_good)
        cli_fail(EXIT_FAILED, "%s: it has more than %d bytes", path, MOST_BYTES);
    else if (strlen(text) != n)
        is_good = cli_fail(EXIT_FAILED, "%s: it has a byte 0, and is no text", path) < 0;
    if (file != NULL)
        fclose(file);
    if (is_good)
        return text;
    free(text);
    return NULL;
}

/* Consecutive tasks of one machine, without their ports, for MPI finds its own, are one
 * entry, so that ranks are in the order of the tasks. */
static void add_host(FILE *out, const char *address, char last[1100], int *count)
{
    char host[1100];
    const char *why;
    (void)snprintf(host, sizeof host, "%.*s", (int)address_host(address, &why), address);
    if (strcmp(host, last) == 0) {
        ++*count;
        return;
    }
    if (*count > 0)
        fprintf(out, "%s:%d,", last, *count);
    memcpy(last, host, sizeof host);
    *count = 1;
}

static void add_job(FILE *out, const cohort_cluster_spec *spec, const char *job, char last[1100],
                    int *count)
{
    static int32_t tasks[MOST_TASKS];
    int n = cohort_cluster_spec_task_indices(spec, job, tasks, MOST_TASKS);
    for (int i = 0; i < n; i++)
        add_host(out, cohort_cluster_spec_task_address(spec, job, tasks[i]), last, count);
}

static int write_hosts(launch *l, const cohort_cluster_spec *spec)
{
    char last[1100] = "";
    int count = 0;
    size_t length;
    FILE *out = open_memstream(&l->hosts, &length);
    if (out == NULL)
        return cli_fail(EXIT_FAILED, "%s: out of memory", l->file);
    for (int i = 0; i < LAUNCH_JOBS; i++)
        add_job(out, spec, launch_jobs[i], last, &count);
    fprintf(out, "%s:%d", last, count);
    return fclose(out) == 0 ? -1 : cli_fail(EXIT_FAILED, "%s: out of memory", l->file);
}

/* What cohort cluster refuses, too: other jobs, and several of one that is there once. */
static int check_jobs(const launch *l, const cohort_cluster_spec *spec)
{
    return cohort_cluster_spec_is_chief(spec, NULL, 0) >= 0
               ? -1
               : cli_fail(EXIT_FAILED, "%s: %s", l->file, cohort_error_text());
}

static int refuse_address(const launch *l, const char *job, int32_t task, const char *address,
                          const char *why)
{
    char shown[256];
    return cli_fail(EXIT_FAILED, "%s: the address of %s %d is '%s': %s", l->file, job, (int)task,
                    visible(address, shown, sizeof shown), why);
}

/* mpirun's lists of machines take no colon in a name. */
static int check_address(const launch *l, const char *job, int32_t task, const char *address)
{
    const char *why;
    if (address_host(address, &why) == 0)
        return refuse_address(l, job, task, address, why);
    return address[0] == '[' ? refuse_address(l, job, task, address,
                                              "mpirun takes names of machines, and addresses of "
                                              "IPv4, not those of IPv6")
                             : -1;
}

/* Processes are numbered without a gap, and would be other tasks than the file says. */
static int check_tasks(const launch *l, const cohort_cluster_spec *spec, const char *job)
{
    static int32_t tasks[MOST_TASKS];
    int code = -1, n = cohort_cluster_spec_task_indices(spec, job, tasks, MOST_TASKS);
    if (n > 0 && tasks[n - 1] != n - 1) {
        code = cli_fail(EXIT_FAILED,
                        "%s: job %s has %d task%s, and one is task %d: processes are "
                        "numbered from 0 on, without a gap",
                        l->file, job, n, n == 1 ? "" : "s", (int)tasks[n - 1]);
        cli_fix("write the job as a list, or number its tasks 0 to %d", n - 1);
    }
    for (int i = 0; i < n && code < 0; i++)
        code =
            check_address(l, job, tasks[i], cohort_cluster_spec_task_address(spec, job, tasks[i]));
    return code;
}

static int check_cluster(const launch *l, const cohort_cluster_spec *spec)
{
    int code = check_jobs(l, spec);
    for (int i = 0; i < LAUNCH_JOBS && code < 0; i++)
        code = check_tasks(l, spec, launch_jobs[i]);
    return code;
}

/* Where all train together they are workers, as without a file: the chief is worker 0. */
static int count_tasks(launch *l, const cohort_cluster_spec *spec)
{
    for (int i = 0; i < LAUNCH_JOBS; i++) {
        int n = cohort_cluster_spec_num_tasks(spec, launch_jobs[i]);
        l->tasks[i] = n > 0 ? n : 0;
        l->n += l->tasks[i];
    }
    if (l->tasks[0] + l->tasks[1] == 0)
        return cli_fail(EXIT_FAILED, "%s: its cluster has no job chief and no job worker", l->file);
    if (l->tasks[0] + l->tasks[1] == l->n)
        memset(l->tasks, 0, sizeof l->tasks);
    return -1;
}

int launch_read_cluster(launch *l)
{
    char *text = launch_read_text(l->file);
    if (text == NULL)
        return EXIT_FAILED;
    int set = setenv("TF_CONFIG", text, 1);
    free(text);
    cohort_resolver *r = set == 0 ? cohort_resolver_tf_config() : NULL;
    const cohort_cluster_spec *spec = r != NULL ? cohort_resolver_cluster_spec(r) : NULL;
    int code = spec != NULL ? -1
                            : cli_fail(EXIT_FAILED, "%s: %s", l->file,
                                       set == 0 ? cohort_error_text() : strerror(errno));
    if (code < 0)
        code = check_cluster(l, spec);
    if (code < 0)
        code = count_tasks(l, spec);
    if (code < 0)
        code = write_hosts(l, spec);
    cohort_resolver_destroy(r);
    (void)unsetenv("TF_CONFIG"); /* of one task; MPI tells each process which it is */
    return code;
}
