/* SPDX-License-Identifier: BSD-3-Clause */
/* gather and all_gather. */
#include "config.h"

#include "tests/table/table.h"

#include <stdio.h>
#include <string.h>

static bool axis_of(table_case *c, int *out)
{
    double axis = 0;
    bool is_good = table_number(c, "axis", &axis);
    *out = (int)axis;
    return is_good;
}

static json_t *gather(table_case *c)
{
    int axis;
    cohort_value *x = table_value(c, "per_replica"), *into = cohort_value_create(c->s);
    if (x == NULL || !axis_of(c, &axis))
        return NULL;
    return cohort_gather(x, axis, into) == COHORT_OK ? table_plain(c, into) : table_failed(c);
}

static json_t *gather_plain(table_case *c)
{
    int axis;
    cohort_array content = table_array(c, table_arg(c, "value"), table_args_dtype(c, COHORT_F32));
    cohort_value *into = cohort_value_create(c->s);
    if (content.data == NULL || !axis_of(c, &axis))
        return NULL;
    return cohort_gather(cohort_value_plain(c->s, content), axis, into) == COHORT_OK
               ? table_plain(c, into)
               : table_failed(c);
}

/* Index slices are two values, ids and rows, and gather takes one. */
static json_t *gather_slices(table_case *c)
{
    int axis;
    static const int32_t ids[1] = { 1 };
    static const float rows[2] = { 1, 2 };
    cohort_value *slices[] = { cohort_value_plain(c->s, COHORT_ARRAY(ids, 1)),
                               cohort_value_plain(c->s, COHORT_ARRAY(rows, 1, 2)) };
    cohort_value *into = cohort_value_create(c->s);
    if (!axis_of(c, &axis))
        return NULL;
    return cohort_gather_argument(COHORT_VALUES(slices, 2), axis, into) == COHORT_OK
               ? table_plain(c, into)
               : table_failed(c);
}

static json_t *no_slices(table_case *c)
{
    return table_skipped(c, "no counterpart: all_gather takes a value, index slices are two");
}

/* ---- In replica functions. */

typedef struct gathering {
    const cohort_array *own; /* [replica] */
    cohort_value *value, *into;
    int axis;
} gathering;

static cohort_status all_gather_own(cohort_replica *me, void *user)
{
    gathering *it = user;
    cohort_status status = cohort_replica_set(me, it->value, it->own[cohort_replica_id(me)]);
    return status == COHORT_OK ? cohort_all_gather(me, it->value, it->axis, it->into) : status;
}

static json_t *all_gathered(table_case *c, const cohort_array *own, int axis)
{
    gathering it = { own, cohort_value_create(c->s), cohort_value_create(c->s), axis };
    return table_step(c, all_gather_own, &it) == COHORT_OK ? table_container(c, it.into) : NULL;
}

static json_t *all_gather(table_case *c)
{
    int axis;
    const cohort_array *own =
        table_per_replica(c, table_arg(c, "per_replica"), table_args_dtype(c, COHORT_F32));
    return own == NULL || !axis_of(c, &axis) ? NULL : all_gathered(c, own, axis);
}

/* {x: [i], y: [[[float(i)]]]} */
static json_t *all_gather_nest(table_case *c)
{
    int axis;
    cohort_array *x = table_memory(c, (size_t)c->replicas * sizeof *x),
                 *y = table_memory(c, (size_t)c->replicas * sizeof *y);
    for (int r = 0; r < c->replicas; r++) {
        x[r] = table_scalar(c, r, COHORT_I32);
        y[r] = table_scalar(c, r, COHORT_F32);
        x[r].rank = 1, y[r].rank = 2;
        x[r].shape[0] = y[r].shape[0] = y[r].shape[1] = 1;
    }
    if (!axis_of(c, &axis))
        return NULL;
    json_t *of_x = all_gathered(c, x, axis), *of_y = of_x == NULL ? NULL : all_gathered(c, y, axis);
    if (of_y != NULL)
        return json_pack("{s:{s:o, s:{s:[o]}}}", "dict", "x", of_x, "y", "list", of_y);
    json_decref(of_x);
    return NULL;
}

static cohort_status gather_here(cohort_replica *me, void *user)
{
    gathering *it = user;
    cohort_status status = cohort_replica_set(me, it->value, it->own[cohort_replica_id(me)]);
    return status == COHORT_OK ? cohort_gather(it->value, 0, it->into) : status;
}

static json_t *gather_in_replica(table_case *c)
{
    cohort_array *own = table_memory(c, (size_t)c->replicas * sizeof *own);
    for (int r = 0; r < c->replicas; r++) {
        own[r] = table_scalar(c, r, COHORT_F32);
        own[r].shape[own[r].rank++] = 1;
    }
    gathering it = { own, cohort_value_create(c->s), cohort_value_create(c->s), 0 };
    return table_step(c, gather_here, &it) == COHORT_OK ? table_plain(c, it.into) : NULL;
}

/* ---- The gradient of sum(all_gather(x) * c): the sum over the replicas of c, of which each takes
 * its own part. */

typedef struct summing {
    cohort_value *value;
    const cohort_array *own;
} summing;

static cohort_status sum_own(cohort_replica *me, void *user)
{
    summing *it = user;
    cohort_status status = cohort_replica_set(me, it->value, it->own[cohort_replica_id(me)]);
    return status == COHORT_OK ? cohort_all_reduce(me, COHORT_SUM, &it->value, 1) : status;
}

static json_t *parts_of(const cohort_array *sums, const cohort_array *parts, int n)
{
    json_t *values = json_array();
    int64_t first = 0;
    for (int r = 0; r < n; first += parts[r++].shape[0]) {
        cohort_array part = parts[r];
        part.data = (float *)sums[r].data + first;
        json_array_append_new(values, table_tensor(&part));
    }
    return table_container_of("PerReplica", values);
}

static json_t *all_gather_gradient(table_case *c)
{
    cohort_array *x = table_floats(c, "x", 1), sums[TABLE_MAX_REPLICAS];
    cohort_array *own = table_memory(c, (size_t)c->replicas * sizeof *own);
    int64_t total = 0;
    for (int r = 0; r < c->replicas && x != NULL; r++)
        total += x[r].shape[0];
    for (int r = 0; r < c->replicas; r++) {
        float *factor = table_memory(c, (size_t)total * sizeof *factor);
        for (int64_t j = 0; j < total; j++)
            factor[j] = (float)((j + 1) * (r + 1));
        own[r] = COHORT_ARRAY(factor, total);
    }
    summing it = { cohort_value_create(c->s), own };
    if (x == NULL || table_step(c, sum_own, &it) != COHORT_OK)
        return NULL;
    return cohort_local_results(it.value, sums, TABLE_MAX_REPLICAS) == c->replicas
               ? parts_of(sums, x, c->replicas)
               : table_failed(c);
}

/* ---- After a gather that failed: "G6-2-gather in the same process". G6: shapes that differ, G7:
 * ranks that differ, G8: index slices. */

typedef struct failing {
    char kind[8], call[16];
    int replicas;
} failing;

static bool failing_of(table_case *c, failing *out)
{
    static const char *const kinds[] = { "G6", "G7", "G8", "scalar" };
    int n = 0, i = 0;
    bool is_one = sscanf(c->rest, "%7[A-Za-z0-9]-%d-%15[a-z_] in the same process%n", out->kind,
                         &out->replicas, out->call, &n) == 3 &&
                  n > 0 && c->rest[n] == '\0' && out->replicas == c->replicas &&
                  (strcmp(out->call, "gather") == 0 || strcmp(out->call, "all_gather") == 0);
    while (i < 4 && strcmp(kinds[i], out->kind) != 0)
        i++;
    table_rest_is_read(c);
    return (is_one && i < 4) || table_malformed(c, "op: the case \"%s\"", c->rest) != NULL;
}

static cohort_array odd_component(table_case *c, const failing *how, int replica)
{
    cohort_array array = { .dtype = COHORT_F32, .shape = { 1, 1, 1 } };
    array.rank = strcmp(how->kind, "G7") == 0       ? 1 + replica % 2
                 : strcmp(how->kind, "scalar") == 0 ? 0
                                                    : 2;
    if (strcmp(how->kind, "G6") == 0)
        array.shape[1] = replica + 1;
    array.data = table_memory(c, (size_t)(replica + 1) * sizeof(float));
    return array;
}

static bool gather_fails(table_case *c, const failing *how)
{
    cohort_array *own = table_memory(c, (size_t)c->replicas * sizeof *own);
    cohort_value *into = cohort_value_create(c->s);
    gathering it = { own, cohort_value_create(c->s), into, 0 };
    for (int r = 0; r < c->replicas; r++)
        own[r] = odd_component(c, how, r);
    if (strcmp(how->kind, "G8") == 0) {
        cohort_value *slices[] = { into, into };
        return cohort_gather_argument(COHORT_VALUES(slices, 2), 0, into) != COHORT_OK;
    }
    if (strcmp(how->call, "all_gather") == 0)
        return cohort_for_each_replica(c->s, all_gather_own, &it) != COHORT_OK;
    return cohort_gather(cohort_value_per_replica(c->s, own), 0, into) != COHORT_OK;
}

static json_t *all_reduce_after(table_case *c)
{
    failing how = { .kind = "" };
    if (table_op(c, NULL) != COHORT_SUM || !failing_of(c, &how))
        return table_malformed(c, "args: op has to be SUM");
    cohort_array *own = table_memory(c, (size_t)c->replicas * sizeof *own);
    for (int r = 0; r < c->replicas; r++)
        own[r] = table_scalar(c, 1, COHORT_F32);
    summing it = { NULL, own };
    if (!gather_fails(c, &how))
        return table_malformed(c, "the gather before it does not fail");
    if (cohort_strategy_recover(c->s) != COHORT_OK)
        return table_failed(c);
    it.value = cohort_value_create(c->s);
    return table_step(c, sum_own, &it) == COHORT_OK ? table_container(c, it.value) : NULL;
}

const table_operation table_gather_operations[] = {
    { "gather", gather },
    { "gather of scalars", gather },
    { "gather of a plain tensor", gather_plain },
    { "gather of plain index slices", gather_slices },
    { "gather of per-replica index slices", gather_slices },
    { "all_gather of index slices", no_slices },
    { "all_gather", all_gather },
    { "all_gather of {x:[i], y:[[[float(i)]]]}", all_gather_nest },
    { "gather called in a replica function", gather_in_replica },
    { "gradient of sum(all_gather(x)*c), c[j] = (j+1)*(i+1) on replica i", all_gather_gradient },
    { "all_reduce(1.0) after the case *", all_reduce_after },
    { NULL, NULL },
};
