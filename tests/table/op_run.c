/* SPDX-License-Identifier: BSD-3-Clause */
/* run: functions, chains of them, and functions that fail. */
#include "config.h"

#include "tests/table/table.h"

#include <math.h>
#include <string.h>

COHORT_ITEMS(table_square, i, 1, (float x, COHORT_OUT float y[1]), { y[i] = x * x; });
COHORT_ITEMS(table_first, i, 1, (int32_t start, int32_t id, COHORT_OUT int32_t y[1]),
             { y[i] = start + id; });
COHORT_ITEMS(table_second, i, 1,
             (const int32_t x[1], COHORT_OUT int32_t a[1], COHORT_OUT int32_t b[1]), {
                 a[i] = 2 * x[i];
                 b[i] = x[i] * x[i];
             });
COHORT_ITEMS(table_third, i, 1, (const int32_t b[1], const int32_t a[1], COHORT_OUT int32_t y[1]),
             { y[i] = a[i] + 2 * b[i] + 2; });
COHORT_ITEMS(table_sum3, i, 1,
             (const int32_t a[1], int32_t b, const int32_t c[1], COHORT_OUT int32_t y[1]),
             { y[i] = a[i] + b + c[i]; });
COHORT_ITEMS(table_slope, i, 1, (float r, const float w[1], COHORT_OUT float g[1]),
             { g[i] = r * (w[i] - 1); });
COHORT_ITEMS(table_descend, i, 1, (float rate, const float g[1], float w[1]),
             { w[i] -= rate * g[i]; });

/* What a function returned, one number for each replica: a container of scalars. */
static json_t *scalars(table_case *c, cohort_value *value)
{
    cohort_array arrays[TABLE_MAX_REPLICAS];
    if (cohort_local_results(value, arrays, TABLE_MAX_REPLICAS) != c->replicas)
        return table_failed(c);
    json_t *values = json_array();
    for (int r = 0; r < c->replicas; r++) {
        arrays[r].rank = 0; /* an output of one element is a number in Python */
        json_array_append_new(values, table_tensor(&arrays[r]));
    }
    return table_container_of("PerReplica", values);
}

static json_t *run_square(table_case *c)
{
    cohort_value *y = cohort_value_create(c->s);
    return cohort_run(c->s, table_square, 2.0f, y) == COHORT_OK ? scalars(c, y) : table_failed(c);
}

static json_t *run_ids(table_case *c)
{
    cohort_value *id = cohort_value_create(c->s), *count = cohort_value_create(c->s);
    cohort_array arrays[TABLE_MAX_REPLICAS];
    json_t *counts = json_array(), *ids;
    if (cohort_run(c->s, table_first, 0, COHORT_REPLICA_ID, id) != COHORT_OK ||
        cohort_run(c->s, table_first, 0, COHORT_NUM_REPLICAS, count) != COHORT_OK ||
        cohort_local_results(count, arrays, TABLE_MAX_REPLICAS) != c->replicas)
        return json_decref(counts), table_failed(c);
    for (int r = 0; r < c->replicas; r++) /* a number of Python's */
        json_array_append_new(
            counts, json_pack("{s:o}", "value", table_decode(arrays[r].data, arrays[r].dtype)));
    if ((ids = scalars(c, id)) != NULL)
        return json_pack("{s:[o, o]}", "tuple", ids, table_container_of("PerReplica", counts));
    return json_decref(counts), NULL;
}

/* f1 gives first, or id + first; f2 gives a = 2x and b = x * x; f3 gives a + 2b + 2. */
static json_t *run_chain(table_case *c, int first, bool is_by_id)
{
    cohort_value *x = cohort_value_create(c->s), *a = cohort_value_create(c->s),
                 *b = cohort_value_create(c->s), *y = cohort_value_create(c->s);
    cohort_status status = is_by_id ? cohort_run(c->s, table_first, first, COHORT_REPLICA_ID, x)
                                    : cohort_run(c->s, table_first, first, 0, x);
    if (status != COHORT_OK || cohort_run(c->s, table_second, x, a, b) != COHORT_OK ||
        cohort_run(c->s, table_third, b, a, y) != COHORT_OK)
        return table_failed(c);
    json_t *f1 = scalars(c, x), *of_a = scalars(c, a), *of_b = scalars(c, b), *f3 = scalars(c, y);
    return json_pack("{s:o, s:{s:{s:o, s:o}}, s:o}", "f1", f1, "f2", "dict", "a", of_a, "b", of_b,
                     "f3", f3);
}

static json_t *run_chain_of_four(table_case *c)
{
    return run_chain(c, 4, false);
}

static json_t *run_chain_of_id(table_case *c)
{
    return run_chain(c, 1, true);
}

/* a is per replica (i), b plain (20), c per replica (100 (i + 1)); the function adds them. */
static json_t *run_nested(table_case *c)
{
    cohort_array *a = table_memory(c, (size_t)c->replicas * sizeof *a),
                 *d = table_memory(c, (size_t)c->replicas * sizeof *d);
    for (int r = 0; r < c->replicas; r++) {
        a[r] = table_scalar(c, r, COHORT_I32);
        d[r] = table_scalar(c, 100 * (r + 1), COHORT_I32);
        a[r].rank = d[r].rank = 1;
        a[r].shape[0] = d[r].shape[0] = 1;
    }
    cohort_value *y = cohort_value_create(c->s);
    return cohort_run(c->s, table_sum3, cohort_value_per_replica(c->s, a), 20,
                      cohort_value_per_replica(c->s, d), y) == COHORT_OK
               ? scalars(c, y)
               : table_failed(c);
}

/* ---- Failing: a replica function, which is a step function here, returns an error. */

static cohort_status fail(cohort_replica *me, void *user)
{
    const int *only = user;
    return *only < 0 || cohort_replica_id(me) == *only ? COHORT_EINVAL : COHORT_OK;
}

static json_t *refused(table_case *c, int only)
{
    return table_step(c, fail, &only) == COHORT_OK
               ? json_pack("{s:s}", "value", "no replica failed")
               : NULL;
}

static json_t *run_fails(table_case *c)
{
    return refused(c, -1);
}

static json_t *last_fails(table_case *c)
{
    return refused(c, c->replicas - 1);
}

static json_t *run_after_failure(table_case *c)
{
    cohort_value *id = cohort_value_create(c->s);
    json_decref(refused(c, -1));
    if (c->failure[0] == '\0' || cohort_strategy_recover(c->s) != COHORT_OK)
        return table_failed(c);
    return cohort_run(c->s, table_first, 0, COHORT_REPLICA_ID, id) == COHORT_OK ? scalars(c, id)
                                                                                : table_failed(c);
}

static cohort_status run_here(cohort_replica *me, void *user)
{
    cohort_value *y = user;
    return cohort_run(cohort_replica_strategy(me), table_square, 2.0f, y);
}

static json_t *run_in_run(table_case *c)
{
    cohort_value *y = cohort_value_create(c->s);
    return table_step(c, run_here, y) == COHORT_OK ? scalars(c, y) : NULL;
}

static json_t *run_without_input(table_case *c)
{
    cohort_value *y = cohort_value_create(c->s);
    cohort_array arrays[TABLE_MAX_REPLICAS];
    if (cohort_run(c->s, table_first, 3, COHORT_REPLICA_ID, y) != COHORT_OK ||
        cohort_local_results(y, arrays, TABLE_MAX_REPLICAS) != c->replicas)
        return table_failed(c);
    json_t *list = json_array();
    for (int r = 0; r < c->replicas; r++)
        json_array_append_new(list, table_decode(arrays[r].data, arrays[r].dtype));
    return json_pack("{s:o}", "per_replica", list);
}

/* ---- 10 steps of gradient descent: the gradient of (w - 1)^2 is 2 (w - 1). */

static json_t *descend(table_case *c)
{
    cohort_variable *w = table_variable(c, table_scalar(c, 3, COHORT_F32), NULL, NULL);
    cohort_value *g = cohort_value_create(c->s), *sum = cohort_value_create(c->s);
    json_t *distance = json_array();
    float now = 3, rate = (float)(0.2 / c->replicas);
    for (int i = 0; w != NULL && i <= 10; i++) {
        json_array_append_new(distance, json_real((double)fabsf(now - 1)));
        if (cohort_run(c->s, table_slope, 2.0f, w, g) != COHORT_OK ||
            cohort_reduce(COHORT_SUM, g, COHORT_NO_AXIS, sum) != COHORT_OK ||
            cohort_update(w, table_descend, rate, sum, w) != COHORT_OK ||
            cohort_variable_read(w, COHORT_ARRAY(&now, 1)) != COHORT_OK)
            (void)table_failed(c), w = NULL;
    }
    if (w != NULL)
        return json_pack("{s:o}", "distance", distance);
    return json_decref(distance), NULL;
}

const table_operation table_run_operations[] = {
    { "run(square of 2.0)", run_square },
    { "run(square of 2.0), traced", run_square },
    { "run(replica id, number of replicas)", run_ids },
    { "run chain f1=4; f2={a:2x,b:x*x}; f3=a+2b+2", run_chain_of_four },
    { "run chain f1=id+1; f2={a:2x,b:x*x}; f3=a+2b+2", run_chain_of_id },
    { "run(fn, args=({a: per-replica, b: plain},), kwargs={c: [per-replica]})", run_nested },
    { "fn raises", run_fails },
    { "only the last replica raises", last_fails },
    { "run after an exception", run_after_failure },
    { "run called in a replica fn", run_in_run },
    { "experimental_run(fn) without iterator: 3+id", run_without_input },
    { "10 steps of w -= 0.2/R*sum(g), loss (w-1)^2, from 3.0", descend },
    { NULL, NULL },
};
