/* SPDX-License-Identifier: BSD-3-Clause */
/* cohort_reduce: into a plain value, which is made at home. */
#include "config.h"

#include "runtime/reduce/reduce.h"

#include "runtime/operation/ledger.h"
#include "runtime/reduce/plans.h"
#include "runtime/reduce/ways.h"
#include "runtime/strategy/call.h"
#include "runtime/value/agreement.h"

#include <cohort/reduce.h>

/* ------------------------------------------------------------------ checks */

/* The value to fill says whose call it is. Where it is not there, the error goes to the
 * strategy of what was to be combined. */
cohort_status cohort_reduce_make(const cohort_value *into, const cohort_argument *x,
                                 const char *call, const cohort_recordable *recordable,
                                 const void *request)
{
    cohort_status status = cohort_call_about(into, COHORT_HANDLE_VALUE, call, "the value to fill",
                                             cohort_operand_strategy(x));
    if (status >= 0)
        status = cohort_call_make(into->strategy, call, recordable, request);
    if (status >= 0 && into->strategy->workers != NULL)
        cohort_agreement_note_given(into->strategy, x, call, NULL);
    return status;
}

/* Lists are long, and nearly always good. */
static bool are_good(const cohort_reduce_values *l)
{
    bool are_good = true;
    for (int i = 0; i < l->n && are_good; i++)
        are_good = cohort_handle_is(l->values[i], COHORT_HANDLE_VALUE) &&
                   cohort_handle_is(l->into[i], COHORT_HANDLE_VALUE);
    return are_good;
}

static cohort_status check_lists(const cohort_reduce_values *l, const char *call)
{
    if (l->n < 0 || l->into == NULL || l->values == NULL)
        return cohort_error_set(COHORT_EINVAL, "%s: %d values%s", call, l->n,
                                l->n > 0 ? ", a list is NULL" : "");
    if (are_good(l))
        return COHORT_OK;
    cohort_status status = COHORT_OK;
    for (int i = 0; i < l->n && status >= 0; i++) {
        status = cohort_handle_check(l->values[i], COHORT_HANDLE_VALUE, call, "a value");
        if (status >= 0)
            status = cohort_handle_check(l->into[i], COHORT_HANDLE_VALUE, call, "a value to fill");
    }
    return status;
}

cohort_status cohort_reduce_make_list(const cohort_reduce_values *l, const char *call,
                                      const cohort_recordable *recordable, const void *request)
{
    cohort_strategy *s = cohort_operand_strategy_of_values(l->into, l->n);
    s = s != NULL ? s : cohort_operand_strategy_of_values(l->values, l->n);
    cohort_status status = check_lists(l, call);
    if (status < 0)
        return cohort_call_refuse(s, call, status);
    status = cohort_call_make(s, call, recordable, request);
    if (status >= 0 && s->workers != NULL)
        cohort_agreement_note_values(s, l->values, l->n, call);
    return status;
}

cohort_status cohort_reduce_keep_list(cohort_recorder *recorder, const char *call,
                                      cohort_reduce_values *l)
{
    cohort_status status = cohort_operand_keep_values(recorder, call, &l->values, l->n);
    return status < 0 ? status : cohort_operand_keep_values(recorder, call, &l->into, l->n);
}

cohort_status cohort_reduce_keep(cohort_recorder *recorder, const char *call, cohort_argument *x,
                                 const cohort_value *into)
{
    cohort_status status = cohort_operand_keep(recorder, call, x);
    if (status >= 0)
        status = cohort_operand_keep_value(recorder, call, into, "the value to fill");
    return status < 0 ? status : cohort_reduce_check_into(x, into, call);
}

/* For the words, once it is known that there is one: the first in the order of both lists. */
static cohort_status refuse_twice(const char *call, cohort_value *const values[], int n,
                                  cohort_value *const into[])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (into[i] == values[j] || (i != j && into[i] == into[j]))
                return cohort_error_set(
                    COHORT_EINVAL,
                    "%s: the value that gets result %d is also that of %s %d; each needs its own",
                    call, i, into[i] == values[j] ? "argument" : "result", j);
    return COHORT_OK;
}

/* Each value to fill is marked with the number of this list, so that one which has the mark already
 * is there twice. A value of another strategy, whose thread may be at it, is not looked at: every
 * list with one is refused. */
cohort_status cohort_reduce_check_distinct(const char *call, cohort_value *const values[], int n,
                                           cohort_value *const into[])
{
    const cohort_strategy *s = into[0]->strategy;
    cohort_reducer *reducer = cohort_reducer_of(into[0]->strategy);
    if (reducer == NULL)
        return COHORT_ENOMEM;
    uint64_t list = ++reducer->list;
    bool is_twice = false;
    for (int i = 0; i < n; i++) {
        bool is_ours = into[i]->strategy == s;
        is_twice = is_twice || (is_ours && into[i]->list == list);
        if (is_ours)
            into[i]->list = list;
    }
    for (int i = 0; i < n && !is_twice; i++)
        is_twice = values[i]->strategy == s && values[i]->list == list;
    return is_twice ? refuse_twice(call, values, n, into) : COHORT_OK;
}

/* ------------------------------------------------------------------ one reduction */

cohort_status cohort_reduce_into(const char *call, const cohort_reduce_request *request,
                                 cohort_value *into)
{
    cohort_reduce_plan plan;
    bool is_done;
    cohort_status status = cohort_ways_go(call, request, into, &is_done);
    if (status < 0 || is_done)
        return status;
    status = cohort_reduce_check_into(&request->x, into, call);
    if (status >= 0)
        status = cohort_reduce_plan_begin(&plan, call, into->strategy, request);
    if (status < 0)
        return status;
    status = cohort_reduce_prepare(&plan, into);
    if (status >= 0) {
        cohort_ledger_say_repeatable(into->strategy->executor);
        cohort_reduce_post(&plan, into);
    }
    cohort_reduce_plan_end(&plan);
    return status;
}

static const char one_call[] = "cohort_reduce";

typedef struct one_request {
    cohort_reduce_op op;
    cohort_argument x;
    cohort_contributes contributes;
    int32_t axis;
    cohort_value *into;
} one_request;

static cohort_reduce_request what_of(const one_request *r)
{
    cohort_reduce_request what = cohort_reduce_request_of(r->op, r->x, &r->axis);
    what.contributes = r->contributes;
    return what;
}

static cohort_status keep_one(cohort_recorder *recorder, const char *call, void *request)
{
    one_request *r = request;
    return cohort_reduce_keep(recorder, call, &r->x, r->into);
}

static cohort_status reduce_one(cohort_strategy *strategy, const void *request)
{
    const one_request *r = request;
    const cohort_reduce_request reduce = what_of(r);
    (void)strategy;
    return cohort_reduce_into(one_call, &reduce, r->into);
}

/* Over workers separate reductions of a recorded step cross together. */
static cohort_status reduce_several(cohort_strategy *strategy, const void *const requests[],
                                    size_t n, size_t *out_failed)
{
    cohort_reducer *reducer = cohort_reducer_of(strategy);
    cohort_reduce_plans plans;
    void *room = reducer != NULL ? cohort_reducer_room(reducer, n, COHORT_REDUCE_PLANS_EACH) : NULL;
    *out_failed = 0;
    if (room == NULL)
        return COHORT_ENOMEM;
    cohort_reduce_plans_open(&plans, one_call, reducer, room, (int)n);
    cohort_status status = COHORT_OK;
    for (size_t i = 0; i < n && status >= 0; i++) {
        const one_request *r = requests[i];
        const cohort_reduce_request reduce = what_of(r);
        *out_failed = i;
        status = cohort_reduce_plans_add(&plans, &reduce, r->into);
    }
    if (status >= 0)
        status = cohort_reduce_plans_join(&plans, out_failed);
    if (status >= 0)
        cohort_reduce_plans_post(&plans);
    cohort_reduce_plans_end(&plans);
    return status;
}

static uint64_t bytes_filled(const void *request)
{
    return cohort_content_bytes(&((const one_request *)request)->into->plain);
}

void cohort_reduce_describe_home(const cohort_strategy *strategy, const void *request, FILE *out)
{
    (void)request;
    (void)fprintf(out, "into a plain value on %s",
                  cohort_strategy_context(strategy, strategy->home)->device->id);
}

cohort_status cohort_reduce_argument(cohort_reduce_op op, cohort_argument x, int axis,
                                     cohort_value *into)
{
    static const cohort_deferrable several = { reduce_several, bytes_filled };
    static const cohort_recordable reduce = { .bytes = sizeof(one_request),
                                              .keep = keep_one,
                                              .run = reduce_one,
                                              .describe = cohort_reduce_describe_home,
                                              .fills = true,
                                              .deferrable = &several };
    const cohort_contributes contributes = cohort_reduce_unwrap(&x);
    const one_request request = { op, x, contributes, axis, into };
    return cohort_reduce_make(into, &x, one_call, &reduce, &request);
}
