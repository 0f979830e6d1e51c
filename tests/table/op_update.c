/* SPDX-License-Identifier: BSD-3-Clause */
/* update: a function runs where a variable lives, once for each copy. */
#include "config.h"

#include "tests/table/table.h"

#include <string.h>

COHORT_ITEMS(table_add, i, n, (int64_t n, const float x[n], float v[n]), { v[i] += x[i]; });
COHORT_ITEMS(table_set, i, n, (int64_t n, float x, COHORT_OUT float v[n]), { v[i] = x; });
COHORT_ITEMS(table_times, i, n, (int64_t n, float x, const float v[n], COHORT_OUT float y[n]),
             { y[i] = x * v[i]; });

static cohort_array vector_of_one(table_case *c, double x)
{
    cohort_array array = table_scalar(c, x, COHORT_F32);
    array.shape[array.rank++] = 1;
    return array;
}

static cohort_variable *initialized(table_case *c)
{
    double init = 0;
    return table_number(c, "init", &init) ? table_variable(c, vector_of_one(c, init), NULL, NULL)
                                          : NULL;
}

/* The variable is a vector of one, for functions take arrays: its numbers as Python had them,
 * scalars. */
static json_t *scalar_state(table_case *c, cohort_variable *v)
{
    static const char *const lists[] = { "components", "replica_read" };
    json_t *state = table_state(c, v), *part;
    size_t i;
    if (state == NULL)
        return NULL;
    for (int k = 0; k < 2; k++)
        json_array_foreach(json_object_get(state, lists[k]), i, part)
            json_array_set(json_object_get(state, lists[k]), i, json_array_get(part, 0));
    json_object_set(state, "cross_read", json_array_get(json_object_get(state, "cross_read"), 0));
    return state;
}

static json_t *updated(table_case *c, cohort_variable *v, cohort_status status)
{
    if (status != COHORT_OK || cohort_wait(c->s) != COHORT_OK)
        return table_failed(c);
    return scalar_state(c, v);
}

/* assign_add of 3, of another variable that is 4, of i + 1 on replica i. */
static json_t *update_by(table_case *c)
{
    cohort_variable *v = initialized(c);
    if (v == NULL)
        return NULL;
    if (table_rest_is(c, "plain,))"))
        return updated(
            c, v, cohort_update(v, table_add, cohort_value_plain(c->s, vector_of_one(c, 3)), v));
    if (table_rest_is(c, "mirrored,))"))
        return updated(c, v,
                       cohort_update(v, table_add,
                                     cohort_variable_create(c->s, "by", vector_of_one(c, 4), NULL),
                                     v));
    if (!table_rest_is(c, "per-replica,))"))
        return NULL;
    cohort_array *arrays = table_memory(c, (size_t)c->replicas * sizeof *arrays);
    for (int r = 0; r < c->replicas; r++)
        arrays[r] = vector_of_one(c, r + 1);
    return updated(c, v, cohort_update(v, table_add, cohort_value_per_replica(c->s, arrays), v));
}

static json_t *update_to_one(table_case *c)
{
    cohort_variable *v = initialized(c);
    return v == NULL ? NULL : updated(c, v, cohort_update(v, table_set, 1.0f, v));
}

/* The copies afterwards, one by one. */
static json_t *update_ungrouped(table_case *c)
{
    cohort_variable *v = initialized(c);
    cohort_status status =
        v == NULL ? COHORT_EINVAL
                  : cohort_update(v, table_add, cohort_value_plain(c->s, vector_of_one(c, 2)), v);
    json_t *state = v == NULL ? NULL : updated(c, v, status), *list = json_array(), *component;
    size_t i;
    json_array_foreach(json_object_get(state, "components"), i, component)
    {
        const cohort_array array = table_scalar(c, json_number_value(component), COHORT_F32);
        json_array_append_new(list, table_tensor(&array));
    }
    bool is_good = state != NULL;
    json_decref(state);
    return is_good ? json_pack("{s:s, s:{s:o}}", "form", "tuple", "value", "tuple", list)
                   : (json_decref(list), NULL);
}

/* What the function gives for each component: 10 times what is there, 2.0. */
static json_t *update_gives(table_case *c)
{
    cohort_variable *v = table_variable(c, vector_of_one(c, 2), NULL, NULL);
    cohort_variable *y = cohort_variable_create(c->s, "result", vector_of_one(c, 0),
                                                &(cohort_variable_options){ .colocate_with = v });
    json_t *state = y == NULL ? NULL : updated(c, y, cohort_update(v, table_times, 10.0f, v, y));
    json_t *list = json_array(), *component;
    size_t i;
    json_array_foreach(json_object_get(state, "components"), i, component)
    {
        const cohort_array array = table_scalar(c, json_number_value(component), COHORT_F32);
        json_array_append_new(list, table_tensor(&array));
    }
    bool is_good = state != NULL;
    json_decref(state);
    return is_good ? json_pack("{s:o}", "list", list) : (json_decref(list), table_failed(c));
}

typedef struct updating {
    cohort_variable *v;
    cohort_value *by;
} updating;

static cohort_status update_here(cohort_replica *me, void *user)
{
    updating *it = user;
    return cohort_replica_update(me, it->v, table_add, it->by, it->v);
}

static json_t *update_in_replica(table_case *c)
{
    updating it = { initialized(c), cohort_value_plain(c->s, vector_of_one(c, 2)) };
    return it.v != NULL && table_step(c, update_here, &it) == COHORT_OK ? scalar_state(c, it.v)
                                                                        : NULL;
}

const table_operation table_update_operations[] = {
    { "extended.update(v, assign_add, args=(*", update_by },
    { "extended.update(v, assign 1.0)", update_to_one },
    { "extended.update(group=False)", update_ungrouped },
    { "extended.update called in a replica fn", update_in_replica },
    { "update ctx: fn gets each component; returns value*10", update_gives },
    { NULL, NULL },
};
