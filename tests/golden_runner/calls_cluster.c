/* SPDX-License-Identifier: BSD-3-Clause */
/* Clusters and the roles of their tasks, resolvers, and session-style configuration. */
#include "config.h"

#include "tests/golden_runner/expression.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { JOBS = 8, TASKS = 9, MOST_TASKS = 64 };

/* ---- Clusters. "chief1 worker2": jobs with so many tasks; "empty": none. */

static thing cluster_of(frame *f, const thing x[])
{
    static const char *const addresses[TASKS] = { "a:1", "b:1", "c:1", "d:1", "e:1",
                                                  "f:1", "g:1", "h:1", "i:1" };
    char types[JOBS][32];
    cohort_job jobs[JOBS];
    const char *words = strcmp(text_of(&x[0]), "empty") == 0 ? "" : text_of(&x[0]);
    int n = 0, tasks, bytes;
    for (; *words != '\0' && n < JOBS; n++) {
        if (sscanf(words, "%31[a-z]%1d%n", types[n], &tasks, &bytes) != 2)
            return frame_malformed(f, "cluster \"%s\"", words);
        jobs[n] = (cohort_job){ types[n], addresses, tasks, NULL };
        words += bytes;
        words += *words == ' ';
    }
    return thing_owned(f, THING_CLUSTER, cohort_cluster_spec_create(jobs, n));
}

static thing truth(frame *f, int answer)
{
    return answer < 0 ? frame_stop(f, answer) : thing_json(f, json_boolean(answer));
}

/* ---- Resolvers. */

/* job(type, addresses, indices, where there are any) */
static thing job(frame *f, const thing x[])
{
    cohort_job *made = table_memory(f->c, sizeof *made);
    const char **addresses = table_memory(f->c, (size_t)x[1].n * sizeof(char *));
    int32_t *indices = table_memory(f->c, MOST_TASKS * sizeof *indices);
    for (int k = 0; k < x[1].n; k++)
        addresses[k] = text_of(&x[1].as.list[k]);
    bool has_indices = x[2].kind != THING_NOTHING && integers_of(f, &x[2], indices, MOST_TASKS) > 0;
    *made = (cohort_job){ text_of(&x[0]), addresses, x[1].n, has_indices ? indices : NULL };
    return thing_of(f, THING_OTHER, made);
}

static cohort_resolver *with_options(const cohort_job *jobs, int n, cohort_resolver_options options,
                                     const json_t *given)
{
    cohort_accelerators list = { "GPU", 0 };
    options.accelerators = &list;
    options.num_accelerators = 1;
    return json_unpack((json_t *)given, "{s:s, s:s, s:s, s:{s:i !} !}", "master", &options.master,
                       "rpc_layer", &options.rpc_layer, "environment", &options.environment,
                       "accelerators", list.kind, &list.count) == 0
               ? cohort_resolver_simple_with(jobs, n, &options)
               : NULL;
}

/* simple(jobs, type and id of the task, options) */
static thing simple(frame *f, const thing x[])
{
    cohort_job jobs[JOBS];
    int n = x[0].kind == THING_NOTHING ? 0 : x[0].n;
    const char *type = text_of(&x[1]);
    int32_t id = (int32_t)integer_of(&x[2]);
    for (int k = 0; k < n && k < JOBS; k++)
        jobs[k] = *(const cohort_job *)x[0].as.list[k].as.other;
    return thing_owned(
        f, THING_RESOLVER,
        x[3].kind == THING_NOTHING
            ? cohort_resolver_simple(jobs, n, type, id)
            : with_options(jobs, n, (cohort_resolver_options){ .task_type = type, .task_id = id },
                           json_of(f, &x[3])));
}

/* Of whatever is listed, also of what is no resolver. */
static thing union_of(frame *f, const thing x[])
{
    cohort_resolver **list = table_memory(f->c, (size_t)x[0].n * sizeof(cohort_resolver *));
    for (int k = 0; k < x[0].n; k++)
        list[k] = x[0].as.list[k].as.other;
    return thing_owned(f, THING_RESOLVER, cohort_resolver_union(list, x[0].n));
}

/* The recorded machine had no GPUs where a row says nothing of them. What sets them for the program
 * makes no difference to what they are. */
static thing slurm(frame *f, const thing x[])
{
    cohort_slurm_options options = { .gpus_per_node = -1 };
    cohort_slurm_job jobs[JOBS];
    json_t *given = NULL, *tasks;
    int sets_gpus;
    const char *type;
    if (json_unpack(json_of(f, &x[0]), "{s?b, s?i, s?i, s?i, s?i, s?o !}", "auto_set_gpu",
                    &sets_gpus, "gpus_per_node", &options.gpus_per_node, "gpus_per_task",
                    &options.gpus_per_task, "port_base", &options.port_base, "tasks_per_node",
                    &options.tasks_per_node, "jobs", &given) != 0)
        return frame_malformed(f, "args: \"arguments\"");
    json_object_foreach(given, type, tasks) if (options.num_jobs < JOBS) jobs[options.num_jobs++] =
        (cohort_slurm_job){ type, (int32_t)json_integer_value(tasks) };
    options.jobs = given == NULL ? NULL : jobs;
    return thing_owned(f, THING_RESOLVER, cohort_resolver_slurm_with(&options));
}

/* ---- What they say. */

static thing cluster(frame *f, const thing x[])
{
    const cohort_cluster_spec *spec = cohort_resolver_cluster_spec(x[0].as.resolver);
    const char *text = spec == NULL ? NULL : cohort_cluster_spec_json(spec);
    return text == NULL ? frame_stop(f, COHORT_EINVAL) : thing_json(f, json_loads(text, 0, NULL));
}

static thing task_id(frame *f, const thing x[])
{
    int32_t id = cohort_resolver_task_id(x[0].as.resolver);
    return id < 0 ? nothing : thing_number(f, id);
}

static thing accelerators(frame *f, const thing x[])
{
    cohort_accelerators list[JOBS];
    int n = cohort_resolver_num_accelerators(x[0].as.resolver, list, JOBS);
    json_t *found = json_object();
    for (int i = 0; i < n && i < JOBS; i++)
        json_object_set_new(found, list[i].kind, json_integer(list[i].count));
    thing all = thing_json(f, found);
    return n < 0 ? frame_stop(f, n) : all;
}

/* ---- Lists of Slurm. */

static thing slurm_hosts(frame *f, const thing x[])
{
    char host[256];
    int n = cohort_slurm_host(text_of(&x[0]), 0, NULL, 0);
    if (n < 0)
        return frame_stop(f, n);
    thing list = thing_list(f, n);
    for (int k = 0; k < n; k++) {
        (void)cohort_slurm_host(text_of(&x[0]), k, host, sizeof host);
        list.as.list[k] = thing_text(f, host);
    }
    return list;
}

static thing slurm_tasks(frame *f, const thing x[])
{
    int32_t numbers[MOST_TASKS];
    int n = cohort_slurm_tasks(text_of(&x[0]), numbers, MOST_TASKS);
    return n < 0 ? frame_stop(f, n) : thing_integers(f, numbers, n < MOST_TASKS ? n : MOST_TASKS);
}

/* ---- The environment, for as long as the block: a text as it is, anything else as JSON; nothing:
 * the variable is not there. */

static void set_variable(const char *name, const json_t *value)
{
    char *text = json_is_string(value) ? NULL : json_dumps(value, JSON_ENCODE_ANY);
    if (json_is_null(value))
        (void)unsetenv(name);
    else
        (void)setenv(name, text != NULL ? text : json_string_value(value), 1);
    free(text);
}

static thing in_environment(frame *f, const thing x[])
{
    const char *name;
    json_t *value, *variables = json_of(f, &x[0]);
    json_object_foreach(variables, name, value) set_variable(name, value);
    thing found = expression_block(f, &x[1], NULL, nothing);
    json_object_foreach(variables, name, value)(void) unsetenv(name);
    return found;
}

/* ---- Configuration. */

static thing config(frame *f, const thing x[])
{
    int isolates = 0, soft = 0;
    if (x[0].kind != THING_NOTHING &&
        json_unpack(json_of(f, &x[0]), "{s?b, s?b !}", "isolate_session_state", &isolates,
                    "allow_soft_placement", &soft) != 0)
        return frame_malformed(f, "a configuration");
    const cohort_config_options options = { .isolate_session_state = isolates != 0,
                                            .allow_soft_placement = soft != 0 };
    return thing_owned(f, THING_CONFIG, cohort_config_create(&options));
}

static thing filters(frame *f, const thing x[])
{
    thing list = thing_list(f, cohort_config_num_device_filters(x[0].as.config));
    for (int k = 0; k < list.n; k++)
        list.as.list[k] = thing_text(f, cohort_config_device_filter(x[0].as.config, k));
    return list;
}

/* strategy(name, resolver, parameter devices), on the host */
static thing strategy(frame *f, const thing x[])
{
    return thing_owned(f, THING_STRATEGY,
                       cohort_strategy_create(&(cohort_strategy_options){
                           .name = text_of(&x[0]),
                           .devices = "host",
                           .resolver = x[1].kind == THING_NOTHING ? NULL : x[1].as.resolver,
                           .parameter_devices = text_of(&x[2]) }));
}

#define CALLS(CALL)                                                                                \
    CALL(cluster_of, "t", cluster_of(f, x))                                                        \
    CALL(is_chief, "C?tn",                                                                         \
         truth(f, cohort_cluster_spec_is_chief(x[0].as.cluster, text_of(&x[1]),                    \
                                               (int32_t)integer_of(&x[2]))))                       \
    CALL(id_in_cluster, "C?tn",                                                                    \
         thing_count(f, cohort_cluster_spec_id_in_cluster(x[0].as.cluster, text_of(&x[1]),         \
                                                          (int32_t)integer_of(&x[2]))))            \
    CALL(worker_count, "Ct",                                                                       \
         thing_count(f, cohort_cluster_spec_worker_count(x[0].as.cluster, text_of(&x[1]))))        \
    CALL(collective_leader, "C?tn",                                                                \
         thing_text(f, cohort_cluster_spec_collective_leader(x[0].as.cluster, text_of(&x[1]),      \
                                                             (int32_t)integer_of(&x[2]))))         \
    CALL(coordination_leader, "C",                                                                 \
         thing_text(f, cohort_cluster_spec_coordination_leader(x[0].as.cluster)))                  \
    CALL(job, "tL?L", job(f, x))                                                                   \
    CALL(simple, "?Ltnj", simple(f, x))                                                            \
    CALL(tf_config, "", thing_owned(f, THING_RESOLVER, cohort_resolver_tf_config()))               \
    CALL(union, "*", union_of(f, x))                                                               \
    CALL(slurm, "j", slurm(f, x))                                                                  \
    CALL(cluster_resolver, "",                                                                     \
         thing_of(f, THING_RESOLVER, cohort_strategy_cluster_resolver(f->s)))                      \
    CALL(cluster, "r", cluster(f, x))                                                              \
    CALL(task_type, "r", thing_text(f, cohort_resolver_task_type(x[0].as.resolver)))               \
    CALL(task_id, "r", task_id(f, x))                                                              \
    CALL(rpc_layer, "r", thing_text(f, cohort_resolver_rpc_layer(x[0].as.resolver)))               \
    CALL(environment, "r", thing_text(f, cohort_resolver_environment(x[0].as.resolver)))           \
    CALL(master, "r?tnt",                                                                          \
         thing_text(f, cohort_resolver_master(x[0].as.resolver, text_of(&x[1]),                    \
                                              (int32_t)integer_of(&x[2]), text_of(&x[3]))))        \
    CALL(accelerators, "r", accelerators(f, x))                                                    \
    CALL(accelerator_ids, "r", thing_text(f, cohort_resolver_accelerator_ids(x[0].as.resolver)))   \
    CALL(slurm_hosts, "t", slurm_hosts(f, x))                                                      \
    CALL(slurm_tasks, "t", slurm_tasks(f, x))                                                      \
    CALL(in_environment, "j{", in_environment(f, x))                                               \
    CALL(config, "?j", config(f, x))                                                               \
    CALL(isolates, "c", truth(f, cohort_config_isolates_session_state(x[0].as.config)))            \
    CALL(allows_soft, "c", truth(f, cohort_config_allows_soft_placement(x[0].as.config)))          \
    CALL(filters, "c", filters(f, x))                                                              \
    CALL(strategy, "t?rt", strategy(f, x))                                                         \
    CALL(update_config, "c",                                                                       \
         thing_owned(f, THING_CONFIG, cohort_strategy_update_config(f->s, x[0].as.config)))        \
    CALL(configure, "c",                                                                           \
         frame_done(f, cohort_strategy_configure(f->s, x[0].as.config, NULL, NULL, 0), x[0]))      \
    CALL(is_it, "cc", truth(f, x[0].as.config == x[1].as.config))
CALLS(CALL_FUNCTION)
const call cluster_calls[] = { CALLS(CALL_ROW){ NULL, NULL, NULL } };
