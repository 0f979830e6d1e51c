/* SPDX-License-Identifier: BSD-3-Clause */
/* Session-style configuration, and the roles of tasks with parameter servers. */
#include "config.h"

#include "tests/table/table.h"

#include <stdio.h>
#include <string.h>

/* The strategy of args; NULL: malformed. */
static cohort_strategy *named_strategy(table_case *c)
{
    const char *name = table_text(c, "strategy", "");
    const char *kind = strcmp(name, "onedevice") == 0 ? "one-device" : name;
    cohort_strategy *s =
        cohort_strategy_create(&(cohort_strategy_options){ .name = kind, .devices = "host" });
    if (s == NULL)
        (void)table_malformed(c, "args: strategy \"%s\": %s", name, cohort_error_text());
    return s;
}

static json_t *filters_of(const cohort_config *config)
{
    json_t *list = json_array();
    for (int i = 0; i < cohort_config_num_device_filters(config); i++)
        json_array_append_new(list, json_string(cohort_config_device_filter(config, i)));
    return list;
}

static json_t *update(table_case *c)
{
    cohort_strategy *s = named_strategy(c);
    if (s == NULL)
        return NULL;
    cohort_config *given = cohort_config_create(
                      &(cohort_config_options){ .allow_soft_placement = true }),
                  *updated = cohort_strategy_update_config(s, given);
    json_t *found = NULL;
    if (updated == NULL)
        (void)table_failed(c);
    else
        found = json_pack("{s:{s:b, s:o, s:b, s:b, s:b}}", "value", "isolate_session_state",
                          cohort_config_isolates_session_state(updated), "device_filters",
                          filters_of(updated), "soft_kept",
                          cohort_config_allows_soft_placement(updated), "input_changed",
                          cohort_config_isolates_session_state(given) ||
                              cohort_config_num_device_filters(given) != 0 ||
                              !cohort_config_allows_soft_placement(given),
                          "same_object", updated == given);
    cohort_config_destroy(given), cohort_config_destroy(updated);
    cohort_strategy_destroy(s);
    return found;
}

static json_t *configure(table_case *c)
{
    cohort_strategy *s = named_strategy(c);
    if (s == NULL)
        return NULL;
    cohort_config *config = cohort_config_create(NULL);
    cohort_status status = cohort_strategy_configure(s, config, NULL, NULL, 0);
    json_t *found = status < 0 ? table_failed(c)
                               : json_pack("{s:{s:b}}", "value", "isolate_session_state",
                                           cohort_config_isolates_session_state(config));
    cohort_config_destroy(config);
    cohort_strategy_destroy(s);
    return found;
}

/* ---- A task of a cluster with parameter servers, whose devices are its ps tasks. */

static json_t *worker_devices(cohort_strategy *s)
{
    json_t *list = json_array();
    cohort_resolver *r = cohort_strategy_cluster_resolver(s);
    int n = cohort_strategy_devices(s, NULL, 0);
    for (int i = 0; i < n; i++)
        json_array_append_new(list, json_sprintf("/job:%s/replica:0/task:%d/device:CPU:%d",
                                                 cohort_resolver_task_type(r),
                                                 (int)cohort_resolver_task_id(r), i));
    return list;
}

static json_t *parameter_devices(const cohort_strategy *s)
{
    json_t *list = json_array();
    int n = cohort_strategy_parameter_devices(s, NULL, 0);
    for (int i = 0; i < n; i++)
        json_array_append_new(list, json_sprintf("/job:ps/task:%d", i));
    return list;
}

static json_t *describe(table_case *c, cohort_strategy *s)
{
    cohort_config *given = cohort_config_create(
                      &(cohort_config_options){ .isolate_session_state = true }),
                  *updated = cohort_strategy_update_config(s, given);
    int role = cohort_strategy_role(s);
    json_t *found = NULL;
    if (updated == NULL)
        (void)table_failed(c);
    else
        found = json_pack("{s:{s:i, s:o, s:o, s:b, s:o, s:b, s:b, s:b, s:b}}", "value", "replicas",
                          cohort_strategy_num_replicas(s), "worker_devices", worker_devices(s),
                          "parameter_devices", parameter_devices(s), "isolate_session_state",
                          cohort_config_isolates_session_state(updated), "device_filters",
                          filters_of(updated), "between_graph", (role & COHORT_BETWEEN_GRAPH) != 0,
                          "should_init", (role & COHORT_SHOULD_INIT) != 0, "should_checkpoint",
                          (role & COHORT_SHOULD_CHECKPOINT) != 0, "should_save_summary",
                          (role & COHORT_SHOULD_SAVE_SUMMARY) != 0);
    cohort_config_destroy(given), cohort_config_destroy(updated);
    return found;
}

/* Three workers, and so many servers; one host device for each of them. */
static json_t *with_servers(table_case *c, int servers, const char *type, int32_t id)
{
    const char *const addresses[] = { "a:1", "b:1", "c:1", "d:1", "e:1" };
    const cohort_job jobs[] = { { "worker", addresses, 3, NULL },
                                { "ps", addresses + 3, servers, NULL } };
    cohort_resolver *r = cohort_resolver_simple(jobs, servers > 0 ? 2 : 1, type, id);
    cohort_strategy *s = cohort_strategy_create(&(cohort_strategy_options){
        .name = "round-robin", .devices = "host", .parameter_devices = "host/2", .resolver = r });
    json_t *found = s != NULL ? describe(c, s) : table_failed(c);
    cohort_resolver_destroy(r);
    cohort_strategy_destroy(s);
    return found;
}

static json_t *two_servers(table_case *c)
{
    double id = -1;
    const char *type = table_text(c, "type", NULL);
    return table_number(c, "id", &id) && type != NULL
               ? with_servers(c, 2, type, (int32_t)id)
               : table_malformed(c, "args: a task is wanted");
}

static json_t *no_servers(table_case *c)
{
    return with_servers(c, 0, "worker", 0);
}

const table_operation table_config_operations[] = {
    { "update_config_proto", update },
    { "configure(session_config): the given config afterwards", configure },
    { "ParameterServerStrategy (v1) on a cluster of 3 workers, 2 ps: role flags and config",
      two_servers },
    { "ParameterServerStrategy (v1) on a cluster without ps", no_servers },
    { NULL, NULL },
};
