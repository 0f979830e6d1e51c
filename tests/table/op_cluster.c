/* SPDX-License-Identifier: BSD-3-Clause */
/* Clusters and roles, and what TF_CONFIG says. */
#include "config.h"

#include "tests/table/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { JOBS = 8, TASKS = 9 };

/* "chief1 worker2": jobs with so many tasks; "empty": none. NULL: malformed, or failed. */
cohort_cluster_spec *table_cluster(table_case *c, const char *words)
{
    static const char *const addresses[TASKS] = { "a:1", "b:1", "c:1", "d:1", "e:1",
                                                  "f:1", "g:1", "h:1", "i:1" };
    char types[JOBS][32];
    cohort_job jobs[JOBS];
    int n = 0, tasks, bytes;
    if (strcmp(words, "empty") == 0)
        words = "";
    for (; *words != '\0' && n < JOBS; n++) {
        if (sscanf(words, "%31[a-z]%1d%n", types[n], &tasks, &bytes) != 2)
            return (void)table_malformed(c, "cluster \"%s\"", words), NULL;
        jobs[n] = (cohort_job){ types[n], addresses, tasks, NULL };
        words += bytes;
        words += *words == ' ';
    }
    cohort_cluster_spec *spec = cohort_cluster_spec_create(jobs, n);
    if (spec == NULL)
        (void)table_failed(c);
    return spec;
}

json_t *table_spec(const cohort_cluster_spec *spec)
{
    const char *text = spec != NULL ? cohort_cluster_spec_json(spec) : NULL;
    return text != NULL ? json_loads(text, 0, NULL) : NULL;
}

json_t *table_word(const char *text)
{
    return text[0] != '\0' ? json_string(text) : json_null();
}

static json_t *value_of(json_t *value)
{
    return json_pack("{s:o}", "value", value);
}

/* ---- Roles: an answer that is a number, or a text. */

typedef struct role {
    int number; /* of these calls each failure is negative */
    const char *text;
    bool is_truth;
} role;

static json_t *with_role(table_case *c,
                         role (*ask)(const cohort_cluster_spec *spec, const char *type, int32_t id))
{
    double id = 0;
    const char *type = table_text(c, "type", NULL);
    if (table_arg(c, "id") != NULL && !table_number(c, "id", &id))
        return NULL;
    cohort_cluster_spec *spec = table_cluster(c, table_text(c, "cluster", ""));
    if (spec == NULL)
        return NULL;
    role found = ask(spec, type, (int32_t)id);
    cohort_cluster_spec_destroy(spec);
    if (found.number < 0)
        return table_failed(c);
    if (found.text != NULL)
        return value_of(json_string(found.text));
    return value_of(found.is_truth ? json_boolean(found.number) : json_integer(found.number));
}

static role ask_chief(const cohort_cluster_spec *spec, const char *type, int32_t id)
{
    return (role){ cohort_cluster_spec_is_chief(spec, type, id), NULL, true };
}

static role ask_id(const cohort_cluster_spec *spec, const char *type, int32_t id)
{
    return (role){ cohort_cluster_spec_id_in_cluster(spec, type, id), NULL, false };
}

static role ask_leader(const cohort_cluster_spec *spec, const char *type, int32_t id)
{
    const char *text = cohort_cluster_spec_collective_leader(spec, type, id);
    return (role){ text != NULL ? 0 : -1, text, false };
}

static role ask_coordinator(const cohort_cluster_spec *spec, const char *type, int32_t id)
{
    const char *text = cohort_cluster_spec_coordination_leader(spec);
    (void)type;
    (void)id;
    return (role){ text != NULL ? 0 : -1, text, false };
}

static json_t *is_chief(table_case *c)
{
    return with_role(c, ask_chief);
}

static json_t *id_in_cluster(table_case *c)
{
    return with_role(c, ask_id);
}

static json_t *collective_leader(table_case *c)
{
    return with_role(c, ask_leader);
}

static json_t *coordination_leader(table_case *c)
{
    return with_role(c, ask_coordinator);
}

/* "chief)": the type stands in the words. */
static json_t *worker_count(table_case *c)
{
    static const char *const types[] = { "chief", "worker", "ps", "evaluator" };
    char words[32];
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        (void)snprintf(words, sizeof words, "%s)", types[i]);
        if (!table_rest_is(c, words))
            continue;
        cohort_cluster_spec *spec = table_cluster(c, table_text(c, "cluster", ""));
        if (spec == NULL)
            return NULL;
        int n = cohort_cluster_spec_worker_count(spec, types[i]);
        cohort_cluster_spec_destroy(spec);
        return n < 0 ? table_failed(c) : value_of(json_integer(n));
    }
    return table_malformed(c, "worker_count(%s", c->rest);
}

/* ---- TF_CONFIG */

/* Sets it as args say; false: malformed. */
static bool set_config(table_case *c)
{
    const json_t *config = table_arg(c, "TF_CONFIG");
    if (config == NULL)
        return table_malformed(c, "args: no \"TF_CONFIG\"") != NULL;
    char *text = json_is_string(config) ? NULL : json_dumps(config, JSON_ENCODE_ANY);
    if (json_is_null(config))
        (void)unsetenv("TF_CONFIG");
    else
        (void)setenv("TF_CONFIG", text != NULL ? text : json_string_value(config), 1);
    free(text);
    return true;
}

static json_t *with_config(table_case *c, json_t *(*ask)(cohort_resolver *r))
{
    if (!set_config(c))
        return NULL;
    cohort_resolver *r = cohort_resolver_tf_config();
    json_t *found = r != NULL ? ask(r) : NULL;
    if (found == NULL)
        (void)table_failed(c);
    cohort_resolver_destroy(r);
    (void)unsetenv("TF_CONFIG");
    return found != NULL ? value_of(found) : NULL;
}

static json_t *ask_master(cohort_resolver *r)
{
    const char *master = cohort_resolver_master(r, NULL, 0, NULL);
    return master != NULL ? json_string(master) : NULL;
}

static json_t *ask_ps_master(cohort_resolver *r)
{
    const char *master = cohort_resolver_master(r, "ps", 0, "grpc");
    return master != NULL ? json_string(master) : NULL;
}

static json_t *ask_spec(cohort_resolver *r)
{
    return table_spec(cohort_resolver_cluster_spec(r));
}

json_t *table_task_id(cohort_resolver *r)
{
    int32_t id = cohort_resolver_task_id(r);
    return id >= 0 ? json_integer(id) : json_null();
}

static json_t *ask_task(cohort_resolver *r)
{
    const char *type = cohort_resolver_task_type(r), *layer = cohort_resolver_rpc_layer(r),
               *environment = cohort_resolver_environment(r);
    if (type == NULL || layer == NULL || environment == NULL)
        return NULL;
    return json_pack("[o, o, o, o]", table_word(type), table_task_id(r), table_word(layer),
                     table_word(environment));
}

static json_t *ask_index(cohort_resolver *r)
{
    const char *type = cohort_resolver_task_type(r),
               *master = cohort_resolver_master(r, NULL, 0, NULL);
    if (type == NULL || master == NULL)
        return NULL;
    return json_pack("[s, o, s]", type, table_task_id(r), master);
}

json_t *table_accelerators(cohort_resolver *r)
{
    cohort_accelerators list[8];
    int n = cohort_resolver_num_accelerators(r, list, 8);
    json_t *found = n >= 0 && n <= 8 ? json_object() : NULL;
    for (int i = 0; i < n && found != NULL; i++)
        json_object_set_new(found, list[i].kind, json_integer(list[i].count));
    return found;
}

static json_t *config_master(table_case *c)
{
    return with_config(c, ask_master);
}

static json_t *config_ps_master(table_case *c)
{
    return with_config(c, ask_ps_master);
}

static json_t *config_spec(table_case *c)
{
    return with_config(c, ask_spec);
}

static json_t *config_task(table_case *c)
{
    return with_config(c, ask_task);
}

static json_t *config_index(table_case *c)
{
    return with_config(c, ask_index);
}

static json_t *config_accelerators(table_case *c)
{
    json_t *found = with_config(c, table_accelerators);
    if (found == NULL || json_object_size(json_object_get(found, "value")) == 0)
        return found;
    json_decref(found);
    return table_skipped(c, "this machine has accelerators");
}

const table_operation table_cluster_operations[] = {
    { "is_chief", is_chief },
    { "id_in_cluster", id_in_cluster },
    { "worker_count(*", worker_count },
    { "collective_leader", collective_leader },
    { "coordination_leader", coordination_leader },
    { "TFConfig: master()", config_master },
    { "TFConfig: master('ps', 0, 'grpc')", config_ps_master },
    { "TFConfig with session_master: master()", config_master },
    { "TFConfig: cluster spec", config_spec },
    { "TFConfig with a job given by index", config_spec },
    { "TFConfig: task type, id, rpc layer, environment", config_task },
    { "TFConfig with the index as text", config_index },
    { "TFConfig: text that is no JSON", config_spec },
    { "TFConfig: num_accelerators() on a machine without any", config_accelerators },
    { NULL, NULL },
};
