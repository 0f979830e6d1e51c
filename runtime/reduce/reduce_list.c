/* SPDX-License-Identifier: BSD-3-Clause */
/* cohort_reduce_list: what is near goes into a bucket, and is one operation with its like; what is
 * not has a plan of its own. Over workers all have plans, whose surveys are joined in one meeting, and
 * whose sums cross together. */
#include "config.h"

#include "runtime/reduce/list_memo.h"
#include "runtime/reduce/reduce.h"

#include <cohort/reduce.h>

static const char call[] = "cohort_reduce_list";

/* n reductions, in memory of the reducer. */
typedef struct list {
    cohort_reduce_op op;
    int32_t axis;
    cohort_reducer *reducer;
    cohort_near *nears;        /* the first n_near */
    cohort_reduce_plan *plans; /* the first n_plans; they are to be ended */
    cohort_value **into;       /* [n_plans] */
    cohort_survey **surveys;   /* [n_plans] */
    int n_near, n_plans;
} list;

static cohort_status make_room(list *l, int n)
{
    enum { EACH = sizeof *l->nears + sizeof *l->plans + sizeof *l->into + sizeof *l->surveys };
    l->plans = cohort_reducer_room(l->reducer, (size_t)n, EACH);
    if (l->plans == NULL)
        return COHORT_ENOMEM;
    l->nears = (cohort_near *)(l->plans + n);
    l->into = (cohort_value **)(l->nears + n);
    l->surveys = (cohort_survey **)(l->into + n);
    return COHORT_OK;
}

static cohort_status prepare_plan(const list *l, int i)
{
    cohort_status status = cohort_reduce_plan_check(&l->plans[i]);
    return status < 0 ? status : cohort_reduce_prepare(&l->plans[i], l->into[i]);
}

static cohort_status begin_plan(list *l, cohort_value *value, cohort_value *into)
{
    cohort_argument x = cohort_argument_make_(COHORT_ARGUMENT_VALUE, value);
    cohort_reduce_request request = cohort_reduce_request_of(l->op, x, &l->axis);
    cohort_reduce_plan *plan = &l->plans[l->n_plans];
    cohort_status status = cohort_reduce_check_into(&x, into, call);
    if (status >= 0)
        status = cohort_reduce_plan_look(plan, call, l->reducer->strategy, &request);
    if (status < 0)
        return status;
    l->surveys[l->n_plans] = &plan->survey;
    l->into[l->n_plans++] = into;
    return l->reducer->strategy->workers != NULL ? COHORT_OK : prepare_plan(l, l->n_plans - 1);
}

/* Before all workers have met for all of them nobody knows what any makes. */
static cohort_status join(const list *l)
{
    const cohort_strategy *s = l->reducer->strategy;
    if (s->workers == NULL)
        return COHORT_OK;
    cohort_status status = cohort_survey_join(call, s, l->surveys, l->n_plans);
    for (int i = 0; i < l->n_plans && status >= 0; i++)
        status = prepare_plan(l, i);
    return status < 0 ? status : cohort_reducer_hold(l->reducer, l->n_plans);
}

static cohort_status begin_one(list *l, cohort_value *value, cohort_value *into)
{
    bool is_near = l->axis == COHORT_NO_AXIS &&
                   cohort_near_begin(&l->nears[l->n_near], l->reducer, l->op, value, into);
    l->n_near += is_near;
    return is_near ? COHORT_OK : begin_plan(l, value, into);
}

/* What is far first: it is with devices while the caller does what is near. */
static void post(const list *l)
{
    cohort_bucket bucket; /* not cleared: it is large */
    for (int i = 0; i < l->n_plans; i++)
        cohort_reduce_post(&l->plans[i], l->into[i]);
    cohort_reducer_cross(l->reducer);
    if (l->n_near == 0)
        return;
    cohort_near_open(&bucket, l->reducer, l->op);
    for (int i = 0; i < l->n_near; i++)
        cohort_near_post(&l->nears[i], &bucket);
    cohort_bucket_close(&bucket, true);
}

/* All are prepared before the first is posted: the list is reduced as a whole or not at all. */
static cohort_status reduce_anew(cohort_reducer *reducer, const cohort_list_call *c, int32_t axis,
                                 cohort_list_memo *memo)
{
    list l = { .op = c->op, .axis = axis, .reducer = reducer };
    cohort_status status = cohort_reduce_check_distinct(call, c->values, c->n, c->into);
    if (status >= 0)
        status = make_room(&l, c->n);
    for (int i = 0; i < c->n && status >= 0; i++)
        status = begin_one(&l, c->values[i], c->into[i]);
    if (status >= 0)
        status = join(&l);
    if (status >= 0)
        post(&l);
    if (status >= 0 && l.n_near == c->n)
        cohort_list_memo_keep(memo, reducer, c);
    for (int i = 0; i < l.n_plans; i++)
        cohort_reduce_plan_end(&l.plans[i]);
    return status;
}

static cohort_status reduce_list(const cohort_list_call *c, int32_t axis)
{
    cohort_reducer *reducer = cohort_reducer_of(c->into[0]->strategy);
    if (reducer == NULL)
        return COHORT_ENOMEM;
    cohort_list_memo *memo = axis == COHORT_NO_AXIS ? cohort_list_memo_find(reducer, c) : NULL;
    if (!cohort_list_memo_holds(memo, reducer, c))
        return reduce_anew(reducer, c, axis, memo);
    cohort_list_memo_post(memo, reducer);
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
    static const cohort_recordable recordable = { sizeof(list_request), keep_list, run_list,
                                                  describe_list };
    if (n == 0)
        return COHORT_OK;
    const list_request request = { op, { values, into, n }, axis };
    return cohort_reduce_make_list(&request.lists, call, &recordable, &request);
}
