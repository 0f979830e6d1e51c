/* SPDX-License-Identifier: BSD-3-Clause */
/* The resolver of Slurm: the tasks of a step, dealt out to jobs, each at a port of its host. */
#include "config.h"

#include "runtime/base/limits.h"
#include "runtime/base/memory.h"
#include "runtime/base/text.h"
#include "runtime/cluster/accelerators.h"
#include "runtime/cluster/resolver.h"
#include "runtime/cluster/slurm_list.h"
#include "runtime/cluster/slurm_step.h"

#include <stdlib.h>
#include <string.h>

enum { PORT_BASE = 8888, MOST_PORT = 65535 };

/* What was asked for. */
typedef struct slurm {
    cohort_slurm_job *jobs; /* [n_jobs], by name; none: all are workers */
    int32_t n_jobs, port_base, tasks_per_node, gpus_per_node, gpus_per_task;
    char *ids; /* lent last */
} slurm;

static const char call[] = "cohort_resolver_slurm";

static void destroy(void *user)
{
    slurm *s = user;
    for (int32_t i = 0; i < s->n_jobs; i++)
        cohort_free(cohort_memory_own(s->jobs[i].type));
    cohort_free(s->jobs);
    cohort_free(s->ids);
    cohort_free(s);
}

/* ------------------------------------------------------------------ jobs */

/* A job and its first rank. */
typedef struct dealt {
    const char *type;
    int32_t first, n;
} dealt;

static int32_t count_jobs(const slurm *s)
{
    return s->n_jobs > 0 ? s->n_jobs : 1;
}

static cohort_status check_number(const slurm *s, int64_t wanted, int32_t has)
{
    if (wanted == has)
        return COHORT_OK;
    return s->n_jobs > 0
               ? cohort_error_set(COHORT_EINVAL, "%lld tasks are asked for, and the step has %d",
                                  (long long)wanted, (int)has)
               : cohort_error_set(COHORT_EINVAL,
                                  "SLURM_STEP_NUM_TASKS is %lld, and its hosts have %d",
                                  (long long)wanted, (int)has);
}

static cohort_status deal(const slurm *s, const cohort_slurm_step *step, dealt out[])
{
    int32_t first = 0, all = 0;
    int64_t wanted = 0;
    cohort_status status = s->n_jobs == 0 ? cohort_slurm_step_count(&all) : COHORT_OK;
    wanted = all;
    for (int32_t i = 0; i < s->n_jobs; i++)
        wanted += s->jobs[i].tasks;
    if (status >= 0)
        status = check_number(s, wanted, step->n_tasks);
    if (status < 0)
        return status;
    out[0] = (dealt){ "worker", 0, step->n_tasks };
    for (int32_t i = 0; i < s->n_jobs; i++) {
        out[i] = (dealt){ s->jobs[i].type, first, s->jobs[i].tasks };
        first += out[i].n;
    }
    return COHORT_OK;
}

/* The step of the moment, and its jobs, whose memory is the caller's. */
static cohort_status look(const slurm *s, cohort_slurm_step *step, dealt **out_jobs)
{
    *out_jobs = NULL;
    cohort_status status = cohort_slurm_step_read(s->tasks_per_node, step);
    if (status < 0)
        return status;
    if ((*out_jobs = cohort_allocate((size_t)count_jobs(s), sizeof **out_jobs)) == NULL)
        status = cohort_error_memory("a Slurm step");
    if (status >= 0)
        status = deal(s, step, *out_jobs);
    if (status < 0) {
        cohort_free(*out_jobs);
        cohort_slurm_step_free(step);
    }
    return status;
}

/* ------------------------------------------------------------------ addresses */

static cohort_status check_ports(const slurm *s, const cohort_slurm_step *step)
{
    if (s->port_base + step->most - 1 <= MOST_PORT)
        return COHORT_OK;
    return cohort_error_set(COHORT_EINVAL,
                            "%d tasks of one host from port %d on need ports above %d",
                            (int)step->most, (int)s->port_base, MOST_PORT);
}

static cohort_status write_addresses(const slurm *s, const cohort_slurm_step *step, char *out[])
{
    cohort_status status = check_ports(s, step);
    for (int32_t rank = 0; rank < step->n_tasks && status >= 0; rank++) {
        const cohort_slurm_place *p = &step->places[rank];
        size_t bytes = strlen(step->hosts[p->host]) + sizeof ":65535";
        if ((out[rank] = cohort_allocate(bytes, 1)) == NULL)
            status = cohort_error_memory("a Slurm step");
        else
            (void)snprintf(out[rank], bytes, "%s:%d", step->hosts[p->host],
                           (int)(s->port_base + p->local));
    }
    return status;
}

static cohort_cluster_spec *make_spec(const slurm *s, const dealt dealt_jobs[],
                                      char *const addresses[])
{
    int32_t n = count_jobs(s);
    cohort_job *jobs = cohort_allocate((size_t)n, sizeof *jobs);
    if (jobs == NULL) {
        (void)cohort_error_memory("a Slurm step");
        return NULL;
    }
    for (int32_t i = 0; i < n; i++)
        jobs[i] = (cohort_job){ .type = dealt_jobs[i].type,
                                .addresses = (const char *const *)addresses + dealt_jobs[i].first,
                                .count = dealt_jobs[i].n };
    cohort_cluster_spec *spec = cohort_cluster_spec_create(jobs, n);
    cohort_free(jobs);
    return spec;
}

static cohort_cluster_spec *spec_of(const slurm *s, const cohort_slurm_step *step,
                                    const dealt jobs[])
{
    char **addresses = cohort_allocate((size_t)step->n_tasks, sizeof *addresses);
    if (addresses == NULL) {
        (void)cohort_error_memory("a Slurm step");
        return NULL;
    }
    cohort_cluster_spec *spec =
        write_addresses(s, step, addresses) >= 0 ? make_spec(s, jobs, addresses) : NULL;
    for (int32_t i = 0; i < step->n_tasks; i++)
        cohort_free(addresses[i]);
    cohort_free(addresses);
    return spec;
}

static cohort_cluster_spec *find_spec(void *user)
{
    cohort_slurm_step step;
    dealt *jobs;
    if (look(user, &step, &jobs) < 0)
        return NULL;
    cohort_cluster_spec *spec = spec_of(user, &step, jobs);
    cohort_free(jobs);
    cohort_slurm_step_free(&step);
    return spec;
}

/* ------------------------------------------------------------------ the own task */

/* The type lives as long as the resolver. */
static cohort_status find_task(const slurm *s, const char **out_type, int32_t *out_id)
{
    cohort_slurm_step step;
    dealt *jobs;
    cohort_status status = look(s, &step, &jobs);
    if (status < 0)
        return status;
    int32_t i = 0;
    while (step.rank >= jobs[i].first + jobs[i].n)
        i++;
    *out_type = jobs[i].type;
    *out_id = step.rank - jobs[i].first;
    cohort_free(jobs);
    cohort_slurm_step_free(&step);
    return COHORT_OK;
}

static const char *find_task_type(void *user)
{
    const char *type;
    int32_t id;
    return find_task(user, &type, &id) >= 0 ? type : NULL;
}

static int32_t find_task_id(void *user)
{
    const char *type;
    int32_t id;
    cohort_status status = find_task(user, &type, &id);
    return status < 0 ? status : id;
}

/* ------------------------------------------------------------------ GPUs */

static int32_t count_gpus(const slurm *s)
{
    cohort_accelerators found[COHORT_ACCELERATOR_KINDS];
    if (s->gpus_per_node != 0)
        return s->gpus_per_node > 0 ? s->gpus_per_node : 0;
    int n = cohort_accelerators_count(found, COHORT_ACCELERATOR_KINDS);
    for (int i = 0; i < n; i++)
        if (strcmp(found[i].kind, "GPU") == 0)
            return found[i].count;
    return 0;
}

/* Of one task. */
static cohort_status share_gpus(const slurm *s, const cohort_slurm_step *step, int32_t *out)
{
    int32_t has = count_gpus(s);
    *out = s->gpus_per_task > 0 ? s->gpus_per_task : has / step->most;
    if ((int64_t)*out * step->most <= has)
        return COHORT_OK;
    return cohort_error_set(COHORT_EINVAL, "%d GPUs for each of %d tasks of one host, which has %d",
                            (int)*out, (int)step->most, (int)has);
}

static int find_accelerators(void *user, cohort_accelerators out[], int capacity)
{
    cohort_slurm_step step;
    int32_t n;
    const slurm *s = user;
    cohort_status status = cohort_slurm_step_read(s->tasks_per_node, &step);
    if (status < 0)
        return status;
    status = share_gpus(s, &step, &n);
    cohort_slurm_step_free(&step);
    if (status >= 0 && n > 0 && capacity > 0)
        out[0] = (cohort_accelerators){ "GPU", n };
    return status < 0 ? status : n > 0;
}

static const char *find_ids(void *user)
{
    slurm *s = user;
    char room[COHORT_LIMIT_CLUSTER_TEXT_BYTES];
    cohort_text text = cohort_text_begin(room, sizeof room);
    cohort_slurm_step step;
    int32_t n;
    if (cohort_slurm_step_read(s->tasks_per_node, &step) < 0)
        return NULL;
    cohort_status status = share_gpus(s, &step, &n);
    int32_t first = step.places[step.rank].local * n;
    cohort_slurm_step_free(&step);
    for (int32_t i = 0; i < n && status >= 0; i++)
        cohort_text_add_item(&text, ",", "%d", (int)(first + i));
    return status < 0 || cohort_resolver_keep(&s->ids, room) < 0 ? NULL : s->ids;
}

/* ------------------------------------------------------------------ making */

static const cohort_resolver_ops ops = { .struct_size = sizeof ops,
                                         .name = "slurm",
                                         .cluster_spec = find_spec,
                                         .task_type = find_task_type,
                                         .task_id = find_task_id,
                                         .num_accelerators = find_accelerators,
                                         .accelerator_ids = find_ids,
                                         .destroy = destroy };

static cohort_status check_options(const cohort_slurm_options *options)
{
    const struct {
        int32_t number, most;
        const char *name;
    } numbers[] = { { options->num_jobs, COHORT_LIMIT_CLUSTER_JOBS, "num_jobs" },
                    { options->port_base, MOST_PORT, "port_base" },
                    { options->tasks_per_node, COHORT_LIMIT_CLUSTER_TASKS, "tasks_per_node" },
                    { options->gpus_per_task, COHORT_LIMIT_DEVICES, "gpus_per_task" },
                    { options->reserved_word, 0, "reserved_word" } };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (numbers[i].number < 0 || numbers[i].number > numbers[i].most)
            return cohort_error_set(COHORT_EINVAL, "%s of the options is %d; 0 to %d",
                                    numbers[i].name, (int)numbers[i].number, (int)numbers[i].most);
    if (options->gpus_per_node > COHORT_LIMIT_DEVICES)
        return cohort_error_set(COHORT_EINVAL, "gpus_per_node of the options is %d; at most %d",
                                (int)options->gpus_per_node, COHORT_LIMIT_DEVICES);
    if (options->num_jobs > 0 && options->jobs == NULL)
        return cohort_error_set(COHORT_EINVAL, "the jobs of the options are NULL");
    for (size_t i = 0; i < sizeof options->reserved / sizeof *options->reserved; i++)
        if (options->reserved[i] != NULL)
            return cohort_error_set(COHORT_EINVAL, "reserved[%zu] of the options is not zero", i);
    return COHORT_OK;
}

static int compare_jobs(const void *a, const void *b)
{
    return strcmp(((const cohort_slurm_job *)a)->type, ((const cohort_slurm_job *)b)->type);
}

static cohort_status copy_jobs(slurm *s, const cohort_slurm_options *options)
{
    s->jobs = cohort_allocate((size_t)options->num_jobs, sizeof *s->jobs);
    if (s->jobs == NULL)
        return cohort_error_memory("a resolver");
    for (int32_t i = 0; i < options->num_jobs; i++) {
        const cohort_slurm_job *job = &options->jobs[i];
        cohort_status status = cohort_cluster_check_text(job->type, "the type of a job", false);
        if (status < 0)
            return status;
        if (job->tasks < 1 || job->tasks > COHORT_LIMIT_CLUSTER_TASKS)
            return cohort_error_set(COHORT_EINVAL, "job '%s' has %d tasks; 1 to %d", job->type,
                                    (int)job->tasks, COHORT_LIMIT_CLUSTER_TASKS);
        s->jobs[i] = (cohort_slurm_job){ cohort_string_copy(job->type), job->tasks };
        if (s->jobs[i].type == NULL)
            return cohort_error_memory("a resolver");
        s->n_jobs++;
    }
    qsort(s->jobs, (size_t)s->n_jobs, sizeof *s->jobs, compare_jobs);
    return COHORT_OK;
}

static cohort_status fill(slurm *s, const cohort_slurm_options *options)
{
    cohort_status status = check_options(options);
    if (status < 0)
        return status;
    s->port_base = options->port_base > 0 ? options->port_base : PORT_BASE;
    s->tasks_per_node = options->tasks_per_node;
    s->gpus_per_node = options->gpus_per_node;
    s->gpus_per_task = options->gpus_per_task;
    return copy_jobs(s, options);
}

/* The environment has to make sense already. */
static cohort_status check_step(slurm *s)
{
    cohort_cluster_spec *spec = find_spec(s);
    bool is_asked = s->gpus_per_node != 0 || s->gpus_per_task != 0;
    cohort_status status = spec != NULL ? COHORT_OK : cohort_error_status();
    cohort_cluster_spec_destroy(spec);
    if (status < 0 || !is_asked)
        return status;
    int n = find_accelerators(s, NULL, 0);
    return n < 0 ? n : COHORT_OK;
}

cohort_resolver *cohort_resolver_slurm_with(const cohort_slurm_options *options)
{
    static const cohort_slurm_options none;
    options = options != NULL ? options : &none;
    slurm *s = cohort_allocate(1, sizeof *s);
    cohort_status status = s != NULL ? fill(s, options) : cohort_error_memory("a resolver");
    if (status >= 0)
        status = check_step(s);
    if (status >= 0)
        return cohort_resolver_make(
            &ops, s,
            &(cohort_resolver_options){ .rpc_layer = options->rpc_layer != NULL ? options->rpc_layer
                                                                                : "grpc" },
            call);
    if (s != NULL)
        destroy(s);
    (void)cohort_error_prefix(status, "%s", call);
    return cohort_handle_made(COHORT_HANDLE_RESOLVER, NULL);
}

cohort_resolver *cohort_resolver_slurm(void)
{
    return cohort_resolver_slurm_with(NULL);
}
