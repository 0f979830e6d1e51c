/* SPDX-License-Identifier: BSD-3-Clause */
/* Scopes, contexts and the making of strategies. */
#include "config.h"

#include "tests/table/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static json_t *enter_another(table_case *c)
{
    cohort_strategy *other = table_open_another(c);
    if (other == NULL || cohort_scope_enter(c->s) != COHORT_OK)
        return table_failed(c);
    if (cohort_scope_enter(other) != COHORT_OK)
        (void)table_failed(c);
    cohort_strategy_destroy(other);
    (void)cohort_scope_exit(c->s);
    return c->failure[0] == '\0' ? json_pack("{s:s}", "value", "two scopes mixed") : NULL;
}

static json_t *enter_twice(table_case *c)
{
    if (cohort_scope_enter(c->s) != COHORT_OK || cohort_scope_enter(c->s) != COHORT_OK ||
        cohort_scope_exit(c->s) != COHORT_OK)
        return table_failed(c);
    int32_t is_inside = cohort_scope_current() == c->s;
    const cohort_array array = { .data = &is_inside, .dtype = COHORT_I32 };
    return cohort_scope_exit(c->s) == COHORT_OK ? table_tensor(&array) : table_failed(c);
}

/* ---- A variable under another strategy. */

static cohort_status assign_foreign(cohort_replica *me, void *user)
{
    (void)me;
    return cohort_variable_assign((cohort_variable *)user, 2.0);
}

static json_t *assigned_by(table_case *c, bool in_run)
{
    cohort_variable *v = table_variable(c, table_scalar(c, 1, COHORT_F32), NULL, "SUM");
    cohort_strategy *other = v == NULL ? NULL : table_open_another(c);
    if (other == NULL)
        return NULL;
    (void)cohort_scope_enter(other);
    cohort_status status =
        in_run ? cohort_for_each_replica(other, assign_foreign, v) : cohort_variable_assign(v, 2.0);
    if (status != COHORT_OK)
        (void)table_failed(c);
    (void)cohort_scope_exit(other);
    cohort_strategy_destroy(other);
    return c->failure[0] == '\0' ? json_pack("{s:s}", "value", "two strategies mixed") : NULL;
}

static json_t *assign_in_other_scope(table_case *c)
{
    return assigned_by(c, false);
}

static json_t *assign_in_other_run(table_case *c)
{
    return assigned_by(c, true);
}

/* ---- [in cross-replica context, a strategy is current] */

typedef struct context {
    bool is_cross, has_strategy;
} context;

static context context_now(void)
{
    return (context){ cohort_scope_current() != NULL && cohort_replica_current() == NULL,
                      cohort_scope_current() != NULL };
}

static cohort_status note_context(cohort_replica *me, void *user)
{
    if (cohort_replica_id(me) == 0)
        *(context *)user = context_now();
    return COHORT_OK;
}

static json_t *contexts(table_case *c)
{
    context outside = context_now(), inside, in_run;
    if (cohort_scope_enter(c->s) != COHORT_OK)
        return table_failed(c);
    inside = context_now();
    if (cohort_scope_exit(c->s) != COHORT_OK)
        return table_failed(c);
    if (table_step(c, note_context, &in_run) != COHORT_OK)
        return NULL;
    return json_pack("{s:b, s:b, s:[b, b], s:[b, b]}", "outside_cross", outside.is_cross,
                     "outside_has_strategy", outside.has_strategy, "scope", inside.is_cross,
                     inside.has_strategy, "run", in_run.is_cross, in_run.has_strategy);
}

/* ---- Making strategies: "/cpu:9" is our host:9. */

static bool our_device(const char *name, const char *after, char *out, size_t bytes)
{
    int place = -1, n = 0;
    bool is_name =
        name != NULL && sscanf(name, "/cpu:%d%n", &place, &n) == 1 && strcmp(name + n, after) == 0;
    return is_name && snprintf(out, bytes, "host:%d", place) < (int)bytes;
}

static json_t *created(table_case *c, cohort_strategy *s)
{
    if (s == NULL)
        return table_failed(c);
    cohort_strategy_destroy(s);
    return json_pack("{s:s}", "value", "a strategy");
}

static json_t *make_mirrored(table_case *c)
{
    char list[TABLE_TEXT] = "", *last = table_memory(c, 64);
    const json_t *devices = table_arg(c, "devices"), *device;
    size_t i;
    json_array_foreach(devices, i, device)
    {
        size_t n = strlen(list);
        if (!our_device(json_string_value(device), "", last, 64) || n + 64 > sizeof list)
            return table_malformed(c, "args: \"devices\"");
        (void)snprintf(list + n, sizeof list - n, "%s%s", n > 0 ? "," : "", last);
    }
    c->named = last; /* the one that is not there, or is there twice, is the last in the table */
    return created(c, cohort_mirrored(list[0] == '\0' ? NULL : list));
}

/* CPU:1 of the row is the device that is named: all has to be on that one. */
static json_t *name_in_table(const char *id, const char *named)
{
    return json_sprintf("/job:localhost/replica:0/task:0/device:CPU:%s",
                        strcmp(id, named) == 0 ? "1" : id);
}

static cohort_status note_device(cohort_replica *me, void *user)
{
    *(const char **)user = cohort_device_id(cohort_replica_device(me));
    return COHORT_OK;
}

static json_t *properties(table_case *c, cohort_strategy *s, const char *named)
{
    const cohort_device *worker = NULL, *parameter = NULL;
    const char *where = NULL;
    cohort_copy copy;
    cohort_variable *v =
        cohort_variable_create(s, TABLE_VARIABLE, table_scalar(c, 1, COHORT_F32), NULL);
    int workers = cohort_strategy_devices(s, &worker, 1),
        parameters = cohort_strategy_parameter_devices(s, &parameter, 1);
    if (v == NULL || cohort_for_each_replica(s, note_device, &where) != COHORT_OK)
        return table_failed(c);
    if (workers != 1 || parameters != 1 || cohort_variable_copies(v, &copy, 1) != 1 ||
        copy.device != 0)
        return json_pack("{s:s}", "value", "more than one device");
    return json_pack(
        "{s:i, s:[o], s:[o], s:s, s:o, s:o}", "replicas", cohort_strategy_num_replicas(s),
        "worker_devices", name_in_table(cohort_device_id(worker), named), "parameter_devices",
        name_in_table(cohort_device_id(parameter), named), "variable_type", "ResourceVariable",
        "variable_device", name_in_table(cohort_device_id(parameter), named), "op_device",
        name_in_table(where, named));
}

static json_t *properties_of_one_device(table_case *c)
{
    const cohort_device *device = NULL;
    if (cohort_strategy_devices(c->s, &device, 1) < 1)
        return table_failed(c);
    cohort_strategy *s = cohort_one_device(cohort_device_id(device));
    json_t *found = s == NULL ? table_failed(c) : properties(c, s, cohort_device_id(device));
    cohort_strategy_destroy(s);
    return found;
}

static json_t *make_one_device(table_case *c)
{
    char *device = table_memory(c, 64);
    if (!our_device(c->rest, "')", device, 64))
        return table_malformed(c, "op: the device");
    table_rest_is_read(c);
    c->named = device;
    return created(c, cohort_one_device(device));
}

static json_t *role_flags(table_case *c)
{
    const int role = cohort_strategy_role(c->s);
    return json_pack("{s:b, s:b, s:b, s:b, s:b, s:b, s:i}", "between_graph",
                     role & COHORT_BETWEEN_GRAPH, "should_init", role & COHORT_SHOULD_INIT,
                     "should_checkpoint", role & COHORT_SHOULD_CHECKPOINT, "should_save_summary",
                     role & COHORT_SHOULD_SAVE_SUMMARY, "static_shapes",
                     role & COHORT_REQUIRE_STATIC_SHAPES, "cluster_resolver",
                     cohort_strategy_cluster_resolver(c->s) != NULL, "replicas",
                     cohort_strategy_num_replicas(c->s));
}

const table_operation table_scope_operations[] = {
    { "enter the scope of another strategy", enter_another },
    { "enter the same scope twice", enter_twice },
    { "assign a variable under another strategy", assign_in_other_scope },
    { "assign a variable in another strategy's run", assign_in_other_run },
    { "contexts: outside, in scope, in run", contexts },
    { "MirroredStrategy with a device named twice", make_mirrored },
    { "MirroredStrategy with an unknown device", make_mirrored },
    { "MirroredStrategy with no devices", make_mirrored },
    { "OneDeviceStrategy('/cpu:1') properties and the device of a variable",
      properties_of_one_device },
    { "OneDeviceStrategy('*", make_one_device },
    { "role flags", role_flags },
    { NULL, NULL },
};
