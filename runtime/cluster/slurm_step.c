/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/cluster/slurm_step.h"

#include "runtime/base/limits.h"
#include "runtime/base/memory.h"
#include "runtime/base/settings.h"
#include "runtime/base/utf8.h"
#include "runtime/cluster/hosts.h"
#include "runtime/cluster/slurm_list.h"
#include "runtime/cluster/spec.h"

#include <stdio.h>
#include <string.h>

void cohort_slurm_step_free(cohort_slurm_step *step)
{
    for (int32_t i = 0; i < step->n_hosts; i++)
        cohort_free(step->hosts[i]);
    cohort_free(step->hosts);
    cohort_free(step->tasks);
    cohort_free(step->places);
    *step = (cohort_slurm_step){ 0 };
}

/* ------------------------------------------------------------------ variables */

static const char *name_of(cohort_setting_id id)
{
    return cohort_setting_name(cohort_setting_at(id));
}

static cohort_status read_variable(cohort_setting_id id, const char **out)
{
    *out = cohort_setting_text(id);
    return *out != NULL ? COHORT_OK
                        : cohort_error_set(COHORT_ENOENT,
                                           "%s is not set: this is no step of Slurm, such as srun "
                                           "starts",
                                           name_of(id));
}

static cohort_status fail_number(cohort_setting_id id, const char *text, int32_t least,
                                 int32_t most)
{
    char shown[64];
    cohort_utf8_escape(text, strlen(text), shown, sizeof shown);
    return cohort_error_set(COHORT_EINVAL, "%s is '%s'; expected an integer from %d to %d",
                            name_of(id), shown, (int)least, (int)most);
}

static cohort_status read_number(cohort_setting_id id, int32_t most, int32_t *out)
{
    const char *text;
    cohort_status status = read_variable(id, &text);
    if (status < 0)
        return status;
    int64_t number = 0;
    for (const char *p = text; *p != '\0'; p++)
        if (*p < '0' || *p > '9' || (number = number * 10 + (*p - '0')) > most)
            return fail_number(id, text, 0, most);
    *out = (int32_t)number;
    return COHORT_OK;
}

cohort_status cohort_slurm_step_count(int32_t *out)
{
    return read_number(COHORT_SETTING_SLURM_STEP_NUM_TASKS, COHORT_LIMIT_CLUSTER_TASKS, out);
}

/* ------------------------------------------------------------------ hosts */

typedef struct growing {
    cohort_slurm_step *step;
    size_t capacity;
} growing;

static cohort_status add_host(void *user, const char *host)
{
    growing *g = user;
    void *block = g->step->hosts;
    bool has_room = cohort_grow(&block, &g->capacity, (size_t)g->step->n_hosts + 1, sizeof(char *));
    g->step->hosts = block;
    if (!has_room || (g->step->hosts[g->step->n_hosts] = cohort_string_copy(host)) == NULL)
        return cohort_error_memory("the hosts of a Slurm step");
    g->step->n_hosts++;
    return COHORT_OK;
}

static cohort_status read_hosts(cohort_slurm_step *step)
{
    const char *list;
    growing g = { step, 0 };
    cohort_status status = read_variable(COHORT_SETTING_SLURM_STEP_NODELIST, &list);
    if (status >= 0)
        status =
            cohort_slurm_each_host(name_of(COHORT_SETTING_SLURM_STEP_NODELIST), list, add_host, &g);
    return status < 0 ? status
                      : cohort_hosts_check_once(step->hosts, step->n_hosts,
                                                name_of(COHORT_SETTING_SLURM_STEP_NODELIST));
}

/* ------------------------------------------------------------------ tasks */

static cohort_status read_tasks(cohort_slurm_step *step)
{
    const cohort_setting_id id = COHORT_SETTING_SLURM_STEP_TASKS_PER_NODE;
    const char *list;
    cohort_status status = read_variable(id, &list);
    if (status < 0)
        return status;
    int n = cohort_slurm_read_tasks(name_of(id), list, step->tasks, step->n_hosts);
    if (n >= 0 && n != step->n_hosts)
        return cohort_error_set(COHORT_EINVAL, "%s is of %d hosts, and %s has %d", name_of(id), n,
                                name_of(COHORT_SETTING_SLURM_STEP_NODELIST), (int)step->n_hosts);
    return n < 0 ? n : COHORT_OK;
}

static cohort_status count_tasks(cohort_slurm_step *step)
{
    int64_t n = 0;
    for (int32_t i = 0; i < step->n_hosts; i++) {
        n += step->tasks[i];
        step->most = step->tasks[i] > step->most ? step->tasks[i] : step->most;
    }
    if (n > COHORT_LIMIT_CLUSTER_TASKS)
        return cohort_error_set(COHORT_EINVAL, "the step has %lld tasks, more than %d",
                                (long long)n, COHORT_LIMIT_CLUSTER_TASKS);
    step->n_tasks = (int32_t)n;
    return COHORT_OK;
}

static cohort_status place_tasks(cohort_slurm_step *step, int32_t tasks_per_node)
{
    step->tasks = cohort_allocate((size_t)step->n_hosts, sizeof *step->tasks);
    if (step->tasks == NULL)
        return cohort_error_memory("the tasks of a Slurm step");
    for (int32_t i = 0; i < step->n_hosts; i++)
        step->tasks[i] = tasks_per_node;
    cohort_status status = tasks_per_node == 0 ? read_tasks(step) : COHORT_OK;
    return status < 0 ? status : count_tasks(step);
}

static cohort_status read_rank(cohort_slurm_step *step)
{
    cohort_status status = read_number(COHORT_SETTING_SLURM_PROCID, 999999999, &step->rank);
    if (status < 0 || step->rank < step->n_tasks)
        return status;
    return cohort_error_set(COHORT_EINVAL, "%s is %d, and the step has %d task%s",
                            name_of(COHORT_SETTING_SLURM_PROCID), (int)step->rank,
                            (int)step->n_tasks, step->n_tasks == 1 ? "" : "s");
}

/* ------------------------------------------------------------------ places */

static bool is_word(const char *text, size_t bytes, const char *word)
{
    return strlen(word) == bytes && strncmp(text, word, bytes) == 0;
}

static cohort_status read_plane(int32_t *out)
{
    const cohort_setting_id id = COHORT_SETTING_SLURM_DIST_PLANESIZE;
    if (cohort_setting_text(id) == NULL)
        return cohort_error_set(COHORT_EINVAL,
                                "%s is plane, and %s, which says how many tasks of a "
                                "plane, is not set",
                                name_of(COHORT_SETTING_SLURM_DISTRIBUTION), name_of(id));
    cohort_status status = read_number(id, COHORT_LIMIT_CLUSTER_TASKS, out);
    return status >= 0 && *out == 0 ? fail_number(id, "0", 1, COHORT_LIMIT_CLUSTER_TASKS) : status;
}

/* Tasks of one host are next to each other in runs of so many ranks; then the next host has its
 * turn. Source: srun(1), --distribution, of which the part in front of the first colon is about
 * hosts. */
static cohort_status read_run(const cohort_slurm_step *step, int32_t *out)
{
    const cohort_setting_id id = COHORT_SETTING_SLURM_DISTRIBUTION;
    const char *text = cohort_setting_text(id);
    size_t bytes = text != NULL ? strcspn(text, ":,=") : 0;
    char shown[64];
    *out = step->most > 0 ? step->most : 1;
    if (text == NULL || is_word(text, bytes, "block") || is_word(text, bytes, "*"))
        return COHORT_OK;
    if (is_word(text, bytes, "cyclic")) {
        *out = 1;
        return COHORT_OK;
    }
    if (is_word(text, bytes, "plane"))
        return read_plane(out);
    if (is_word(text, bytes, "arbitrary"))
        return step->n_hosts == 1
                   ? COHORT_OK
                   : cohort_error_set(
                         COHORT_EINVAL,
                         "%s is arbitrary: which host each task is on is known to Slurm "
                         "alone; srun --distribution=block, or cohort_resolver_mpi, "
                         "which asks MPI",
                         name_of(id));
    cohort_utf8_escape(text, strlen(text), shown, sizeof shown);
    return cohort_error_set(COHORT_EINVAL,
                            "%s is '%s'; expected block, cyclic, plane or arbitrary, and what may "
                            "follow behind a colon",
                            name_of(id), shown);
}

static cohort_status lay_out(cohort_slurm_step *step)
{
    int32_t run, rank = 0;
    cohort_status status = read_run(step, &run);
    if (status < 0)
        return status;
    step->places = cohort_allocate((size_t)step->n_tasks, sizeof *step->places);
    if (step->places == NULL)
        return cohort_error_memory("the tasks of a Slurm step");
    for (int32_t from = 0; rank < step->n_tasks; from += run)
        for (int32_t h = 0; h < step->n_hosts; h++)
            for (int32_t t = from; t < from + run && t < step->tasks[h]; t++)
                step->places[rank++] = (cohort_slurm_place){ h, t };
    return COHORT_OK;
}

/* What Slurm says of this task alone is true, so where the two differ the others would be
 * elsewhere, too. */
static cohort_status contradict(const cohort_slurm_step *step, cohort_setting_id id,
                                const char *found)
{
    const cohort_slurm_place *p = &step->places[step->rank];
    const char *distribution = cohort_setting_text(COHORT_SETTING_SLURM_DISTRIBUTION);
    return cohort_error_set(COHORT_EINVAL,
                            "%s is %s, and %s %d is task %d of host %d, '%s', where %s is %.40s: "
                            "Slurm has dealt out the tasks in another way; srun "
                            "--distribution=block, or cohort_resolver_mpi, which asks MPI",
                            name_of(id), found, name_of(COHORT_SETTING_SLURM_PROCID),
                            (int)step->rank, (int)p->local, (int)p->host, step->hosts[p->host],
                            name_of(COHORT_SETTING_SLURM_DISTRIBUTION),
                            distribution != NULL ? distribution : "not set");
}

static cohort_status check_number(const cohort_slurm_step *step, cohort_setting_id id,
                                  int32_t expected)
{
    char text[16];
    int32_t found;
    if (cohort_setting_text(id) == NULL)
        return COHORT_OK;
    cohort_status status = read_number(id, 999999999, &found);
    if (status < 0 || found == expected)
        return status;
    (void)snprintf(text, sizeof text, "%d", (int)found);
    return contradict(step, id, text);
}

static cohort_status check_place(const cohort_slurm_step *step)
{
    const cohort_slurm_place *p = &step->places[step->rank];
    const char *name = cohort_setting_text(COHORT_SETTING_SLURMD_NODENAME);
    char shown[128];
    cohort_status status = check_number(step, COHORT_SETTING_SLURM_NODEID, p->host);
    if (status >= 0)
        status = check_number(step, COHORT_SETTING_SLURM_LOCALID, p->local);
    if (status < 0 || name == NULL || strcmp(name, step->hosts[p->host]) == 0)
        return status;
    cohort_utf8_escape(name, strlen(name), shown, sizeof shown);
    return contradict(step, COHORT_SETTING_SLURMD_NODENAME, shown);
}

cohort_status cohort_slurm_step_read(int32_t tasks_per_node, cohort_slurm_step *out)
{
    *out = (cohort_slurm_step){ 0 };
    cohort_status status = read_hosts(out);
    if (status >= 0)
        status = place_tasks(out, tasks_per_node);
    if (status >= 0)
        status = read_rank(out);
    if (status >= 0)
        status = lay_out(out);
    if (status >= 0)
        status = check_place(out);
    if (status < 0)
        cohort_slurm_step_free(out);
    return status;
}
