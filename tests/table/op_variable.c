/* SPDX-License-Identifier: BSD-3-Clause */
/* Variables: making them, and what is read of those that every replica writes for itself. */
#include "config.h"

#include "tests/table/table.h"

#include <string.h>

enum { NO_SUCH_MODE = 99 };

/* Cohort has no NONE, and nobody anything "invalid". */
static cohort_synchronization synchronization_of(table_case *c, const char *name)
{
    static const char *const names[] = { "AUTO", "ON_WRITE", "ON_READ", "NONE" };
    for (int i = 0; i < 4; i++)
        if (name == NULL || strcmp(name, names[i]) == 0)
            return (cohort_synchronization)(i < 3 ? i : NO_SUCH_MODE);
    (void)table_malformed(c, "synchronization \"%s\"", name);
    return COHORT_AUTO;
}

static cohort_aggregation aggregation_of(table_case *c, const char *name)
{
    static const char *const names[] = { "NONE", "SUM", "MEAN", "ONLY_FIRST_REPLICA", "invalid" };
    for (int i = 0; i < 5; i++)
        if (name == NULL || strcmp(name, names[i]) == 0)
            return (cohort_aggregation)(i < 4 ? i : NO_SUCH_MODE);
    (void)table_malformed(c, "aggregation \"%s\"", name);
    return COHORT_AGGREGATE_NONE;
}

cohort_variable *table_variable(table_case *c, cohort_array initial, const char *synchronization,
                                const char *aggregation)
{
    const cohort_variable_options options = { .synchronization =
                                                  synchronization_of(c, synchronization),
                                              .aggregation = aggregation_of(c, aggregation) };
    cohort_variable *v = initial.data == NULL
                             ? NULL
                             : cohort_variable_create(c->s, TABLE_VARIABLE, initial, &options);
    if (v == NULL && initial.data != NULL)
        (void)table_failed(c);
    return v;
}

/* ---- Making. */

static json_t *made(table_case *c, const char *synchronization, const char *aggregation)
{
    cohort_variable *v =
        table_variable(c, table_scalar(c, 1, COHORT_F32), synchronization, aggregation);
    return v == NULL ? NULL : table_state(c, v);
}

static json_t *make_unsynchronized(table_case *c)
{
    return made(c, "NONE", NULL);
}

static json_t *make_badly_aggregated(table_case *c)
{
    return made(c, strncmp(c->op, "ON_READ", 7) == 0 ? "ON_READ" : NULL, "invalid");
}

static json_t *owned(table_case *c)
{
    cohort_array component;
    cohort_variable *v = table_variable(c, table_scalar(c, 1, COHORT_F32), NULL, NULL), *foreign;
    cohort_strategy *other = v == NULL ? NULL : table_open_another(c);
    if (other == NULL)
        return NULL;
    foreign = cohort_variable_create(other, "foreign", table_scalar(c, 1, COHORT_F32), NULL);
    int n = cohort_local_results(v, &component, 1);
    json_t *found = json_pack("{s:b, s:b, s:b}", "container_of_component_is_v",
                              n > 0 && cohort_value_container(c->s, component) == v, "in_scope",
                              cohort_variable_strategy(v) == c->s, "foreign_in_scope",
                              cohort_variable_strategy(foreign) == c->s);
    cohort_strategy_destroy(other);
    return found;
}

static json_t *colocated(table_case *c, cohort_strategy *owner)
{
    cohort_variable *with =
        cohort_variable_create(owner, "with", table_scalar(c, 1, COHORT_F32), NULL);
    cohort_variable *v =
        cohort_variable_create(c->s, TABLE_VARIABLE, table_scalar(c, 2, COHORT_F32),
                               &(cohort_variable_options){ .colocate_with = with });
    return v == NULL ? table_failed(c) : table_state(c, v);
}

static json_t *colocate_own(table_case *c)
{
    return colocated(c, c->s);
}

static json_t *colocate_foreign(table_case *c)
{
    cohort_strategy *other = table_open_another(c);
    json_t *found = other == NULL ? NULL : colocated(c, other);
    cohort_strategy_destroy(other);
    return found;
}

/* ---- Created by all replicas, each with a content of its own: the first one's counts. */

typedef struct creating {
    table_case *c;
    cohort_variable *v;
} creating;

static cohort_status create_here(cohort_replica *me, void *user)
{
    creating *it = user;
    float own = (float)(7919 * (cohort_replica_id(me) + 1) % 1000) / 1000;
    const cohort_array initial = { .data = &own, .dtype = COHORT_F32 };
    cohort_variable *v =
        cohort_variable_create(cohort_replica_strategy(me), TABLE_VARIABLE, initial, NULL);
    if (cohort_replica_id(me) == 0)
        it->v = v;
    return v == NULL ? COHORT_EINVAL : COHORT_OK;
}

static json_t *create_in_run(table_case *c)
{
    creating it = { .c = c };
    if (table_step(c, create_here, &it) != COHORT_OK)
        return NULL;
    json_t *state = table_state(c, it.v), *components = json_object_get(state, "components"),
           *component;
    bool are_equal = true;
    size_t i;
    json_array_foreach(components, i, component) are_equal =
        are_equal && json_equal(component, json_array_get(components, 0));
    json_t *found = state == NULL
                        ? NULL
                        : json_pack("{s:b, s:s, s:i}", "components_equal", are_equal, "type",
                                    table_copies_of_variable(c) == 1 ? "AggregatingVariable"
                                                                     : "MirroredVariable",
                                    "n", (int)json_array_size(components));
    json_decref(state);
    return found;
}

/* ---- Every replica assigns its own number. */

typedef struct assigning {
    cohort_variable *v;
    int power; /* i, or i * i + 1 */
} assigning;

static cohort_status assign_by_id(cohort_replica *me, void *user)
{
    assigning *it = user;
    int id = cohort_replica_id(me);
    return cohort_variable_assign(it->v, it->power == 2 ? id * id + 1 : id);
}

/* args.init, or 0. */
static cohort_array initial(table_case *c, cohort_dtype dtype)
{
    const json_t *init = table_arg(c, "init");
    return init == NULL ? table_scalar(c, 0, dtype) : table_array(c, init, dtype);
}

static cohort_variable *assigned(table_case *c, const char *aggregation, int power,
                                 cohort_dtype dtype)
{
    assigning it = { table_variable(c, initial(c, dtype), "ON_READ", aggregation), power };
    return it.v == NULL || table_step(c, assign_by_id, &it) != COHORT_OK ? NULL : it.v;
}

static json_t *read_whole(table_case *c, cohort_variable *v)
{
    float content = 0;
    const cohort_array array = { .data = &content, .dtype = COHORT_F32 };
    return cohort_variable_read(v, array) == COHORT_OK ? table_tensor(&array) : table_failed(c);
}

static json_t *assign_ids_and_read(table_case *c)
{
    cohort_variable *v = assigned(c, table_text(c, "aggregation", "NONE"), 1, COHORT_F32);
    return v == NULL ? NULL : read_whole(c, v);
}

static json_t *read_unaggregated(table_case *c)
{
    cohort_variable *v =
        table_variable(c, initial(c, COHORT_F32), "ON_READ", table_text(c, "aggregation", "NONE"));
    return v == NULL ? NULL : read_whole(c, v);
}

static json_t *assign_squares(table_case *c)
{
    cohort_variable *v = assigned(c, "MEAN", 2, table_args_dtype(c, COHORT_F32));
    return v == NULL ? NULL : table_state(c, v);
}

/* ---- v + 1. */

COHORT_ITEMS(table_next_float, i, 1, (const float v[1], COHORT_OUT float y[1]),
             { y[i] = v[i] + 1; });
COHORT_ITEMS(table_next_int, i, 1, (const int32_t v[1], COHORT_OUT int32_t y[1]),
             { y[i] = v[i] + 1; });

static json_t *plus_one(table_case *c, cohort_variable *v, cohort_dtype dtype, bool in_replicas)
{
    cohort_value *y = cohort_value_create(c->s);
    int32_t content[1] = { 0 };
    cohort_array array = { .data = content, .dtype = dtype }, arrays[TABLE_MAX_REPLICAS];
    if (!in_replicas) {
        if (cohort_variable_read(v, array) != COHORT_OK)
            return table_failed(c);
        json_t *number = table_decode(content, dtype),
               *next = json_real(json_number_value(number) + 1);
        (void)table_encode(next, dtype, content);
        return json_decref(number), json_decref(next), table_tensor(&array);
    }
    if (cohort_run(c->s, dtype == COHORT_F32 ? table_next_float : table_next_int, v, y) !=
            COHORT_OK ||
        cohort_local_results(y, arrays, TABLE_MAX_REPLICAS) != c->replicas)
        return table_failed(c);
    json_t *values = json_array();
    for (int r = 0; r < c->replicas; r++) {
        arrays[r].rank = 0;
        json_array_append_new(values, table_tensor(&arrays[r]));
    }
    return table_container_of("PerReplica", values);
}

static json_t *read_plus_one(table_case *c)
{
    bool is_in_replicas = table_rest_is(c, "replicas");
    const json_t *init = table_arg(c, "init");
    cohort_dtype dtype = table_args_dtype(c, json_is_integer(init) ? COHORT_I32 : COHORT_F32);
    cohort_variable *v =
        table_variable(c, table_array(c, init, dtype), NULL, table_text(c, "aggregation", "NONE"));
    return v == NULL ? NULL : plus_one(c, v, dtype, is_in_replicas);
}

static json_t *assign_ids_plus_one(table_case *c)
{
    bool is_in_replicas = table_rest_is(c, "in replicas");
    cohort_variable *v = assigned(c, table_text(c, "aggregation", "NONE"), 1, COHORT_F32);
    return v == NULL ? NULL : plus_one(c, v, COHORT_F32, is_in_replicas);
}

const table_operation table_variable_operations[] = {
    { "variable with synchronization NONE", make_unsynchronized },
    { "variable with an invalid synchronization", make_unsynchronized },
    { "variable with an invalid aggregation", make_badly_aggregated },
    { "ON_READ variable with an invalid aggregation", make_badly_aggregated },
    { "value_container, variable_created_in_scope", owned },
    { "colocate_vars_with a variable of this strategy", colocate_own },
    { "colocate_vars_with a variable made outside the scope", colocate_foreign },
    { "variable with a random initialiser, created in run", create_in_run },
    { "assign(i) in replicas, then cross-replica read by convert", assign_ids_and_read },
    { "assign(i) in replicas, then cross-replica read by identity", assign_ids_and_read },
    { "assign(i) in replicas, then cross-replica read by read_value", assign_ids_and_read },
    { "assign(i) in replicas, then cross-replica read by value", assign_ids_and_read },
    { "assign(i) in replicas, then v+1 cross", assign_ids_plus_one },
    { "assign(i) in replicas, then v+1 *", assign_ids_plus_one },
    { "cross-replica read on NONE", read_unaggregated },
    { "ON_READ MEAN, replica assign(i*i+1), cross-replica read", assign_squares },
    { "v+1 in cross-replica context", read_plus_one },
    { "v+1 in *", read_plus_one },
    { NULL, NULL },
};
