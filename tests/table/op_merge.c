/* SPDX-License-Identifier: BSD-3-Clause */
/* merge_call, and replicas that do not do the same. */
#include "config.h"

#include "tests/table/table.h"

#include <stdlib.h>
#include <string.h>

/* What a step and the function that it merges in share. */
typedef struct merging {
    table_case *c;
    cohort_step_fn inner; /* what the merge function calls on every replica */
    cohort_merge_fn merge;
    cohort_value *values[4];
    int calls;
    bool is_cross, is_without_replica;
    int32_t got[4][TABLE_MAX_REPLICAS]; /* by the merge function, [argument][replica] */
} merging;

/* What one replica passes to the merge function. */
typedef struct passed {
    merging *all;
    int id;
    int32_t arguments[4];
} passed;

static cohort_status merge_once(cohort_replica *me, void *user)
{
    merging *it = user;
    int32_t id = cohort_replica_id(me);
    passed mine = { it, (int)id, { id, 10 + id, 5, 100 * id } };
    return cohort_merge_call(me, it->merge, &mine);
}

static cohort_status fail(cohort_strategy *s, void *const user[], int n)
{
    (void)s, (void)user, (void)n;
    return COHORT_EINVAL;
}

static cohort_status fail_step(cohort_replica *me, void *user)
{
    (void)me, (void)user;
    return COHORT_EINVAL;
}

static cohort_status merge_failing(cohort_replica *me, void *user)
{
    (void)user;
    return cohort_merge_call(me, fail, NULL);
}

static cohort_status call_inner(cohort_strategy *s, void *const user[], int n)
{
    const passed *first = user[0];
    (void)n;
    return cohort_for_each_replica(s, first->all->inner, first->all);
}

static json_t *merged(table_case *c, cohort_merge_fn merge, cohort_step_fn inner)
{
    merging it = { .c = c, .merge = merge, .inner = inner };
    return table_step(c, merge_once, &it) == COHORT_OK
               ? json_pack("{s:s}", "value", "nothing failed")
               : NULL;
}

static json_t *merge_fails(table_case *c)
{
    return merged(c, fail, NULL);
}

static json_t *merge_calls_failing(table_case *c)
{
    return merged(c, call_inner, fail_step);
}

static json_t *merge_calls_merging(table_case *c)
{
    return merged(c, call_inner, merge_failing);
}

/* ---- What it is called with, and how often. */

static cohort_status look(cohort_strategy *s, void *const user[], int n)
{
    const passed *first = user[0];
    first->all->calls++;
    first->all->is_cross = s == first->all->c->s && n == first->all->c->replicas;
    first->all->is_without_replica = cohort_replica_current() == NULL;
    return COHORT_OK;
}

static json_t *count_merges(table_case *c)
{
    merging it = { .c = c, .merge = look };
    if (table_step(c, merge_once, &it) != COHORT_OK)
        return NULL;
    return json_pack("{s:i, s:b, s:b}", "calls", it.calls, "in_cross_replica", it.is_cross,
                     "no_replica_context", it.is_without_replica);
}

static cohort_status take_arguments(cohort_strategy *s, void *const user[], int n)
{
    (void)s;
    for (int r = 0; r < n; r++) {
        const passed *mine = user[r];
        for (int k = 0; k < 4; k++)
            mine->all->got[k][r] = mine->arguments[k];
    }
    return COHORT_OK;
}

static json_t *integers(const merging *it, const int32_t numbers[])
{
    json_t *values = json_array();
    for (int r = 0; r < it->c->replicas; r++) {
        int32_t x = numbers[r];
        const cohort_array array = { .data = &x, .dtype = COHORT_I32 };
        json_array_append_new(values, table_tensor(&array));
    }
    return table_container_of("PerReplica", values);
}

/* merge_call(fn, args=(id, [10+id, 5]), kwargs={k: id*100}): each argument is one value for each
 * replica; 5, which is the same for all, is a number there. */
static json_t *merge_arguments(table_case *c)
{
    merging it = { .c = c, .merge = take_arguments };
    bool is_same = true;
    if (table_step(c, merge_once, &it) != COHORT_OK)
        return NULL;
    for (int r = 0; r < c->replicas; r++)
        is_same = is_same && it.got[2][r] == it.got[2][0];
    return json_pack("{s:s, s:[s, s], s:s, s:o, s:{s:[o, {s:i}]}, s:o}", "a", "PerReplica", "b",
                     "PerReplica", is_same ? "int" : "PerReplica", "k", "PerReplica", "va",
                     integers(&it, it.got[0]), "vb", "list", integers(&it, it.got[1]), "value",
                     it.got[2][0], "vk", integers(&it, it.got[3]));
}

/* ---- What it gives: in values, which every replica reads. */

static cohort_array number(table_case *c, int32_t x)
{
    int32_t *kept = table_memory(c, sizeof *kept);
    *kept = x;
    return (cohort_array){ .data = kept, .dtype = COHORT_I32 };
}

/* What counts is what replica 0 passes: it gives 100 + its id. */
static cohort_status give_of_first(cohort_strategy *s, void *const user[], int n)
{
    const passed *first = user[0];
    (void)n;
    first->all->values[0] = cohort_value_plain(s, number(first->all->c, 100 + first->id));
    return first->all->values[0] == NULL ? COHORT_ENOMEM : COHORT_OK;
}

static cohort_status give_doubles_and_three(cohort_strategy *s, void *const user[], int n)
{
    const passed *first = user[0];
    cohort_array doubles[TABLE_MAX_REPLICAS];
    for (int r = 0; r < n; r++)
        doubles[r] = number(first->all->c, 2 * ((const passed *)user[r])->id);
    first->all->values[0] = cohort_value_per_replica(s, doubles);
    first->all->values[1] = cohort_value_plain(s, number(first->all->c, 3));
    return first->all->values[0] == NULL || first->all->values[1] == NULL ? COHORT_ENOMEM
                                                                          : COHORT_OK;
}

static cohort_status merge_and_read(cohort_replica *me, void *user)
{
    merging *it = user;
    cohort_status status = merge_once(me, it);
    for (int k = 0; k < 4 && status == COHORT_OK && it->values[k] != NULL; k++) {
        const cohort_array room = { .data = &it->got[k][cohort_replica_id(me)],
                                    .dtype = COHORT_I32 };
        status = cohort_replica_read(me, it->values[k], room);
    }
    return status;
}

static json_t *merge_function_of_first(table_case *c)
{
    merging it = { .c = c, .merge = give_of_first };
    return table_step(c, merge_and_read, &it) == COHORT_OK ? integers(&it, it.got[0]) : NULL;
}

/* {a: the per-replica argument, 2 * id; b: 3}, which every replica gets: a number, of no dtype. */
static json_t *merge_returning(table_case *c)
{
    merging it = { .c = c, .merge = give_doubles_and_three };
    json_t *threes = json_array();
    if (table_step(c, merge_and_read, &it) != COHORT_OK)
        return json_decref(threes), NULL;
    for (int r = 0; r < c->replicas; r++)
        json_array_append_new(threes, json_pack("{s:i}", "value", it.got[1][r]));
    return json_pack("{s:{s:o, s:o}}", "dict", "a", integers(&it, it.got[0]), "b",
                     table_container_of("PerReplica", threes));
}

/* ---- Three in a row: what a merge function reduces, the replicas go on with. */

static cohort_status sum_up(cohort_strategy *s, void *const user[], int n)
{
    const passed *first = user[0];
    cohort_value *const *values = first->all->values;
    (void)s, (void)n;
    return cohort_reduce(COHORT_SUM, values[0], COHORT_NO_AXIS, values[1]);
}

static cohort_status merge_thrice(cohort_replica *me, void *user)
{
    merging *it = user;
    passed mine = { .all = it, .id = cohort_replica_id(me) };
    float x = 0;
    cohort_array one = { .data = &x, .dtype = COHORT_F32 };
    cohort_status status = COHORT_OK;
    for (int i = 0; i < 3 && status == COHORT_OK; i++) {
        x += (float)mine.id;
        if ((status = cohort_replica_set(me, it->values[0], one)) == COHORT_OK &&
            (status = cohort_merge_call(me, sum_up, &mine)) == COHORT_OK)
            status = cohort_replica_read(me, it->values[1], one);
    }
    return status;
}

static json_t *merge_in_a_row(table_case *c)
{
    merging it = { .c = c, .values = { cohort_value_create(c->s), cohort_value_create(c->s) } };
    return table_step(c, merge_thrice, &it) == COHORT_OK ? table_container(c, it.values[1]) : NULL;
}

static cohort_status add_two(cohort_strategy *s, void *const user[], int n)
{
    int *x = user[0];
    *x += s == NULL && n == 1 ? 2 : 100;
    return COHORT_OK;
}

static json_t *merge_outside(table_case *c)
{
    int x = 3;
    return cohort_merge_call(NULL, add_two, &x) == COHORT_OK ? json_pack("{s:i}", "value", x)
                                                             : table_failed(c);
}

/* ---- Replicas that make other calls than the rest: an error on all. */

static cohort_status merge_only_first(cohort_replica *me, void *user)
{
    return cohort_replica_id(me) == 0 ? merge_once(me, user) : COHORT_OK;
}

static cohort_status merge_by_id(cohort_replica *me, void *user)
{
    cohort_status status = COHORT_OK;
    for (int i = 0; i <= cohort_replica_id(me) && status == COHORT_OK; i++)
        status = merge_once(me, user);
    return status;
}

static json_t *only_first_merges(table_case *c)
{
    merging it = { .c = c, .merge = look };
    return table_step(c, merge_only_first, &it) == COHORT_OK ? json_pack("{s:i}", "value", it.calls)
                                                             : NULL;
}

static json_t *merges_by_id(table_case *c)
{
    merging it = { .c = c, .merge = look };
    return table_step(c, merge_by_id, &it) == COHORT_OK ? json_pack("{s:i}", "value", it.calls)
                                                        : NULL;
}

/* What a replica gives back is what it takes part in with: lists of other lengths, other values. */
static cohort_status give_list(cohort_replica *me, void *user)
{
    merging *it = user;
    int id = cohort_replica_id(me);
    return cohort_all_reduce(me, COHORT_SUM, it->values, id < 4 ? id : 4);
}

static cohort_status give_other(cohort_replica *me, void *user)
{
    merging *it = user;
    return cohort_all_reduce(me, COHORT_SUM, &it->values[cohort_replica_id(me) != 0], 1);
}

static cohort_status give_number(cohort_replica *me, void *user)
{
    merging *it = user;
    return cohort_all_reduce(me, COHORT_SUM, it->values, cohort_replica_id(me) == 0 ? 2 : 1);
}

static json_t *given(table_case *c, cohort_step_fn step)
{
    merging it = { .c = c };
    for (int i = 0; i < 4; i++)
        it.values[i] = cohort_value_number(c->s, i);
    return table_step(c, step, &it) == COHORT_OK ? json_pack("{s:s}", "value", "nothing failed")
                                                 : NULL;
}

static json_t *lists_differ(table_case *c)
{
    return given(c, give_list);
}

static json_t *keys_differ(table_case *c)
{
    return given(c, give_other);
}

static json_t *leaves_differ(table_case *c)
{
    return given(c, give_number);
}

const table_operation table_merge_operations[] = {
    { "merge fn raises", merge_fails },
    { "merge fn calls replicas, which raise", merge_calls_failing },
    { "merge fn calls replicas, whose merge fn raises", merge_calls_merging },
    { "number of times the merge fn runs, context in it", count_merges },
    { "merge_call(fn, args=(id, [10+id, 5]), kwargs={k: id*100})", merge_arguments },
    { "every replica gives its own merge fn (returns 100+id)", merge_function_of_first },
    { "merge fn returns {a: the per-replica argument, b: 3}", merge_returning },
    { "three merge_calls in a row, each a sum of the previous result + id", merge_in_a_row },
    { "merge_call outside any strategy", merge_outside },
    { "only replica 0 calls merge_call", only_first_merges },
    { "replica i calls merge_call i+1 times", merges_by_id },
    { "run returning a list of length id", lists_differ },
    { "run returning dicts with different keys", keys_differ },
    { "run returning a list on replica 0 and a number on the others", leaves_differ },
    { NULL, NULL },
};
