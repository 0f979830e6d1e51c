/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/cluster/slurm_step.h"

#include "runtime/base/limits.h"
#include "runtime/base/memory.h"
#include "runtime/base/settings.h"
#include "runtime/cluster/slurm_list.h"
#include "runtime/cluster/spec.h"
#include "runtime/plugin/utf8.h"

#include <stdlib.h>
#include <string.h>

void cohort_slurm_step_free(cohort_slurm_step *step)
{
    for (int32_t i = 0; i < step->n_hosts; i++)
        cohort_free(step->hosts[i]);
    cohort_free(step->hosts);
    cohort_free(step->tasks);
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

static cohort_status fail_number(cohort_setting_id id, const char *text, int32_t most)
{
    char shown[64];
    cohort_utf8_escape(text, strlen(text), shown, sizeof shown);
    return cohort_error_set(COHORT_EINVAL, "%s is '%s'; expected an integer from 0 to %d",
                            name_of(id), shown, (int)most);
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
            return fail_number(id, text, most);
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

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Its tasks would have the same addresses. */
static cohort_status check_hosts(const cohort_slurm_step *step)
{
    size_t n = (size_t)step->n_hosts;
    char **sorted = cohort_allocate(n, sizeof *sorted);
    if (sorted == NULL)
        return cohort_error_memory("the hosts of a Slurm step");
    for (size_t i = 0; i < n; i++)
        sorted[i] = step->hosts[i];
    qsort(sorted, n, sizeof *sorted, compare_names);
    const char *twice = NULL;
    for (size_t i = 1; i < n && twice == NULL; i++)
        twice = strcmp(sorted[i], sorted[i - 1]) == 0 ? sorted[i] : NULL;
    cohort_free(sorted);
    return twice == NULL ? COHORT_OK
                         : cohort_error_set(COHORT_EINVAL, "%s has host '%s' twice",
                                            name_of(COHORT_SETTING_SLURM_STEP_NODELIST), twice);
}

static cohort_status read_hosts(cohort_slurm_step *step)
{
    const char *list;
    growing g = { step, 0 };
    cohort_status status = read_variable(COHORT_SETTING_SLURM_STEP_NODELIST, &list);
    if (status >= 0)
        status =
            cohort_slurm_each_host(name_of(COHORT_SETTING_SLURM_STEP_NODELIST), list, add_host, &g);
    return status < 0 ? status : check_hosts(step);
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

cohort_status cohort_slurm_step_read(int32_t tasks_per_node, cohort_slurm_step *out)
{
    *out = (cohort_slurm_step){ 0 };
    cohort_status status = read_hosts(out);
    if (status >= 0)
        status = place_tasks(out, tasks_per_node);
    if (status >= 0)
        status = read_rank(out);
    if (status < 0)
        cohort_slurm_step_free(out);
    return status;
}
