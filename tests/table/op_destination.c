/* SPDX-License-Identifier: BSD-3-Clause */
/* reduce_to, batch_reduce_to and broadcast_to: to chosen devices. */
#include "config.h"

#include "tests/table/table.h"

#include <string.h>

/* One item, or one list of copies, behind the other; NULL when `part` is. */
static bool append(json_t *list, json_t *part)
{
    return part != NULL && json_array_append_new(list, part) == 0;
}

static json_t *broadcast(table_case *c)
{
    double number;
    if (!table_number(c, "value", &number))
        return NULL;
    cohort_variable *v = table_variable(c, table_scalar(c, 0, COHORT_F32), NULL, NULL);
    cohort_value *into = cohort_value_create(c->s);
    if (v == NULL)
        return NULL;
    if (strcmp(c->op, "broadcast_to(python float)") == 0) {
        cohort_status status = cohort_broadcast(c->s, number, COHORT_AT(v), into);
        return status == COHORT_OK ? json_pack("{s:f}", "value", cohort_value_scalar(into))
                                   : table_failed(c);
    }
    cohort_array content = table_scalar(c, number, COHORT_F32);
    return cohort_broadcast(c->s, content, COHORT_AT(v), into) == COHORT_OK
               ? table_copies(c, into, table_copies_of_variable(c))
               : table_failed(c);
}

static json_t *reduce_to_itself(table_case *c)
{
    double init;
    cohort_value *into = cohort_value_create(c->s);
    if (!table_number(c, "init", &init))
        return NULL;
    cohort_reduce_op op = strstr(c->op, "MEAN") != NULL ? COHORT_MEAN : COHORT_SUM;
    cohort_variable *v = table_variable(c, table_scalar(c, init, COHORT_F32), NULL, NULL);
    if (v == NULL)
        return NULL;
    return cohort_reduce_to(op, v, COHORT_AT(v), into) == COHORT_OK
               ? table_copies(c, into, table_copies_of_variable(c))
               : table_failed(c);
}

/* The same sum by reduce, reduce_to and batch_reduce_to. */
static json_t *reduce_three_ways(table_case *c)
{
    cohort_value *x = table_value(c, "per_replica"), *into[3];
    cohort_variable *v = table_variable(c, table_scalar(c, 0, COHORT_F32), NULL, NULL);
    const cohort_reduce_op op = table_op(c, NULL);
    if (x == NULL || v == NULL)
        return NULL;
    for (int i = 0; i < 3; i++)
        into[i] = cohort_value_create(c->s);
    const cohort_argument at = COHORT_AT(v);
    if (cohort_reduce(op, x, COHORT_NO_AXIS, into[0]) != COHORT_OK ||
        cohort_reduce_to(op, x, at, into[1]) != COHORT_OK ||
        cohort_batch_reduce_to(op, 1, &x, &at, &into[2]) != COHORT_OK)
        return table_failed(c);
    json_t *list = json_array();
    for (int i = 0; i < 3; i++)
        if (!append(list, table_plain(c, into[i])))
            return json_decref(list), NULL;
    return json_pack("{s:o}", "list", list);
}

/* ---- batch_reduce_to: "mirrored" is where a value of all replicas lies, "var" where a variable
 * lives, "cpu" a device.
 */

static bool destination(table_case *c, const json_t *name, cohort_variable *v, cohort_argument *out)
{
    const cohort_device *first = NULL;
    cohort_array *arrays = table_memory(c, (size_t)c->replicas * sizeof *arrays);
    const char *text = json_string_value(name);
    if (text != NULL && strcmp(text, "var") == 0)
        *out = COHORT_AT(v);
    else if (text != NULL && strcmp(text, "cpu") == 0 &&
             cohort_strategy_devices(c->s, &first, 1) > 0)
        *out = COHORT_AT(cohort_device_id(first));
    else if (text != NULL && strcmp(text, "mirrored") == 0) {
        for (int r = 0; r < c->replicas; r++)
            arrays[r] = table_scalar(c, 0, COHORT_F32);
        *out = COHORT_AT(cohort_value_per_replica(c->s, arrays));
    } else
        return table_malformed(c, "destination \"%s\"", text == NULL ? "?" : text) != NULL;
    return true;
}

/* As many copies as the row wants of this destination: one of one copy, else one for each
 * replica. */
static json_t *copies_at(table_case *c, cohort_value *value, const json_t *name)
{
    bool is_everywhere = strcmp(json_string_value(name), "mirrored") == 0;
    json_t *copies =
        table_copies(c, value, is_everywhere ? c->replicas : table_copies_of_variable(c));
    json_t *list = json_array(), *copy;
    size_t i;
    json_array_foreach(json_object_get(copies, "list"), i, copy)
        json_array_append(list, json_array_get(json_object_get(copy, "data"), 0));
    json_decref(copies);
    return copies == NULL ? (json_decref(list), NULL) : list;
}

enum { BATCH = 16 };

static json_t *batch_reduce(table_case *c, cohort_reduce_op op, cohort_variable *v)
{
    const json_t *values = table_arg(c, "values"), *names = table_arg(c, "destinations");
    cohort_value *x[BATCH], *into[BATCH];
    cohort_argument at[BATCH];
    size_t n = json_array_size(values);
    if (n > BATCH || n != json_array_size(names))
        return table_malformed(c, "%zu values, %zu destinations", n, json_array_size(names));
    for (size_t i = 0; i < n; i++) {
        cohort_array *arrays =
            table_per_replica(c, json_array_get(values, i), table_args_dtype(c, COHORT_F32));
        if (arrays == NULL || !destination(c, json_array_get(names, i), v, &at[i]))
            return NULL;
        x[i] = cohort_value_per_replica(c->s, arrays);
        into[i] = cohort_value_create(c->s);
    }
    if (cohort_batch_reduce_to(op, (int)n, x, at, into) != COHORT_OK)
        return table_failed(c);
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++)
        if (!append(list, copies_at(c, into[i], json_array_get(names, i))))
            return json_decref(list), NULL;
    return list;
}

static json_t *batch_reduce_to(table_case *c)
{
    cohort_variable *v = table_variable(c, table_scalar(c, 0, COHORT_F32), NULL, NULL);
    json_t *sum = v == NULL ? NULL : batch_reduce(c, COHORT_SUM, v);
    json_t *mean = sum == NULL ? NULL : batch_reduce(c, COHORT_MEAN, v);
    if (mean != NULL)
        return json_pack("{s:o, s:o}", "sum", sum, "mean", mean);
    json_decref(sum);
    return NULL;
}

/* ---- Destinations that are none. */

static json_t *reduce_to_nowhere(table_case *c)
{
    static const struct {
        const char *name, *text;
    } nowhere[] = {
        { "empty-string", "" }, { "number", "3" }, { "other-worker", "worker1:0" }, { "none", NULL }
    };
    cohort_value *x = table_value(c, "per_replica"), *into = cohort_value_create(c->s);
    for (size_t i = 0; i < sizeof nowhere / sizeof *nowhere && x != NULL; i++)
        if (table_rest_is(c, nowhere[i].name)) {
            c->named = nowhere[i].text;
            return cohort_reduce_to(table_op(c, NULL), x, COHORT_AT(nowhere[i].text), into) ==
                           COHORT_OK
                       ? table_plain(c, into)
                       : table_failed(c);
        }
    return NULL;
}

/* All devices of the strategy. */
static json_t *reduce_to_list(table_case *c)
{
    const cohort_device *devices[TABLE_MAX_REPLICAS];
    char list[TABLE_TEXT] = "";
    cohort_value *x = table_value(c, "per_replica"), *into = cohort_value_create(c->s);
    int n = cohort_strategy_devices(c->s, devices, TABLE_MAX_REPLICAS);
    for (int i = 0; i < n; i++) {
        size_t at = strlen(list);
        (void)snprintf(list + at, sizeof list - at, "%s%s", i > 0 ? "," : "",
                       cohort_device_id(devices[i]));
    }
    if (x == NULL)
        return NULL;
    return cohort_reduce_to(table_op(c, NULL), x, COHORT_AT(list), into) == COHORT_OK
               ? table_copies(c, into, table_copies_of_variable(c))
               : table_failed(c);
}

const table_operation table_destination_operations[] = {
    { "broadcast_to(1.0, variable)", broadcast },
    { "broadcast_to(python float)", broadcast },
    { "reduce_to with destinations=list", reduce_to_list },
    { "reduce_to with destinations=*", reduce_to_nowhere },
    { "reduce_to MEAN of a variable to itself", reduce_to_itself },
    { "reduce_to SUM of a variable to itself", reduce_to_itself },
    { "reduce, reduce_to, batch_reduce_to with a string op", reduce_three_ways },
    { "batch_reduce_to", batch_reduce_to },
    { NULL, NULL },
};
