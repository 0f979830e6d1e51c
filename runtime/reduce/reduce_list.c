/* SPDX-License-Identifier: BSD-3-Clause */
/* cohort_reduce_list: what is near and small goes into a bucket, and is one operation with its
 * like; what is near and large is posted alone; what is not near, and over workers everything, has
 * a plan of its own. */
#include "config.h"

#include "runtime/operation/ledger.h"
#include "runtime/reduce/list_memo.h"
#include "runtime/reduce/list_shadow.h"
#include "runtime/reduce/plans.h"
#include "runtime/reduce/reduce.h"

#include <cohort/reduce.h>

static const char call[] = "cohort_reduce_list";

/* n reductions, in memory of the reducer. */
typedef struct list {
    cohort_reduce_op op;
    int32_t axis;
    cohort_reducer *reducer;
    cohort_reduce_plans plans;
    cohort_near *nears; /* the first n_near, n_small of them small */
    int n_near, n_small;
} list;

_Static_assert(sizeof(cohort_near) % _Alignof(cohort_reduce_plan) == 0,
               "plans may lie behind what is near");

static cohort_status make_room(list *l, int n)
{
    enum { EACH = sizeof *l->nears + COHORT_REDUCE_PLANS_EACH };
    l->nears = cohort_reducer_room(l->reducer, (size_t)n, EACH);
    if (l->nears == NULL)
        return COHORT_ENOMEM;
    cohort_reduce_plans_open(&l->plans, call, l->reducer, l->nears + n, n);
    return COHORT_OK;
}

static cohort_status begin_one(list *l, cohort_value *value, cohort_value *into)
{
    if (l->axis == COHORT_NO_AXIS &&
        cohort_near_begin(&l->nears[l->n_near], l->reducer, l->op, value, into)) {
        l->n_small += l->nears[l->n_near++].is_small;
        return COHORT_OK;
    }
    const cohort_argument x = cohort_argument_make_(COHORT_ARGUMENT_VALUE, value);
    const cohort_reduce_request request = cohort_reduce_request_of(l->op, x, &l->axis);
    return cohort_reduce_plans_add(&l->plans, &request, into);
}

static void post_small(const list *l)
{
    cohort_bucket bucket; /* not cleared: it is large */
    cohort_near_open(&bucket, l->reducer, l->op);
    for (int i = 0; i < l->n_near; i++)
        if (l->nears[i].is_small)
            cohort_near_post(&l->nears[i], &bucket);
    cohort_bucket_close(&bucket, true);
}

/* What is far or large first: it is with devices while the caller does what is small. */
static void post(const list *l)
{
    cohort_ledger_say_repeatable(l->reducer->strategy->executor);
    cohort_reduce_plans_post(&l->plans);
    for (int i = 0; i < l->n_near; i++)
        if (!l->nears[i].is_small)
            cohort_near_post_alone(&l->nears[i], l->reducer, l->op);
    if (l->n_small > 0)
        post_small(l);
}

/* All are prepared before the first is posted: the list is reduced as a whole or not at all. */
static cohort_status reduce_anew(cohort_reducer *reducer, const cohort_list_call *c, int32_t axis,
                                 cohort_list_memo *memo)
{
    list l = { .op = c->op, .axis = axis, .reducer = reducer };
    size_t failed;
    cohort_status status = cohort_reduce_check_distinct(call, c->values, c->n, c->into);
    if (status >= 0)
        status = make_room(&l, c->n);
    for (int i = 0; i < c->n && status >= 0; i++)
        status = begin_one(&l, c->values[i], c->into[i]);
    if (status >= 0)
        status = cohort_reduce_plans_join(&l.plans, &failed);
    if (status >= 0)
        post(&l);
    if (status >= 0 && l.n_small == c->n)
        cohort_list_memo_keep(memo, reducer, c);
    cohort_reduce_plans_end(&l.plans);
    return status;
}

/* Where some sums are to be folds of their own, which ones is no matter of the list alone. */
static bool has_memo(const cohort_reducer *reducer, int32_t axis)
{
    return axis == COHORT_NO_AXIS && reducer->strategy->repeating.kind >= COHORT_REPEAT_MEMO &&
           !cohort_ledger_plan(reducer->strategy->executor)->posts_all;
}

#ifdef COHORT_ASSERTIONS
/* Looked at the plain way as well, and compared. */
static void reduce_watched(cohort_reducer *reducer, const cohort_list_call *c,
                           cohort_list_memo *memo)
{
    uint64_t sum = cohort_list_shadow_compare(memo, reducer, c);
    cohort_list_memo_post(memo, reducer);
    cohort_list_shadow_compare_results(memo, reducer, sum);
}
#endif

/* By a memo that holds. */
static void reduce_again(cohort_reducer *reducer, const cohort_list_call *c, cohort_list_memo *memo)
{
#ifdef COHORT_ASSERTIONS
    if (reducer->strategy->repeating.is_watched) {
        reduce_watched(reducer, c, memo);
        return;
    }
#endif
    (void)c;
    cohort_list_memo_post(memo, reducer);
}

static cohort_status reduce_list(const cohort_list_call *c, int32_t axis)
{
    cohort_reducer *reducer = cohort_reducer_of(c->into[0]->strategy);
    if (reducer == NULL)
        return COHORT_ENOMEM;
    cohort_list_memo *memo = has_memo(reducer, axis) ? cohort_list_memo_find(reducer, c) : NULL;
    if (!cohort_list_memo_holds(memo, reducer, c))
        return reduce_anew(reducer, c, axis, memo);
    reduce_again(reducer, c, memo);
    return COHORT_OK;
}

typedef struct list_request {
    cohort_reduce_op op;
    cohort_reduce_values lists;
    int32_t axis;
} list_request;

static cohort_status keep_list(cohort_recorder *recorder, const char *name, void *request)
{
    return cohort_reduce_keep_list(recorder, name, &((list_request *)request)->lists);
}

static cohort_status run_list(cohort_strategy *strategy, const void *request)
{
    const list_request *r = request;
    const cohort_list_call c = { r->op, r->lists.values, r->lists.into, r->lists.n };
    (void)strategy;
    return reduce_list(&c, r->axis);
}

static void describe_list(const cohort_strategy *strategy, const void *request, FILE *out)
{
    (void)fprintf(out, "%d values, each ", ((const list_request *)request)->lists.n);
    cohort_reduce_describe_home(strategy, request, out);
}

cohort_status cohort_reduce_list(cohort_reduce_op op, cohort_value *const values[], int n, int axis,
                                 cohort_value *const into[])
{
    static const cohort_recordable recordable = {
        .bytes = sizeof(list_request), .keep = keep_list, .run = run_list, .describe = describe_list
    };
    if (n == 0)
        return COHORT_OK;
    const list_request request = { op, { values, into, n }, axis };
    return cohort_reduce_make_list(&request.lists, call, &recordable, &request);
}
