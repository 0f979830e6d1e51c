/* SPDX-License-Identifier: BSD-3-Clause */
/* all_reduce, in replica functions. */
#include "config.h"

#include "tests/table/table.h"

#include <string.h>

enum { LIST = 16 };

/* Each replica sets its components of n values, all take part in one all_reduce of them. */
typedef struct collective {
    cohort_reduce_op op;
    int n;
    cohort_value *values[LIST];
    const cohort_array *own[LIST]; /* [replica]; NULL: the value is what it is */
} collective;

static cohort_status all_reduce_own(cohort_replica *me, void *user)
{
    collective *it = user;
    for (int i = 0; i < it->n; i++)
        if (it->own[i] != NULL) {
            cohort_status status =
                cohort_replica_set(me, it->values[i], it->own[i][cohort_replica_id(me)]);
            if (status != COHORT_OK)
                return status;
        }
    return cohort_all_reduce(me, it->op, it->values, it->n);
}

static void add(table_case *c, collective *it, const cohort_array *own)
{
    it->own[it->n] = own;
    it->values[it->n++] = cohort_value_create(c->s);
}

/* What replica i has is step * i + first, of one element. */
static const cohort_array *by_id(table_case *c, double first, double step, cohort_dtype dtype)
{
    cohort_array *arrays = table_memory(c, (size_t)c->replicas * sizeof *arrays);
    for (int r = 0; r < c->replicas; r++)
        arrays[r] = table_scalar(c, first + step * r, dtype);
    return arrays;
}

static const cohort_array *same(table_case *c, const json_t *content, cohort_dtype dtype)
{
    cohort_array *arrays = table_memory(c, (size_t)c->replicas * sizeof *arrays);
    for (int r = 0; r < c->replicas; r++)
        arrays[r] = table_array(c, content, dtype);
    return arrays[0].data == NULL ? NULL : arrays;
}

static json_t *all_reduced(table_case *c, collective *it)
{
    return table_step(c, all_reduce_own, it) == COHORT_OK ? table_container(c, it->values[0])
                                                          : NULL;
}

/* What all replicas have under one key of their dictionaries. */
static const cohort_array *under_key(table_case *c, const json_t *dicts, const char *key)
{
    json_t *list = json_array(), *dict;
    size_t i;
    json_array_foreach(dicts, i, dict) json_array_append(list, json_object_get(dict, key));
    const cohort_array *own = table_per_replica(c, list, table_args_dtype(c, COHORT_F32));
    json_decref(list);
    return own;
}

static json_t *all_reduce_dicts(table_case *c, const json_t *dicts)
{
    collective it = { .op = table_op(c, "SUM") };
    json_t *first = json_array_get(dicts, 0), *found = json_object(), *part;
    const char *key;
    int i = 0;
    json_object_foreach(first, key, part)
    {
        const cohort_array *own = it.n < LIST ? under_key(c, dicts, key) : NULL;
        if (own == NULL)
            return json_decref(found),
                   it.n < LIST ? NULL : table_malformed(c, "more than %d keys", LIST);
        add(c, &it, own);
    }
    bool is_good = table_step(c, all_reduce_own, &it) == COHORT_OK;
    json_object_foreach(first, key, part) is_good =
        is_good && json_object_set_new(found, key, table_container(c, it.values[i++])) == 0;
    return is_good ? json_pack("{s:o}", "dict", found) : (json_decref(found), NULL);
}

static json_t *all_reduce(table_case *c)
{
    collective it = { .op = table_op(c, "SUM") };
    const json_t *every = table_arg(c, "every_replica"), *each = table_arg(c, "per_replica");
    const json_t *first = json_array_get(each, 0);
    cohort_dtype dtype = table_args_dtype(c, COHORT_F32);
    if (every == NULL && json_is_object(first) && json_object_get(first, "data") == NULL)
        return all_reduce_dicts(c, each);
    const cohort_array *own =
        every != NULL ? same(c, every, dtype) : table_per_replica(c, each, dtype);
    if (own == NULL)
        return NULL;
    add(c, &it, own);
    return all_reduced(c, &it);
}

/* One value that all replicas contribute, or a content that each makes for itself. */
static json_t *all_reduce_content(table_case *c, cohort_reduce_op op, bool is_captured)
{
    collective it = { .op = op };
    const cohort_array *own = same(c, table_arg(c, "value"), table_args_dtype(c, COHORT_F32));
    if (own == NULL)
        return NULL;
    add(c, &it, is_captured ? NULL : own);
    if (is_captured)
        it.values[0] = cohort_value_plain(c->s, own[0]);
    return all_reduced(c, &it);
}

static json_t *all_reduce_captured(table_case *c)
{
    return all_reduce_content(c, table_op(c, "SUM"), true);
}

static json_t *all_reduce_mean_of_captured(table_case *c)
{
    return all_reduce_content(c, COHORT_MEAN, true);
}

static json_t *all_reduce_own_content(table_case *c)
{
    return all_reduce_content(c, table_op(c, "SUM"), false);
}

/* Of a name that TensorFlow does not know, of 1.0; "sum", of id + 1. */
static json_t *all_reduce_named(table_case *c, double step)
{
    collective it = { .op = table_op(c, NULL) };
    add(c, &it, by_id(c, 1, step, COHORT_F32));
    return all_reduced(c, &it);
}

static json_t *all_reduce_by_bad_name(table_case *c)
{
    return all_reduce_named(c, 0);
}

static json_t *all_reduce_by_name(table_case *c)
{
    return all_reduce_named(c, 1);
}

static json_t *all_reduce_id(table_case *c)
{
    collective it = { .op = table_op(c, "SUM") };
    add(c, &it, by_id(c, 0, 1, COHORT_I32));
    return all_reduced(c, &it);
}

static json_t *all_reduce_nothing(table_case *c)
{
    collective it = { .op = table_op(c, "SUM") };
    return table_step(c, all_reduce_own, &it) == COHORT_OK ? json_pack("{s:[]}", "list") : NULL;
}

static json_t *all_reduce_list(table_case *c)
{
    collective it = { .op = table_op(c, "SUM") };
    const json_t *every = table_arg(c, "every_replica"), *entry;
    json_t *list = json_array(), *part = list;
    size_t i;
    json_array_foreach(every, i, entry)
    {
        const cohort_array *own = i < LIST ? same(c, entry, table_args_dtype(c, COHORT_F32)) : NULL;
        if (own == NULL)
            return json_decref(list),
                   i < LIST ? NULL : table_malformed(c, "a list of more than %d", LIST);
        add(c, &it, own);
    }
    if (table_step(c, all_reduce_own, &it) != COHORT_OK)
        part = NULL;
    for (int k = 0; k < it.n && part != NULL; k++)
        if ((part = table_container(c, it.values[k])) != NULL)
            json_array_append_new(list, part);
    return part == NULL ? (json_decref(list), NULL) : json_pack("{s:o}", "list", list);
}

/* {x: i, y: [2i, (i+1, [i, i*i])], z: int(i)} */
static json_t *all_reduce_nest(table_case *c)
{
    collective it = { .op = table_op(c, "SUM") };
    cohort_array *pairs = table_memory(c, (size_t)c->replicas * sizeof *pairs);
    json_t *found[LIST] = { NULL };
    for (int r = 0; r < c->replicas; r++) {
        float *pair = table_memory(c, 2 * sizeof *pair);
        pair[0] = (float)r, pair[1] = (float)(r * r);
        pairs[r] = COHORT_ARRAY(pair, 2);
    }
    add(c, &it, by_id(c, 0, 1, COHORT_F32));
    add(c, &it, by_id(c, 0, 2, COHORT_F32));
    add(c, &it, by_id(c, 1, 1, COHORT_F32));
    add(c, &it, pairs);
    add(c, &it, by_id(c, 0, 1, COHORT_I32));
    bool is_good = table_step(c, all_reduce_own, &it) == COHORT_OK;
    for (int i = 0; i < it.n && is_good; i++)
        is_good = (found[i] = table_container(c, it.values[i])) != NULL;
    if (is_good)
        return json_pack("{s:{s:o, s:{s:[o, {s:[o, o]}]}, s:o}}", "dict", "x", found[0], "y",
                         "list", found[1], "tuple", found[2], found[3], "z", found[4]);
    for (int i = 0; i < it.n; i++)
        json_decref(found[i]);
    return NULL;
}

/* The gradient of all_reduce(x) * c is the all_reduce of c. */
static json_t *all_reduce_gradient(table_case *c)
{
    collective it = { .op = table_op(c, "SUM") };
    const json_t *factor = table_arg(c, "c");
    table_no_matter(c, "x"); /* a linear function has the same gradient everywhere */
    cohort_dtype dtype = table_args_dtype(c, COHORT_F32);
    const cohort_array *own =
        json_is_array(factor) ? table_per_replica(c, factor, dtype) : same(c, factor, dtype);
    if (own == NULL)
        return NULL;
    add(c, &it, own);
    return all_reduced(c, &it);
}

/* ---- A vector of one number on each replica. */

static json_t *runs(const cohort_array *vector)
{
    json_t *list = json_array();
    const float *x = vector->data;
    for (int64_t i = 0, first = 0; i < vector->shape[0]; i++)
        if (i + 1 == vector->shape[0] || x[i + 1] != x[i]) {
            json_array_append_new(list,
                                  json_pack("[f, I]", (double)x[i], (json_int_t)(i + 1 - first)));
            first = i + 1;
        }
    return list;
}

static json_t *all_reduce_vector(table_case *c)
{
    collective it = { .op = COHORT_SUM };
    cohort_array found[TABLE_MAX_REPLICAS];
    const cohort_array *own = table_vectors(c);
    bool are_equal = true;
    if (own == NULL)
        return NULL;
    add(c, &it, own);
    if (table_step(c, all_reduce_own, &it) != COHORT_OK)
        return NULL;
    if (cohort_local_results(it.values[0], found, TABLE_MAX_REPLICAS) != c->replicas)
        return table_failed(c);
    for (int r = 1; r < c->replicas; r++)
        are_equal = are_equal && memcmp(found[r].data, found[0].data,
                                        (size_t)own[r].shape[0] * sizeof(float)) == 0;
    return json_pack("{s:b, s:o}", "equal_on_all_replicas", are_equal, "runs_of_value_and_count",
                     runs(&found[0]));
}

const table_operation table_collective_operations[] = {
    { "all_reduce", all_reduce },
    { "all_reduce of unequal shapes (ReductionToOneDevice for central; see the note for mirrored)",
      all_reduce },
    { "all_reduce of the same tensor on every replica: captured", all_reduce_captured },
    { "all_reduce of the same tensor on every replica: captured-mean",
      all_reduce_mean_of_captured },
    { "all_reduce of the same tensor on every replica: captured-identity", all_reduce_own_content },
    { "all_reduce of the same tensor on every replica: constant-in-fn", all_reduce_own_content },
    { "all_reduce of one captured tensor", all_reduce_captured },
    { "all_reduce of a python number", all_reduce_own_content },
    { "all_reduce with a bad op", all_reduce_by_bad_name },
    { "all_reduce with a string op", all_reduce_by_name },
    { "all_reduce of the replica id", all_reduce_id },
    { "all_reduce of an empty nest", all_reduce_nothing },
    { "all_reduce of a list", all_reduce_list },
    { "all_reduce of {x:i, y:[2i,(i+1,[i,i*i])], z:int(i)}", all_reduce_nest },
    { "gradient of all_reduce(x)*c", all_reduce_gradient },
    { "all_reduce SUM of a vector of equal float32 on each replica", all_reduce_vector },
    { NULL, NULL },
};
