/* SPDX-License-Identifier: BSD-3-Clause */
/* What came out of calls, in the form of the table. */
#include "config.h"

#include "tests/table/table.h"

#include <string.h>

/* The element behind `index`, which counts in row-major order. */
static const char *element(const cohort_array *array, int64_t index)
{
    int64_t offset = 0, step = 1;
    for (int i = array->rank - 1; i >= 0; i--) {
        offset += index % array->shape[i] * (array->strides[i] != 0 ? array->strides[i] : step);
        index /= array->shape[i];
        step *= array->shape[i];
    }
    return (const char *)array->data + offset * cohort_dtype_bytes(array->dtype);
}

static int64_t elements(const cohort_array *array)
{
    int64_t n = 1;
    for (int i = 0; i < array->rank; i++)
        n *= array->shape[i];
    return n;
}

json_t *table_tensor(const cohort_array *array)
{
    json_t *shape = json_array(), *data = json_array();
    for (int i = 0; i < array->rank; i++)
        json_array_append_new(shape, json_integer(array->shape[i]));
    for (int64_t i = 0, n = elements(array); i < n; i++)
        json_array_append_new(data, table_decode(element(array, i), array->dtype));
    return json_pack("{s:s, s:o, s:o}", "dtype", cohort_dtype_name(array->dtype), "shape", shape,
                     "data", data);
}

static json_t *nested(const cohort_array *array, int axis, int64_t first, int64_t n)
{
    if (axis == array->rank)
        return table_decode(element(array, first), array->dtype);
    json_t *list = json_array();
    for (int64_t i = 0, part = array->shape[axis] == 0 ? 0 : n / array->shape[axis];
         i < array->shape[axis]; i++)
        json_array_append_new(list, nested(array, axis + 1, first + i * part, part));
    return list;
}

json_t *table_numbers(const cohort_array *array)
{
    return nested(array, 0, 0, elements(array));
}

json_t *table_container_of(const char *name, json_t *values)
{
    return json_pack("{s:s, s:o}", "container", name, "values", values);
}

/* ---- Values. */

json_t *table_plain(table_case *c, cohort_value *value)
{
    cohort_array array;
    int n = cohort_local_results(value, &array, 1);
    if (n == 1)
        return table_tensor(&array);
    return n < 0 ? table_failed(c) : table_malformed(c, "%d local results of what is plain", n);
}

json_t *table_copies(table_case *c, cohort_value *value, int n)
{
    json_t *content = table_plain(c, value), *list = json_array();
    for (int i = 0; i < n && content != NULL; i++)
        json_array_append(list, content);
    json_decref(content);
    if (content == NULL)
        json_decref(list);
    return content == NULL ? NULL : json_pack("{s:o}", "list", list);
}

json_t *table_container(table_case *c, cohort_value *value)
{
    cohort_array arrays[TABLE_MAX_REPLICAS];
    int n = cohort_local_results(value, arrays, TABLE_MAX_REPLICAS);
    bool is_shared = n == 1 && cohort_value_kind_of(value) != COHORT_PER_REPLICA_VALUE;
    if (n < 0)
        return table_failed(c);
    if (n != c->replicas && !is_shared)
        return table_malformed(c, "%d local results of %d replicas", n, c->replicas);
    json_t *values = json_array();
    for (int r = 0; r < c->replicas; r++)
        json_array_append_new(values, table_tensor(&arrays[is_shared ? 0 : r]));
    return table_container_of("PerReplica", values);
}

/* ---- Variables: {"components", "cross_read", "dtype", "replica_read"}. */

int table_copies_of_variable(const table_case *c)
{
    return strncmp(c->strategy_name, "central", 7) == 0 ? 1 : c->replicas;
}

/* The device, as a place in the list, that hosts a replica. */
static int host_of(const table_case *c, int replica)
{
    int d = 0;
    for (int first = 0; replica >= (first += cohort_strategy_hosted(c->s, d)); d++)
        continue;
    return d;
}

/* One component for each replica: of the copy that its device has. */
static json_t *components(table_case *c, cohort_variable *v, int wanted)
{
    cohort_array arrays[TABLE_MAX_REPLICAS];
    cohort_copy copies[TABLE_MAX_REPLICAS];
    int n = cohort_local_results(v, arrays, TABLE_MAX_REPLICAS);
    int placed = cohort_variable_copies(v, copies, TABLE_MAX_REPLICAS);
    if (n < 0 || placed < 0)
        return table_failed(c);
    if (n > TABLE_MAX_REPLICAS || (n != placed && n != wanted))
        return table_malformed(c, "%d local results of %d copies", n, placed);
    json_t *list = json_array();
    for (int r = 0; r < wanted; r++) {
        int i = n == wanted ? r : n - 1;
        for (int k = 0; n != wanted && k < n; k++)
            if (copies[k].device == host_of(c, r))
                i = k;
        json_array_append_new(list, table_numbers(&arrays[i]));
    }
    return list;
}

static cohort_array room(table_case *c, cohort_variable *v)
{
    cohort_array array = { .rank = cohort_variable_shape(v, NULL, NULL) };
    (void)cohort_variable_shape(v, &array.dtype, array.shape);
    array.data = table_memory(c, (size_t)(elements(&array) * cohort_dtype_bytes(array.dtype)));
    return array;
}

static json_t *cross_read(table_case *c, cohort_variable *v)
{
    cohort_array array = room(c, v);
    if (cohort_variable_read(v, array) == COHORT_OK)
        return table_numbers(&array);
    json_t *refusal = json_pack("{s:{s:s}}", "error", "text", cohort_error_text());
    (void)cohort_strategy_recover(c->s); /* what is looked at next is as it was */
    return refusal;
}

typedef struct reading {
    cohort_variable *v;
    cohort_array *rooms;
} reading;

static cohort_status read_own(cohort_replica *me, void *user)
{
    reading *it = user;
    return cohort_variable_read(it->v, it->rooms[cohort_replica_id(me)]);
}

static json_t *replica_read(table_case *c, cohort_variable *v)
{
    reading it = { .v = v, .rooms = table_memory(c, (size_t)c->replicas * sizeof *it.rooms) };
    for (int r = 0; r < c->replicas; r++)
        it.rooms[r] = room(c, v);
    if (table_step(c, read_own, &it) != COHORT_OK)
        return NULL;
    json_t *list = json_array();
    for (int r = 0; r < c->replicas; r++)
        json_array_append_new(list, table_numbers(&it.rooms[r]));
    return list;
}

json_t *table_state(table_case *c, cohort_variable *v)
{
    return table_state_of(c, v, table_copies_of_variable(c));
}

json_t *table_state_of(table_case *c, cohort_variable *v, int wanted)
{
    cohort_dtype dtype = COHORT_VOID;
    json_t *state = json_object(), *found = NULL;
    (void)cohort_variable_shape(v, &dtype, NULL);
    json_object_set_new(state, "dtype", json_string(cohort_dtype_name(dtype)));
    json_object_set_new(state, "cross_read", cross_read(c, v));
    if ((found = components(c, v, wanted)) != NULL &&
        json_object_set_new(state, "components", found) == 0 &&
        (found = replica_read(c, v)) != NULL &&
        json_object_set_new(state, "replica_read", found) == 0)
        return state;
    json_decref(state);
    return NULL;
}
