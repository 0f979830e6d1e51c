/* SPDX-License-Identifier: BSD-3-Clause */
/* reduce, in cross-replica context. */
#include "config.h"

#include "tests/table/table.h"

#include <string.h>

COHORT_ITEMS(table_one, i, n, (int64_t n, COHORT_OUT float y[n]), { y[i] = 1; });
COHORT_ITEMS(table_id, i, n, (int64_t n, int32_t id, COHORT_OUT int32_t y[n]), { y[i] = id; });
COHORT_ITEMS(table_mean, i, m, (int64_t n, int64_t m, const float x[n], COHORT_OUT float y[m]), {
    y[i] = 0;
    for (int64_t k = 0; k < n; k++)
        y[i] += x[k];
    y[i] /= (float)n;
});

/* axis: null, a number, or a list of numbers. */
static cohort_status reduce_along(table_case *c, cohort_argument x, const json_t *axis,
                                  cohort_value *into)
{
    int32_t axes[COHORT_MAX_RANK];
    cohort_reduce_op op = table_op(c, "SUM");
    if (!json_is_array(axis))
        return cohort_reduce_argument(
            op, x, json_is_integer(axis) ? (int)json_integer_value(axis) : COHORT_NO_AXIS, into);
    if (json_array_size(axis) > COHORT_MAX_RANK)
        return COHORT_EINVAL;
    for (size_t i = 0; i < json_array_size(axis); i++)
        axes[i] = (int32_t)json_integer_value(json_array_get(axis, i));
    const cohort_reduce_options options = { .axes = axes,
                                            .n_axes = (int32_t)json_array_size(axis) };
    return cohort_reduce_with_argument(op, x, &options, into);
}

/* axis_kind, where there is one: what the axis is in Python. */
static bool is_of_its_kind(table_case *c, const json_t *axis)
{
    const char *kind = table_text(c, "axis_kind", NULL);
    return kind == NULL || (strcmp(kind, "int") == 0 && json_is_integer(axis)) ||
           ((strcmp(kind, "list") == 0 || strcmp(kind, "tuple") == 0) && json_is_array(axis)) ||
           (strcmp(kind, "str") == 0 && json_is_string(axis)) ||
           table_malformed(c, "args: \"axis\" is no %s", kind) != NULL;
}

static json_t *reduced(table_case *c, cohort_argument x)
{
    const json_t *axis = table_arg(c, "axis");
    cohort_value *into = cohort_value_create(c->s);
    if (!is_of_its_kind(c, axis))
        return NULL;
    if (json_is_string(axis))
        return table_skipped(c, "no counterpart: an axis is a number");
    return reduce_along(c, x, axis, into) == COHORT_OK ? table_plain(c, into) : table_failed(c);
}

static json_t *reduced_value(table_case *c, const cohort_value *x)
{
    return x == NULL ? NULL : reduced(c, cohort_argument_make_(COHORT_ARGUMENT_VALUE, x));
}

static json_t *reduce(table_case *c)
{
    return reduced_value(c, table_value(c, "per_replica"));
}

/* Numbers with an axis are vectors of one here; of scalars with an axis there is an operation of
 * its own. */
static json_t *reduce_vectors(table_case *c)
{
    const json_t *list = table_arg(c, "per_replica"), *axis = table_arg(c, "axis");
    if (axis == NULL || json_is_null(axis) || json_is_array(json_array_get(list, 0)) ||
        json_is_object(json_array_get(list, 0)))
        return reduce(c);
    cohort_array *arrays = table_per_replica(c, list, table_args_dtype(c, COHORT_F32));
    for (int r = 0; r < c->replicas && arrays != NULL; r++)
        arrays[r].shape[arrays[r].rank++] = 1;
    return arrays == NULL ? NULL : reduced_value(c, cohort_value_per_replica(c->s, arrays));
}

static json_t *reduce_ones(table_case *c)
{
    cohort_value *x = cohort_value_shaped(c->s, COHORT_F32, 0, NULL);
    return cohort_run(c->s, table_one, x) == COHORT_OK ? reduced_value(c, x) : table_failed(c);
}

static json_t *reduce_ones_in_scope(table_case *c)
{
    if (cohort_scope_enter(c->s) != COHORT_OK)
        return table_failed(c);
    json_t *found = reduce_ones(c);
    return cohort_scope_exit(c->s) == COHORT_OK ? found : (json_decref(found), table_failed(c));
}

static json_t *reduce_ids(table_case *c)
{
    cohort_value *x = cohort_value_shaped(c->s, COHORT_I32, 0, NULL);
    return cohort_run(c->s, table_id, COHORT_REPLICA_ID, x) == COHORT_OK ? reduced_value(c, x)
                                                                         : table_failed(c);
}

/* Python's numbers have no dtype; a tensor, and NumPy's, are float32 here. */
static json_t *reduce_plain(table_case *c)
{
    double number;
    cohort_array content = table_array(c, table_arg(c, "value"), COHORT_F32);
    const char *kind = table_text(c, "kind", "tensor");
    if (strcmp(kind, "tensor") == 0 || strcmp(kind, "numpy") == 0)
        return content.data == NULL ? NULL : reduced_value(c, cohort_value_plain(c->s, content));
    if (strcmp(kind, "python") != 0 && strcmp(kind, "python-float") != 0)
        return table_malformed(c, "args: kind \"%s\"", kind);
    if (!table_number(c, "value", &number))
        return NULL;
    cohort_argument x = cohort_argument_make_(COHORT_ARGUMENT_REAL, NULL);
    x.as.f = number;
    json_t *found = reduced(c, x);
    json_t *data = json_object_get(found, "data");
    json_t *plain = found == NULL ? NULL : json_pack("{s:O}", "value", json_array_get(data, 0));
    json_decref(found);
    return plain;
}

/* Replicas that return a content: the one of args, whatever it was in Python. */
typedef struct returning {
    cohort_array content;
    cohort_value *into;
} returning;

static cohort_status return_content(cohort_replica *me, void *user)
{
    returning *it = user;
    return cohort_replica_set(me, it->into, it->content);
}

static json_t *reduce_returned_by(table_case *c, cohort_reduce_op op, int axis)
{
    returning it = { table_array(c, table_arg(c, "value"), table_args_dtype(c, COHORT_F32)),
                     cohort_value_create(c->s) };
    cohort_value *into = cohort_value_create(c->s);
    if (it.content.data == NULL || table_step(c, return_content, &it) != COHORT_OK)
        return NULL;
    if (op == 0)
        return reduced_value(c, it.into);
    return cohort_reduce(op, it.into, axis, into) == COHORT_OK ? table_plain(c, into)
                                                               : table_failed(c);
}

static json_t *reduce_returned(table_case *c)
{
    return reduce_returned_by(c, 0, 0); /* args have op and axis */
}

static json_t *sum_returned(table_case *c)
{
    return reduce_returned_by(c, COHORT_SUM, COHORT_NO_AXIS);
}

static json_t *mean_returned(table_case *c)
{
    return reduce_returned_by(c, COHORT_MEAN, COHORT_NO_AXIS);
}

static json_t *sum_returned_rows(table_case *c)
{
    return reduce_returned_by(c, COHORT_SUM, 0);
}

static json_t *reduce_means(table_case *c)
{
    cohort_value *x = table_value(c, "per_replica"),
                 *means = cohort_value_shaped(c->s, COHORT_F32, 0, NULL),
                 *into = cohort_value_create(c->s);
    if (x == NULL)
        return NULL;
    return cohort_run(c->s, table_mean, x, means) == COHORT_OK &&
                   cohort_reduce(COHORT_MEAN, means, COHORT_NO_AXIS, into) == COHORT_OK
               ? table_plain(c, into)
               : table_failed(c);
}

/* ---- Lists: each replica has 1.0 and 2.0, scalars, or vectors of one where there is an axis. */

static json_t *reduce_list(table_case *c)
{
    const json_t *axis = table_arg(c, "axis");
    cohort_value *values[2], *into[2];
    json_t *list = json_array(), *part = NULL;
    for (int i = 0; i < 2; i++) {
        cohort_array *arrays = table_memory(c, (size_t)c->replicas * sizeof *arrays);
        for (int r = 0; r < c->replicas; r++) {
            arrays[r] = table_scalar(c, i + 1, COHORT_F32);
            if (json_is_integer(axis))
                arrays[r].shape[arrays[r].rank++] = 1;
        }
        values[i] = cohort_value_per_replica(c->s, arrays);
        into[i] = cohort_value_create(c->s);
    }
    int along = json_is_integer(axis) ? (int)json_integer_value(axis) : COHORT_NO_AXIS;
    if (cohort_reduce_list(table_op(c, "SUM"), values, 2, along, into) != COHORT_OK)
        return json_decref(list), table_failed(c);
    for (int i = 0; i < 2 && (part = table_plain(c, into[i])) != NULL; i++)
        json_array_append_new(list, part);
    return part == NULL ? (json_decref(list), NULL) : json_pack("{s:o}", "list", list);
}

static json_t *reduce_dict(table_case *c)
{
    const char *key;
    const json_t *axis = table_arg(c, "axis");
    json_t *value = (json_t *)table_arg(c, "value"), *member, *dict = json_object(), *part = dict;
    int along = json_is_integer(axis) ? (int)json_integer_value(axis) : COHORT_NO_AXIS;
    json_object_foreach(value, key, member)
    {
        cohort_array *arrays = table_per_replica(c, member, COHORT_F32);
        cohort_value *x = arrays == NULL ? NULL : cohort_value_per_replica(c->s, arrays),
                     *into = cohort_value_create(c->s);
        if (x == NULL || cohort_reduce_list(table_op(c, "SUM"), &x, 1, along, &into) != COHORT_OK)
            part = table_failed(c);
        else if ((part = table_plain(c, into)) != NULL)
            json_object_set_new(dict, key, part);
        if (part == NULL)
            return json_decref(dict), NULL;
    }
    return json_pack("{s:o}", "dict", dict);
}

/* ---- In a replica function it is refused. */

static cohort_status reduce_here(cohort_replica *me, void *user)
{
    cohort_value *const *values = user;
    float one = 1;
    cohort_status status = cohort_replica_set(me, values[0], COHORT_ARRAY(&one, 1));
    return status == COHORT_OK ? cohort_reduce(COHORT_SUM, values[0], COHORT_NO_AXIS, values[1])
                               : status;
}

static json_t *reduce_in_replica(table_case *c)
{
    cohort_value *values[] = { cohort_value_create(c->s), cohort_value_create(c->s) };
    return table_step(c, reduce_here, values) == COHORT_OK ? table_plain(c, values[1]) : NULL;
}

/* SUM of 1.0, MEAN and SUM of id + 1: of R = 1 and 2 that is how the table has it. */
static json_t *reduce_without_axis(table_case *c)
{
    static const cohort_reduce_op ops[] = { COHORT_SUM, COHORT_MEAN, COHORT_SUM };
    json_t *list = json_array();
    cohort_value *x, *into = cohort_value_create(c->s);
    cohort_array *arrays = table_memory(c, (size_t)c->replicas * sizeof *arrays);
    for (int r = 0; r < c->replicas; r++)
        arrays[r] = table_scalar(c, r + 1, COHORT_F32);
    x = cohort_value_per_replica(c->s, arrays);
    for (int i = 0; i < 3; i++) {
        if (cohort_reduce(ops[i], x, COHORT_NO_AXIS, into) != COHORT_OK)
            return json_decref(list), table_failed(c);
        json_array_append_new(list, json_real(cohort_value_scalar(into)));
    }
    return json_pack("{s:o}", "list", list);
}

/* ---- A vector of one number on each replica: every element must be the same sum. */

static json_t *reduce_vector(table_case *c)
{
    cohort_array sum, *arrays = table_vectors(c);
    cohort_value *into = cohort_value_create(c->s);
    if (arrays == NULL)
        return NULL;
    if (cohort_reduce(COHORT_SUM, cohort_value_per_replica(c->s, arrays), COHORT_NO_AXIS, into) !=
            COHORT_OK ||
        cohort_local_results(into, &sum, 1) != 1)
        return table_failed(c);
    json_t *distinct = json_array();
    const float *found = sum.data;
    for (int64_t i = 0; i < sum.shape[0]; i++)
        if (i == 0 || found[i] != found[i - 1])
            json_array_append_new(distinct, json_real((double)found[i]));
    return json_pack("{s:o}", "distinct", distinct);
}

const table_operation table_reduce_operations[] = {
    { "reduce", reduce_vectors },
    { "reduce of values of unknown-dim", reduce },
    { "reduce of values of unknown-rank", reduce },
    { "reduce of scalars with an axis", reduce },
    { "run(ones) then reduce", reduce_ones },
    { "run(ones) then reduce, inside scope", reduce_ones_in_scope },
    { "reduce of a plain value", reduce_plain },
    { "reduce of a plain zero", reduce_plain },
    { "reduce of a plain vector with an axis", reduce_plain },
    { "reduce of the replica ids", reduce_ids },
    { "reduce of a list of per-replica values", reduce_list },
    { "reduce of a dict", reduce_dict },
    { "reduce called in a replica function", reduce_in_replica },
    { "run returning one captured tensor, then reduce SUM", sum_returned },
    { "run returning one captured tensor, then reduce MEAN", mean_returned },
    { "run returning one captured vector, then reduce SUM axis=0", sum_returned_rows },
    { "run returning a python number, then reduce SUM", sum_returned },
    { "run returning the same constant, then reduce", reduce_returned },
    { "reduce_mean in each replica, then reduce MEAN axis=None", reduce_means },
    { "v1 reduce, axis left out: SUM, mean, SUM of id+1", reduce_without_axis },
    { "reduce SUM of a vector of equal float32 on each replica", reduce_vector },
    { NULL, NULL },
};
