/* SPDX-License-Identifier: BSD-3-Clause */
/* B: run and merge calls. */
#include "config.h"

#include "tests/semantics/cases.h"

#include <math.h>

COHORT_ITEMS(begin, i, 1, (int32_t first, int32_t id, COHORT_OUT int32_t y[1]),
             { y[i] = first + id; });
COHORT_ITEMS(both, i, 1, (const int32_t x[1], COHORT_OUT int32_t a[1], COHORT_OUT int32_t b[1]), {
    a[i] = 2 * x[i];
    b[i] = x[i] * x[i];
});
COHORT_ITEMS(combined, i, 1, (const int32_t b[1], const int32_t a[1], COHORT_OUT int32_t y[1]),
             { y[i] = a[i] + 2 * b[i] + 2; });
COHORT_ITEMS(square, i, 1, (float x, COHORT_OUT float y[1]), { y[i] = x * x; });
COHORT_ITEMS(slope, i, 1, (const float w[1], COHORT_OUT float g[1]), { g[i] = 2 * (w[i] - 1); });
COHORT_ITEMS(descend, i, 1, (float rate, const float g[1], float w[1]), { w[i] -= rate * g[i]; });

/* ---- A chain of three functions. */

typedef struct chain {
    int32_t first;
    bool is_by_id;
    int32_t x[2], a[2], b[2], y[2];
} chain;

static const chain b1 = { 1, true, { 1, 2 }, { 2, 4 }, { 1, 4 }, { 6, 14 } };
static const chain b2 = { 4, false, { 4 }, { 8 }, { 16 }, { 42 } };

static bool has_ints(cohort_value *value, int replicas, const int32_t wanted[])
{
    cohort_array found[MOST];
    bool is_good = good(cohort_value_kind_of(value) == COHORT_PER_REPLICA_VALUE) &&
                   good(cohort_local_results(value, found, MOST) == replicas);
    for (int r = 0; r < replicas && is_good; r++)
        is_good = good(found[r].dtype == COHORT_I32) &&
                  good(*(const int32_t *)found[r].data == wanted[r]);
    return is_good;
}

static bool chains(cohort_strategy *s, int replicas, const void *data)
{
    const chain *it = data;
    cohort_value *x = cohort_value_create(s), *a = cohort_value_create(s),
                 *b = cohort_value_create(s), *y = cohort_value_create(s);
    cohort_status status = it->is_by_id ? cohort_run(s, begin, it->first, COHORT_REPLICA_ID, x)
                                        : cohort_run(s, begin, it->first, 0, x);
    return good(status == COHORT_OK) && good(cohort_run(s, both, x, a, b) == COHORT_OK) &&
           good(cohort_run(s, combined, b, a, y) == COHORT_OK) && has_ints(x, replicas, it->x) &&
           has_ints(a, replicas, it->a) && has_ints(b, replicas, it->b) &&
           has_ints(y, replicas, it->y);
}

static bool squares(cohort_strategy *s, int replicas, const void *data)
{
    const float four = 4;
    cohort_value *y = cohort_value_create(s);
    (void)data;
    return good(cohort_run(s, square, 2.0f, y) == COHORT_OK) &&
           all_have_floats(y, replicas, 1, &four);
}

static bool covers_ids(cohort_strategy *s, int replicas, const void *data)
{
    static const int32_t wanted[MOST] = { 0, 1, 2, 3, 4, 5, 6, 7 };
    cohort_value *x = cohort_value_create(s);
    (void)data;
    return good(cohort_run(s, begin, 0, COHORT_REPLICA_ID, x) == COHORT_OK) &&
           has_ints(x, replicas, wanted);
}

/* Loss (w * 1 - 1)^2: the distance of w from 1 gets smaller with each step. */
static bool descends(cohort_strategy *s, int replicas, const void *data)
{
    const float three = 3;
    float now = 3;
    cohort_variable *w = variable(s, three, COHORT_AUTO, COHORT_AGGREGATE_NONE);
    cohort_value *g = cohort_value_create(s), *sum = cohort_value_create(s);
    bool is_good = good(w != NULL);
    (void)data;
    for (int i = 0; i < 10 && is_good; i++) {
        float before = fabsf(now - 1);
        is_good = good(cohort_run(s, slope, w, g) == COHORT_OK) &&
                  good(cohort_reduce(COHORT_SUM, g, COHORT_NO_AXIS, sum) == COHORT_OK) &&
                  good(cohort_update(w, descend, 0.2f / (float)replicas, sum, w) == COHORT_OK) &&
                  good(cohort_variable_read(w, scalar(&now)) == COHORT_OK) &&
                  good(fabsf(now - 1) < before);
    }
    return is_good;
}

/* ---- Failures: of the step, of the merge function, of a step in it, of the merge function in
 * that. */

typedef struct nesting {
    cohort_step_fn inner;
    cohort_merge_fn merge;
} nesting;

static cohort_status merge_once(cohort_replica *me, void *user)
{
    nesting *it = user;
    return cohort_merge_call(me, it->merge, it);
}

static cohort_status fail(cohort_strategy *s, void *const user[], int n)
{
    (void)s, (void)user, (void)n;
    return COHORT_ENOTSUP;
}

static cohort_status fail_step(cohort_replica *me, void *user)
{
    (void)me, (void)user;
    return COHORT_ENOTSUP;
}

static cohort_status merge_failing(cohort_replica *me, void *user)
{
    return cohort_merge_call(me, fail, user);
}

static cohort_status call_inner(cohort_strategy *s, void *const user[], int n)
{
    nesting *it = user[0];
    (void)n;
    return cohort_for_each_replica(s, it->inner, it);
}

static const nesting merge_fails = { NULL, fail }, call_fails = { fail_step, call_inner },
                     nested_merge_fails = { merge_failing, call_inner };

static bool fails(cohort_strategy *s, int replicas, const void *data)
{
    (void)replicas;
    if (data == NULL)
        return good(cohort_for_each_replica(s, fail_step, NULL) == COHORT_ENOTSUP) &&
               refused_with(s, cohort_strategy_status(s), "");
    nesting it = *(const nesting *)data;
    return good(cohort_for_each_replica(s, merge_once, &it) == COHORT_ENOTSUP) &&
           refused_with(s, cohort_strategy_status(s), "");
}

/* ---- Replicas that do not do the same. */

static cohort_status look(cohort_strategy *s, void *const user[], int n)
{
    (void)s, (void)user, (void)n;
    return COHORT_OK;
}

static cohort_status merge_only_first(cohort_replica *me, void *user)
{
    return cohort_replica_id(me) == 0 ? cohort_merge_call(me, look, user) : COHORT_OK;
}

static cohort_status merge_by_id(cohort_replica *me, void *user)
{
    cohort_status status = COHORT_OK;
    for (int i = 0; i <= cohort_replica_id(me) && status == COHORT_OK; i++)
        status = cohort_merge_call(me, look, user);
    return status;
}

static bool merges_differ(cohort_strategy *s, int replicas, const void *data)
{
    (void)replicas, (void)data;
    return refused_with(s, cohort_for_each_replica(s, merge_only_first, NULL),
                        "cohort_merge_call") &&
           refused_with(s, cohort_for_each_replica(s, merge_by_id, NULL), "cohort_merge_call");
}

static cohort_status give_list(cohort_replica *me, void *user)
{
    return cohort_all_reduce(me, COHORT_SUM, user, cohort_replica_id(me));
}

static bool lists_differ(cohort_strategy *s, int replicas, const void *data)
{
    cohort_value *values[MOST];
    (void)data;
    for (int i = 0; i < MOST; i++)
        values[i] = same_number(s, replicas, 1);
    return refused_with(s, cohort_for_each_replica(s, give_list, values), "cohort_all_reduce");
}

const semantic_case run_cases[] = {
    { "B1 a chain of functions on two replicas", 2, VALUES_ALONE, chains, &b1 },
    { "B2 the same on one replica, in containers of one", 1, VALUES_ALONE, chains, &b2 },
    { "B3 the square of 2.0", 0, VALUES_ALONE, squares, NULL },
    { "B5 other numbers of merge calls are an error", -1, VALUES_ALONE, merges_differ, NULL },
    { "B6 a step that fails fails the call", 0, VALUES_ALONE, fails, NULL },
    { "B6 so does the function of a merge call", 0, VALUES_ALONE, fails, &merge_fails },
    { "B6 and the replicas that it calls", 0, VALUES_ALONE, fails, &call_fails },
    { "B6 and the merge function of those", 0, VALUES_ALONE, fails, &nested_merge_fails },
    { "B7 lists of other lengths are an error", -1, VALUES_ALONE, lists_differ, NULL },
    { "B9 every replica id is there once", 0, VALUES_ALONE, covers_ids, NULL },
    { "B11 gradient descent comes nearer with every step", 0, ANY_PLACEMENT, descends, NULL },
    { NULL, 0, ANY_PLACEMENT, NULL, NULL },
};
