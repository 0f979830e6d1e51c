/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls that make values, run functions, and combine, in both contexts. */
#include "config.h"

#include "tests/golden_runner/expression.h"

#include <string.h>

static thing new_value(frame *f)
{
    return thing_of(f, THING_VALUE, cohort_value_create(f->s));
}

/* Where a result goes: into what the expression says, or into a new value. */
static thing result_in(frame *f, const thing *into)
{
    return into->kind == THING_NOTHING ? new_value(f) : *into;
}

/* ---- Contents. */

static bool dtype_of(frame *f, const thing *name, cohort_dtype *out)
{
    *out = table_args_dtype(f->c);
    return name->kind == THING_NOTHING || table_dtype(text_of(name), out) ||
           (frame_unknown(f, "dtype", text_of(name)), false);
}

/* array([1, 2], 'int32'): float32, or the dtype of args, where nothing is said. */
static thing array(frame *f, const thing x[])
{
    cohort_dtype dtype;
    thing found = x[0];
    if (!dtype_of(f, &x[1], &dtype) || found.kind == THING_ARRAY)
        return found;
    return thing_array(f, table_array(f->c, json_of(f, &found), dtype));
}

static thing each(frame *f, const thing x[])
{
    (void)f;
    return x[0];
}

/* Numbers with an axis are vectors of one: of scalars with an axis there is an operation of its
 * own. */
static thing vectors_with(frame *f, const thing x[])
{
    thing all = x[0];
    const json_t *first = json_array_get(json_of(f, &x[0]), 0);
    bool has_axis = x[1].kind != THING_NOTHING && !json_is_array(first) && !json_is_object(first);
    if (!thing_convert(f, 'A', &all))
        return nothing;
    for (int r = 0; r < f->c->replicas && has_axis; r++)
        all.as.arrays[r].shape[all.as.arrays[r].rank++] = 1;
    return all;
}

/* filled(shape, number, or 0), of the dtype of args */
static thing filled(frame *f, const thing x[])
{
    cohort_array array = { .dtype = table_args_dtype(f->c), .rank = x[0].n };
    thing number = x[1].kind == THING_NOTHING ? thing_number(f, 0) : x[1];
    if (array.dtype == TABLE_TEXTS)
        return frame_skip(f, "no counterpart: shards are not cut by the length of texts");
    size_t n = 1, bytes = (size_t)cohort_dtype_bytes(array.dtype);
    for (int i = 0; i < x[0].n && i < COHORT_MAX_RANK; i++)
        n *= (size_t)(array.shape[i] = integer_of(&x[0].as.list[i]));
    char *elements = array.data = table_memory(f->c, n * bytes);
    for (size_t i = 0; i < n; i++)
        (void)table_encode(number.as.json, array.dtype, elements + i * bytes);
    return thing_array(f, array);
}

static thing by_replica(frame *f, const thing x[])
{
    thing list = thing_list(f, f->c->replicas);
    for (int r = 0; r < list.n && !frame_is_over(f); r++) {
        frame own = *f;
        own.replica = r;
        list.as.list[r] = expression_block(&own, &x[0], NULL, nothing);
        f->status = own.status;
    }
    return list;
}

/* ---- Values. */

static thing value(frame *f, const thing x[])
{
    return x[0].kind == THING_NOTHING ? new_value(f) : x[0];
}

static thing shaped(frame *f, const thing x[])
{
    cohort_dtype dtype;
    return dtype_of(f, &x[0], &dtype)
               ? thing_of(f, THING_VALUE, cohort_value_shaped(f->s, dtype, 0, NULL))
               : nothing;
}

/* Python's numbers have no dtype; a tensor, and NumPy's, are float32 here. */
static thing content_of_kind(frame *f, const thing x[])
{
    thing content = x[0];
    const char *kind = text_of(&x[1]);
    if (strcmp(kind, "tensor") == 0 || strcmp(kind, "numpy") == 0)
        return thing_convert(f, 'a', &content) && thing_convert(f, 'v', &content) ? content
                                                                                  : nothing;
    if (strcmp(kind, "python") != 0 && strcmp(kind, "python-float") != 0)
        return frame_unknown(f, "kind", kind);
    return thing_json(f, json_real(number_of(&x[0])));
}

typedef struct giving {
    frame *f;
    const thing *block;
} giving;

static cohort_status give(int replica, int num_replicas, cohort_array *out, void *user)
{
    giving *it = user;
    frame own = *it->f;
    own.replica = replica;
    thing x = expression_block(&own, it->block, NULL, nothing);
    if (num_replicas != own.c->replicas || !thing_convert(&own, 'a', &x))
        return COHORT_EINVAL;
    *out = *x.as.arrays;
    return COHORT_OK;
}

static thing from_function(frame *f, const thing x[])
{
    giving it = { f, &x[0] };
    return thing_of(f, THING_VALUE, cohort_value_from_function(f->s, give, &it));
}

/* Each of a list of values gets what this replica has of the contents beside it. */
static thing set_all(frame *f, const thing x[])
{
    for (int k = 0; k < x[0].n && !frame_is_over(f); k++) {
        thing own = x[1].as.list[k];
        if (thing_convert(f, 'A', &own))
            (void)frame_done(
                f, cohort_replica_set(f->me, x[0].as.list[k].as.value, own.as.arrays[f->replica]),
                nothing);
    }
    return nothing;
}

/* ---- A nest, which is one content for all, one for each replica, or dictionaries of these: a list
 * of the contents by replica of each leaf; and the same nest of other things. */

static bool are_dicts(const thing *list)
{
    const json_t *first = list->kind == THING_JSON ? json_array_get(list->as.json, 0) : NULL;
    return json_is_object(first) && json_object_get(first, "data") == NULL;
}

/* leaves(what all have, or nothing; what each has) */
static thing leaves(frame *f, const thing x[])
{
    json_t *dict, *list, *part;
    const char *key;
    size_t r;
    int k = 0;
    thing same = x[0], own = x[1];
    if (same.kind != THING_NOTHING)
        (void)thing_convert(f, 'a', &same), own = same;
    if (!are_dicts(&own))
        return thing_convert(f, 'A', &own) && thing_convert(f, 'L', &own) ? own : nothing;
    thing all = thing_list(f, (int)json_object_size(json_array_get(own.as.json, 0)));
    json_object_foreach(json_array_get(own.as.json, 0), key, part)
    {
        list = json_array();
        json_array_foreach(own.as.json, r, dict)
            json_array_append(list, json_object_get(dict, key));
        all.as.list[k] = thing_json(f, list);
        (void)thing_convert(f, 'A', &all.as.list[k++]);
    }
    return all;
}

static thing like_leaves(frame *f, const thing x[])
{
    json_t *found = json_object(), *part;
    thing all = thing_json(f, found);
    const char *key;
    int k = 0;
    if (!are_dicts(&x[0]))
        return x[1].as.list[0];
    json_object_foreach(json_array_get(x[0].as.json, 0), key, part)
        json_object_set(found, key, json_of(f, &x[1].as.list[k++]));
    return thing_json(f, json_pack("{s:O}", "dict", all.as.json));
}

/* ---- Functions. */

static cohort_argument *argument_list(frame *f, const thing *list)
{
    cohort_argument *all = table_memory(f->c, (size_t)(list->n + 1) * sizeof *all);
    for (int k = 0; k < list->n; k++)
        all[k] = argument_of(f, &list->as.list[k]);
    return all; /* it ends with a 0, which is COHORT_ARGUMENT_END */
}

/* Gives its last argument, which is where the result is. */
static thing run(frame *f, const thing x[])
{
    return frame_done(f, cohort_run_arguments(f->s, x[0].as.other, argument_list(f, &x[1])),
                      x[1].as.list[x[1].n - 1]);
}

static thing run_next(frame *f, const thing x[])
{
    cohort_argument list[] = { argument_of(f, &x[2]),
                               cohort_argument_make_(COHORT_ARGUMENT_END, NULL) };
    return frame_done(
        f, cohort_run_next_arguments(f->s, x[0].as.other, x[1].as.stepper->input, list), x[2]);
}

static thing update(frame *f, const thing x[])
{
    const cohort_function *body = x[1].as.other;
    const cohort_argument *list = argument_list(f, &x[2]);
    cohort_variable *v = x[0].as.variable;
    cohort_status status = f->me == NULL
                               ? cohort_update_arguments(COHORT_SITE, v, body, list)
                               : cohort_replica_update_arguments(COHORT_SITE, f->me, v, body, list);
    if (status == COHORT_OK && f->me == NULL)
        status = cohort_wait(f->s);
    return frame_done(f, status, x[2].as.list[x[2].n - 1]);
}

static thing constant(frame *f, cohort_argument argument)
{
    cohort_argument *kept = table_memory(f->c, sizeof *kept);
    *kept = argument;
    return thing_of(f, THING_OTHER, kept);
}

/* ---- Reductions. */

/* axis_kind, where there is one: what the axis is in Python. */
static thing axis_of(frame *f, const thing x[])
{
    const char *kind = text_of(&x[1]);
    const json_t *axis = x[0].kind == THING_JSON ? x[0].as.json : NULL;
    bool is_of_kind =
        kind == NULL || (strcmp(kind, "int") == 0 && json_is_integer(axis)) ||
        ((strcmp(kind, "list") == 0 || strcmp(kind, "tuple") == 0) && json_is_array(axis)) ||
        (strcmp(kind, "str") == 0 && json_is_string(axis));
    if (!is_of_kind)
        return frame_malformed(f, "args: \"axis\" is no %s", kind);
    return json_is_string(axis) ? frame_skip(f, "no counterpart: an axis is a number") : x[0];
}

static int one_axis(const thing *axis)
{
    return axis->kind == THING_JSON ? (int)integer_of(axis) : COHORT_NO_AXIS;
}

/* reduce(op, x, axis, into); axis: nothing, a number, or a list of numbers. */
static thing reduce(frame *f, const thing x[])
{
    int32_t axes[COHORT_MAX_RANK];
    thing list = x[2], into = result_in(f, &x[3]);
    cohort_argument what = argument_of(f, &x[1]);
    if (x[2].kind != THING_LIST && !(x[2].kind == THING_JSON && json_is_array(x[2].as.json)))
        return frame_done(
            f, cohort_reduce_argument(op_of(&x[0]), what, one_axis(&x[2]), into.as.value), into);
    (void)thing_convert(f, 'L', &list);
    if (list.n > COHORT_MAX_RANK)
        return frame_malformed(f, "args: %d axes", list.n);
    for (int i = 0; i < list.n; i++)
        axes[i] = (int32_t)integer_of(&list.as.list[i]);
    const cohort_reduce_options options = { .axes = axes, .n_axes = list.n };
    return frame_done(f, cohort_reduce_with_argument(op_of(&x[0]), what, &options, into.as.value),
                      into);
}

/* The values of a list. */
static cohort_value **values_of(frame *f, thing *list)
{
    cohort_value **all = table_memory(f->c, (size_t)list->n * sizeof(cohort_value *));
    for (int k = 0; k < list->n; k++)
        if (thing_convert(f, 'v', &list->as.list[k]))
            all[k] = list->as.list[k].as.value;
    return all;
}

/* As many new ones. */
static thing new_list(frame *f, int n)
{
    thing list = thing_list(f, n);
    for (int k = 0; k < n; k++)
        list.as.list[k] = new_value(f);
    return list;
}

static thing reduce_list(frame *f, const thing x[])
{
    thing from = x[1], into = new_list(f, x[1].n);
    cohort_value **values = values_of(f, &from), **results = values_of(f, &into);
    if (frame_is_over(f))
        return nothing;
    return frame_done(f, cohort_reduce_list(op_of(&x[0]), values, from.n, one_axis(&x[2]), results),
                      into);
}

static thing reduce_to(frame *f, const thing x[])
{
    thing into = result_in(f, &x[3]);
    return frame_done(f,
                      cohort_reduce_to_argument(op_of(&x[0]), argument_of(f, &x[1]),
                                                argument_of(f, &x[2]), into.as.value),
                      into);
}

static thing batch_reduce_to(frame *f, const thing x[])
{
    thing from = x[1], into = new_list(f, x[1].n);
    cohort_value **values = values_of(f, &from), **results = values_of(f, &into);
    if (from.n != x[2].n)
        return frame_malformed(f, "%d values, %d destinations", from.n, x[2].n);
    if (frame_is_over(f))
        return nothing;
    return frame_done(
        f, cohort_batch_reduce_to(op_of(&x[0]), from.n, values, argument_list(f, &x[2]), results),
        into);
}

static thing broadcast(frame *f, const thing x[])
{
    thing into = new_value(f);
    return frame_done(f,
                      cohort_broadcast_argument(COHORT_SITE, f->s, argument_of(f, &x[0]),
                                                argument_of(f, &x[1]), into.as.value),
                      into);
}

/* In place of what is a list, COHORT_VALUES. */
static thing gather(frame *f, const thing x[])
{
    thing from = x[0], into = result_in(f, &x[2]);
    cohort_argument what = argument_of(f, &from);
    if (from.kind == THING_LIST)
        what = COHORT_VALUES(values_of(f, &from), from.n);
    return frame_done(f, cohort_gather_argument(what, (int)integer_of(&x[1]), into.as.value), into);
}

static thing all_reduce(frame *f, const thing x[])
{
    thing list = x[1];
    return frame_done(f, cohort_all_reduce(f->me, op_of(&x[0]), values_of(f, &list), list.n),
                      nothing);
}

#define CALLS(CALL)                                                                                \
    CALL(array, "j?t", array(f, x))                                                                \
    CALL(each, "A", each(f, x))                                                                    \
    CALL(vectors_with, "jj", vectors_with(f, x))                                                   \
    CALL(filled, "L?n", filled(f, x))                                                              \
    CALL(by_replica, "{", by_replica(f, x))                                                        \
    CALL(value, "?v", value(f, x))                                                                 \
    CALL(shaped, "t", shaped(f, x))                                                                \
    CALL(value_of_number, "n",                                                                     \
         thing_of(f, THING_VALUE, cohort_value_number(f->s, number_of(&x[0]))))                    \
    CALL(content_of_kind, "jt", content_of_kind(f, x))                                             \
    CALL(value_from, "{", from_function(f, x))                                                     \
    CALL(set, "vg",                                                                                \
         frame_done(f, cohort_replica_set_argument(f->me, x[0].as.value, argument_of(f, &x[1])),   \
                    x[0]))                                                                         \
    CALL(set_all, "LL", set_all(f, x))                                                             \
    CALL(leaves, "jj", leaves(f, x))                                                               \
    CALL(like_leaves, "jL", like_leaves(f, x))                                                     \
    CALL(run, "F*", run(f, x))                                                                     \
    CALL(run_next, "FIv", run_next(f, x))                                                          \
    CALL(update, "VF*", update(f, x))                                                              \
    CALL(REPLICA_ID, "", constant(f, COHORT_REPLICA_ID))                                           \
    CALL(NUM_REPLICAS, "", constant(f, COHORT_NUM_REPLICAS))                                       \
    CALL(axis_of, "j?t", axis_of(f, x))                                                            \
    CALL(reduce, "jg?jv", reduce(f, x))                                                            \
    CALL(reduce_list, "jL?j", reduce_list(f, x))                                                   \
    CALL(reduce_to, "jgg?v", reduce_to(f, x))                                                      \
    CALL(batch_reduce_to, "jLL", batch_reduce_to(f, x))                                            \
    CALL(broadcast, "gg", broadcast(f, x))                                                         \
    CALL(gather, "gn?v", gather(f, x))                                                             \
    CALL(all_reduce, "jL", all_reduce(f, x))                                                       \
    CALL(all_gather, "vnv",                                                                        \
         frame_done(                                                                               \
             f, cohort_all_gather(f->me, x[0].as.value, (int)integer_of(&x[1]), x[2].as.value),    \
             x[2]))
CALLS(CALL_FUNCTION)
const call value_calls[] = { CALLS(CALL_ROW){ NULL, NULL, NULL } };
