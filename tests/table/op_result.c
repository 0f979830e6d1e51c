/* SPDX-License-Identifier: BSD-3-Clause */
/* Containers: what run gives, local results, values from a function. */
#include "config.h"

#include "tests/table/table.h"

#include <string.h>

/* ---- "container that run gives for ...": Python's name of what one replica returns, and the same
 * here. A text is uint8; a list or a tuple is as many values. */

typedef struct form {
    const char *name;
    cohort_dtype dtype;
} form;
static const form int_form = { "int", COHORT_I64 }, bool_form = { "bool", COHORT_BOOL },
                  numpy_form = { "float32", COHORT_F32 }, id_form = { "EagerTensor", COHORT_I32 },
                  tensor_form = { "EagerTensor", COHORT_F32 }, text_form = { "str", COHORT_U8 };

enum { FORMS = 3 };

typedef struct giving {
    int n;
    const form *forms[FORMS];
    cohort_value *values[FORMS];
} giving;

static cohort_status give_all(cohort_replica *me, void *user)
{
    static char content[16] = { 1 };
    giving *it = user;
    cohort_status status = COHORT_OK;
    for (int k = 0; k < it->n && status == COHORT_OK; k++) {
        cohort_array one = { .data = content, .dtype = it->forms[k]->dtype, .shape = { 1 } };
        one.rank = one.dtype == COHORT_U8;
        status = cohort_replica_set(me, it->values[k], one);
    }
    return status;
}

/* The form of each value, and of what each replica has of each. */
static bool forms_of(table_case *c, giving *it, json_t *kinds[FORMS],
                     json_t *local[FORMS][TABLE_MAX_REPLICAS])
{
    cohort_array arrays[TABLE_MAX_REPLICAS];
    for (int k = 0; k < it->n; k++)
        it->values[k] = cohort_value_create(c->s);
    if (table_step(c, give_all, it) != COHORT_OK)
        return false;
    for (int k = 0; k < it->n; k++) {
        bool is_per_replica = cohort_value_kind_of(it->values[k]) == COHORT_PER_REPLICA_VALUE;
        if (cohort_local_results(it->values[k], arrays, TABLE_MAX_REPLICAS) != c->replicas)
            return table_failed(c) != NULL;
        kinds[k] = json_string(is_per_replica ? "PerReplica" : "?");
        for (int r = 0; r < c->replicas; r++)
            local[k][r] =
                json_string(arrays[r].dtype == it->forms[k]->dtype ? it->forms[k]->name : "?");
    }
    return true;
}

static json_t *as_it_is(json_t *const parts[FORMS])
{
    return parts[0];
}

static json_t *as_list_of_three(json_t *const parts[FORMS])
{
    return json_pack("[o, o, o]", parts[0], parts[1], parts[2]);
}

static json_t *as_dict_and_number(json_t *const parts[FORMS])
{
    return json_pack("[{s:o}, o]", "a", parts[0], parts[1]);
}

static const struct container {
    const char *kind;
    json_t *(*shape)(json_t *const parts[FORMS]);
    const form *forms[FORMS];
} containers[] = {
    { "python-int", as_it_is, { &int_form } },
    { "python-id", as_it_is, { &int_form } },
    { "bool", as_it_is, { &bool_form } },
    { "numpy", as_it_is, { &numpy_form } },
    { "replica-id", as_it_is, { &id_form } },
    { "captured-tensor", as_it_is, { &tensor_form } },
    { "fresh-equal-tensor", as_it_is, { &tensor_form } },
    { "string", as_it_is, { &text_form } },
    { "list", as_list_of_three, { &int_form, &tensor_form, &id_form } },
    { "tuple-dict", as_dict_and_number, { &tensor_form, &int_form } },
};
enum { CONTAINERS = sizeof containers / sizeof *containers };

static json_t *container(table_case *c, const struct container *which)
{
    giving it = { .n = 0 };
    json_t *kinds[FORMS], *local[FORMS][TABLE_MAX_REPLICAS], *results = json_array();
    while (it.n < FORMS && which->forms[it.n] != NULL) {
        it.forms[it.n] = which->forms[it.n];
        it.n++;
    }
    if (!forms_of(c, &it, kinds, local))
        return json_decref(results), NULL;
    for (int r = 0; r < c->replicas; r++) {
        json_t *own[FORMS];
        for (int k = 0; k < it.n; k++)
            own[k] = local[k][r];
        json_array_append_new(results, which->shape(own));
    }
    return json_pack("{s:o, s:o}", "form", which->shape(kinds), "local_results", results);
}

static json_t *container_of(table_case *c)
{
    static const char *const absent[] = { "none", "variable", "empty-list" };
    for (int i = 0; i < CONTAINERS; i++)
        if (table_rest_is(c, containers[i].kind))
            return container(c, &containers[i]);
    for (int i = 0; i < 3; i++)
        if (table_rest_is(c, absent[i]))
            return table_skipped(c,
                                 "no counterpart: a function gives values, and writes variables");
    return NULL;
}

/* ---- Local results. */

static cohort_value *floats_by_id(table_case *c, int factor)
{
    cohort_array *arrays = table_memory(c, (size_t)c->replicas * sizeof *arrays);
    for (int r = 0; r < c->replicas; r++)
        arrays[r] = table_scalar(c, factor * r, COHORT_F32);
    return cohort_value_per_replica(c->s, arrays);
}

static json_t *tuple_of(table_case *c, const cohort_array arrays[], int n)
{
    if (n < 0)
        return table_failed(c);
    json_t *list = json_array();
    for (int i = 0; i < n && i < TABLE_MAX_REPLICAS; i++)
        json_array_append_new(list, table_tensor(&arrays[i]));
    return json_pack("{s:o}", "tuple", list);
}

static json_t *local_results_of_number(table_case *c)
{
    cohort_array array;
    if (cohort_local_results(3, &array, 1) != 1)
        return table_failed(c);
    return json_pack("{s:[{s:o}]}", "tuple", "value", table_decode(array.data, array.dtype));
}

static json_t *local_results_of_plain(table_case *c)
{
    cohort_array array;
    int n =
        cohort_local_results(cohort_value_plain(c->s, table_scalar(c, 1, COHORT_F32)), &array, 1);
    return tuple_of(c, &array, n);
}

static json_t *local_results_of_value(table_case *c)
{
    cohort_array arrays[TABLE_MAX_REPLICAS];
    int n = cohort_local_results(floats_by_id(c, 1), arrays, TABLE_MAX_REPLICAS);
    return tuple_of(c, arrays, n);
}

/* Lists and dictionaries are lists of values here; `shape` makes of one replica's entries what
 * Python had. */
static json_t *local_results_of_list(table_case *c, const cohort_argument list[], int n,
                                     json_t *(*shape)(const cohort_array entries[]))
{
    cohort_array arrays[4 * TABLE_MAX_REPLICAS];
    int replicas = cohort_local_results_list(c->s, list, n, arrays, 4 * TABLE_MAX_REPLICAS);
    json_t *tuple = json_array();
    if (replicas < 0)
        return json_decref(tuple), table_failed(c);
    for (int r = 0; r < replicas && r < TABLE_MAX_REPLICAS; r++)
        json_array_append_new(tuple, shape(&arrays[r * n]));
    return json_pack("{s:o}", "tuple", tuple);
}

static json_t *as_pair(const cohort_array entries[])
{
    return json_pack("{s:[o, o]}", "list", table_tensor(&entries[0]), table_tensor(&entries[1]));
}

static json_t *as_nest(const cohort_array entries[])
{
    return json_pack("{s:{s:o, s:{s:[o, {s:o}]}}}", "dict", "a", table_tensor(&entries[0]), "b",
                     "list", table_tensor(&entries[1]), "value",
                     table_decode(entries[2].data, entries[2].dtype));
}

static json_t *as_dict(const cohort_array entries[])
{
    return json_pack("{s:{s:{s:o}}}", "dict", "a", "value",
                     table_decode(entries[0].data, entries[0].dtype));
}

static json_t *local_results_of_pair(table_case *c)
{
    const cohort_value *x = floats_by_id(c, 1), *y = floats_by_id(c, 10);
    const cohort_argument list[] = { COHORT_ARG_(x), COHORT_ARG_(y) };
    return local_results_of_list(c, list, 2, as_pair);
}

static json_t *local_results_of_nest(table_case *c)
{
    const cohort_value *x = floats_by_id(c, 1), *y = floats_by_id(c, 10);
    const cohort_argument list[] = { COHORT_ARG_(x), COHORT_ARG_(y), COHORT_ARG_(5) };
    return local_results_of_list(c, list, 3, as_nest);
}

static json_t *local_results_of_dict(table_case *c)
{
    const cohort_argument list[] = { COHORT_ARG_(1) };
    return local_results_of_list(c, list, 1, as_dict);
}

/* unwrap is the same call; group gives one thing to wait for. */
static json_t *unwrap_and_group(table_case *c)
{
    cohort_value *x = floats_by_id(c, 1), *group;
    cohort_array arrays[TABLE_MAX_REPLICAS], five;
    int n = cohort_unwrap(x, arrays, TABLE_MAX_REPLICAS), n_five = cohort_unwrap(5.0, &five, 1);
    json_t *unwrapped = json_array(), *plain = json_array();
    if (n != c->replicas || n_five != 1 || (group = cohort_group(c->s, "group", &x, 1)) == NULL ||
        cohort_value_wait(group, -1) != COHORT_OK)
        return json_decref(unwrapped), json_decref(plain), table_failed(c);
    for (int r = 0; r < n; r++)
        json_array_append_new(unwrapped, json_real((double)*(const float *)arrays[r].data + 1));
    json_array_append_new(plain, table_numbers(&five));
    return json_pack("{s:o, s:o, s:s, s:s}", "unwrap", unwrapped, "unwrap_plain", plain,
                     "group_kind", "Operation", "unwrap_type", "tuple");
}

/* ---- Values from a function. */

typedef struct from_function {
    int factor, first;
    int32_t x;
} from_function;

static cohort_status give(int replica, int num_replicas, cohort_array *out, void *user)
{
    from_function *it = user;
    it->x = it->factor * replica + it->first * num_replicas;
    *out = (cohort_array){ .data = &it->x, .dtype = COHORT_I32 };
    return COHORT_OK;
}

static json_t *container_from(table_case *c, int factor, int first)
{
    from_function it = { factor, first, 0 };
    cohort_value *value = cohort_value_from_function(c->s, give, &it);
    return value == NULL ? table_failed(c) : table_container(c, value);
}

static json_t *from_function_of_id_and_count(table_case *c)
{
    return container_from(c, 10, 1);
}

static json_t *numbers_from_function(table_case *c)
{
    return container_from(c, 1, 0);
}

static json_t *dict_from_function(table_case *c)
{
    json_t *found = container_from(c, 1, 0);
    return found == NULL ? NULL : json_pack("{s:{s:o}}", "dict", "a", found);
}

const table_operation table_result_operations[] = {
    { "container that run gives for *", container_of },
    { "experimental_local_results of python", local_results_of_number },
    { "experimental_local_results of plain-tensor", local_results_of_plain },
    { "experimental_local_results of a per-replica value", local_results_of_value },
    { "experimental_local_results of [per-replica, per-replica]", local_results_of_pair },
    { "experimental_local_results of {a:per-replica, b:[per-replica, 5]}", local_results_of_nest },
    { "experimental_local_results of dict", local_results_of_dict },
    { "unwrap, group", unwrap_and_group },
    { "distribute_values_from_function(10*id + R)", from_function_of_id_and_count },
    { "distribute_values_from_function giving python numbers", numbers_from_function },
    { "distribute_values_from_function giving a dict", dict_from_function },
    { NULL, NULL },
};
