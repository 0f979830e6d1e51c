/* SPDX-License-Identifier: BSD-3-Clause */
/* Resolvers that are given in code, unions, and steps of Slurm. */
#include "config.h"

#include "tests/table/table.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_JOBS = 8 };

static const char *const ab[] = { "a:1", "b:1" }, *const only_c[] = { "c:1" };

/* ---- Simple */

static json_t *simple_defaults(table_case *c)
{
    cohort_resolver *r = cohort_resolver_simple(NULL, 0, NULL, 0);
    const char *master = cohort_resolver_master(r, NULL, 0, NULL),
               *type = cohort_resolver_task_type(r), *layer = cohort_resolver_rpc_layer(r),
               *environment = cohort_resolver_environment(r);
    json_t *accelerators = table_accelerators(r), *found = NULL;
    if (master == NULL || type == NULL || layer == NULL || environment == NULL ||
        accelerators == NULL)
        (void)table_failed(c);
    else
        found = json_pack("{s:[s, o, o, s, O, o]}", "value", master, table_word(type),
                          table_task_id(r), environment, accelerators, table_word(layer));
    json_decref(accelerators);
    cohort_resolver_destroy(r);
    return found;
}

static json_t *simple_master(table_case *c)
{
    const char *const addresses[] = { "a:1", "b:2" };
    cohort_resolver *r =
        cohort_resolver_simple(&(cohort_job){ "worker", addresses, 2, NULL }, 1, NULL, 0);
    const char *master = cohort_resolver_master(r, "worker", 1, NULL);
    json_t *found = master != NULL ? json_pack("{s:s}", "value", master) : table_failed(c);
    cohort_resolver_destroy(r);
    return found;
}

static json_t *simple_dict(table_case *c)
{
    return table_skipped(c, "no counterpart: the compiler refuses what is no list of jobs");
}

/* ---- Union */

static cohort_resolver *workers(const char *const addresses[], int n, const int32_t indices[])
{
    return cohort_resolver_simple(&(cohort_job){ "worker", addresses, n, indices }, 1, NULL, 0);
}

/* Drops the resolvers. */
static json_t *join(table_case *c, cohort_resolver *a, cohort_resolver *b)
{
    cohort_resolver *u = cohort_resolver_union((cohort_resolver *[]){ a, b }, 2);
    json_t *spec = u != NULL ? table_spec(cohort_resolver_cluster_spec(u)) : NULL;
    if (spec == NULL)
        (void)table_failed(c);
    cohort_resolver_destroy(a), cohort_resolver_destroy(b), cohort_resolver_destroy(u);
    return spec != NULL ? json_pack("{s:o}", "value", spec) : NULL;
}

static json_t *union_dict(table_case *c)
{
    return join(c, workers(ab, 2, NULL), workers(only_c, 1, (const int32_t[]){ 3 }));
}

static json_t *union_twice(table_case *c)
{
    return join(c, workers(ab, 2, NULL), workers(only_c, 1, (const int32_t[]){ 1 }));
}

static json_t *union_nothing(table_case *c)
{
    cohort_resolver *u = cohort_resolver_union(NULL, 0);
    cohort_resolver_destroy(u);
    return u != NULL ? json_object() : table_failed(c);
}

/* Something else that Cohort made. */
static json_t *union_other(table_case *c)
{
    void *other = cohort_cluster_spec_create(NULL, 0);
    cohort_resolver *u = cohort_resolver_union((cohort_resolver *[]){ other }, 1);
    if (u == NULL)
        (void)table_failed(c);
    cohort_cluster_spec_destroy(other);
    cohort_resolver_destroy(u);
    return u != NULL ? json_object() : NULL;
}

static cohort_resolver *with_all(const char *type, int32_t id, const char *master,
                                 const char *layer, const char *environment, int32_t gpus)
{
    const cohort_accelerators list = { "GPU", gpus };
    return cohort_resolver_simple_with(&(cohort_job){ "worker", only_c, 1, NULL }, 1,
                                       &(cohort_resolver_options){ .task_type = type,
                                                                   .task_id = id,
                                                                   .master = master,
                                                                   .rpc_layer = layer,
                                                                   .environment = environment,
                                                                   .accelerators = &list,
                                                                   .num_accelerators = 1 });
}

static json_t *union_first(table_case *c)
{
    cohort_resolver *a = with_all("worker", 0, "m1", "r1", "e1", 1),
                    *b = with_all("ps", 2, "m2", "r2", "e2", 7),
                    *u = cohort_resolver_union((cohort_resolver *[]){ a, b }, 2);
    const char *type = cohort_resolver_task_type(u), *environment = cohort_resolver_environment(u),
               *layer = cohort_resolver_rpc_layer(u),
               *master = cohort_resolver_master(u, NULL, 0, NULL);
    json_t *accelerators = table_accelerators(u), *found = NULL;
    if (type == NULL || environment == NULL || layer == NULL || master == NULL ||
        accelerators == NULL)
        (void)table_failed(c);
    else
        found = json_pack("{s:[s, o, s, O, s, s]}", "value", type, table_task_id(u), environment,
                          accelerators, layer, master);
    json_decref(accelerators);
    cohort_resolver_destroy(a), cohort_resolver_destroy(b), cohort_resolver_destroy(u);
    return found;
}

/* ---- Slurm */

static bool set_variables(table_case *c)
{
    const json_t *variables = table_arg(c, "env");
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)variables, name, value)
    {
        if (strncmp(name, "SLURM_", 6) != 0 || !json_is_string(value))
            return table_malformed(c, "args: env: \"%s\"", name) != NULL;
        (void)setenv(name, json_string_value(value), 1);
    }
    return true;
}

static void unset_variables(const table_case *c)
{
    const char *name;
    json_t *value;
    json_object_foreach(json_object_get(c->args, "env"), name, value)(void) unsetenv(name);
}

/* The recorded machine had no GPUs where a row says nothing of them. */
static bool read_arguments(table_case *c, cohort_slurm_options *out, cohort_slurm_job jobs[],
                           bool *out_sets_gpus)
{
    const char *name, *type;
    json_t *value, *tasks;
    *out = (cohort_slurm_options){ .gpus_per_node = -1 };
    *out_sets_gpus = true;
    json_object_foreach((json_t *)table_arg(c, "arguments"), name, value)
    {
        int32_t number = (int32_t)json_integer_value(value);
        if (strcmp(name, "auto_set_gpu") == 0)
            *out_sets_gpus = json_is_true(value);
        else if (strcmp(name, "gpus_per_node") == 0)
            out->gpus_per_node = number;
        else if (strcmp(name, "gpus_per_task") == 0)
            out->gpus_per_task = number;
        else if (strcmp(name, "port_base") == 0)
            out->port_base = number;
        else if (strcmp(name, "tasks_per_node") == 0)
            out->tasks_per_node = number;
        else if (strcmp(name, "jobs") == 0) {
            json_object_foreach(value, type, tasks) if (out->num_jobs < MOST_JOBS)
                jobs[out->num_jobs++] =
                    (cohort_slurm_job){ type, (int32_t)json_integer_value(tasks) };
            out->jobs = jobs;
        } else
            return table_malformed(c, "args: arguments: \"%s\"", name) != NULL;
    }
    return true;
}

static json_t *ask_slurm(cohort_resolver *r, bool sets_gpus)
{
    json_t *spec = table_spec(cohort_resolver_cluster_spec(r));
    const char *type = cohort_resolver_task_type(r),
               *master = cohort_resolver_master(r, NULL, 0, NULL),
               *ids = cohort_resolver_accelerator_ids(r);
    json_t *found = NULL;
    if (spec != NULL && type != NULL && master != NULL && ids != NULL)
        found = json_pack("{s:{s:O, s:[s, o], s:s, s:s}}", "value", "spec", spec, "task", type,
                          table_task_id(r), "master", master, "cuda", sets_gpus ? ids : "");
    json_decref(spec);
    return found;
}

static json_t *slurm(table_case *c)
{
    cohort_slurm_options options;
    cohort_slurm_job jobs[MOST_JOBS];
    bool sets_gpus;
    json_t *found = NULL;
    if (!read_arguments(c, &options, jobs, &sets_gpus))
        return NULL;
    if (set_variables(c)) {
        cohort_resolver *r = cohort_resolver_slurm_with(&options);
        found = r != NULL ? ask_slurm(r, sets_gpus) : NULL;
        if (found == NULL)
            (void)table_failed(c);
        cohort_resolver_destroy(r);
    }
    unset_variables(c);
    return found;
}

static json_t *hosts(table_case *c)
{
    char host[256];
    const char *list = table_text(c, "list", "");
    int n = cohort_slurm_host(list, 0, NULL, 0);
    json_t *found = n >= 0 ? json_array() : table_failed(c);
    for (int k = 0; k < n; k++) {
        (void)cohort_slurm_host(list, k, host, sizeof host);
        json_array_append_new(found, json_string(host));
    }
    return n >= 0 ? json_pack("{s:o}", "value", found) : NULL;
}

static json_t *tasks(table_case *c)
{
    int32_t numbers[64];
    int n = cohort_slurm_tasks(table_text(c, "list", ""), numbers, 64);
    json_t *found = n >= 0 ? json_array() : table_failed(c);
    for (int k = 0; k < n && k < 64; k++)
        json_array_append_new(found, json_integer(numbers[k]));
    return n >= 0 ? json_pack("{s:o}", "value", found) : NULL;
}

const table_operation table_resolver_operations[] = {
    { "Simple: defaults", simple_defaults },
    { "Simple: master('worker', 1)", simple_master },
    { "Simple with a plain dict", simple_dict },
    { "Union of a list and a dict spec", union_dict },
    { "Union with a duplicate key", union_twice },
    { "Union of nothing", union_nothing },
    { "Union of a non-resolver", union_other },
    { "Union: other properties come from the first", union_first },
    { "Slurm resolver", slurm },
    { "expand a Slurm host list", hosts },
    { "expand a Slurm tasks-per-node list", tasks },
    { NULL, NULL },
};
