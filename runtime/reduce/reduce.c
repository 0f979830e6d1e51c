/* SPDX-License-Identifier: BSD-3-Clause */
/* cohort_reduce: into a plain value, which is made at home. */
#include "config.h"

#include "runtime/reduce/reduce.h"

#include "runtime/base/memory.h"
#include "runtime/strategy/call.h"

#include <cohort/reduce.h>

/* ------------------------------------------------------------------ checks */

cohort_status cohort_reduce_enter(const cohort_value *into, const cohort_argument *x,
                                  const char *call)
{
    cohort_status status = cohort_call_about(into, COHORT_HANDLE_VALUE, call, "the value to fill",
                                             cohort_operand_strategy(x));
    return status < 0 ? status : cohort_call_enter(into->strategy, call);
}

static cohort_status check_lists(cohort_value *const into[], cohort_value *const values[], int n,
                                 const char *call)
{
    if (n < 0 || into == NULL || values == NULL)
        return cohort_error_set(COHORT_EINVAL, "%s: %d values%s", call, n,
                                n > 0 ? ", a list is NULL" : "");
    cohort_status status = COHORT_OK;
    for (int i = 0; i < n && status >= 0; i++) {
        status = cohort_handle_check(values[i], COHORT_HANDLE_VALUE, call, "a value");
        if (status >= 0)
            status = cohort_handle_check(into[i], COHORT_HANDLE_VALUE, call, "a value to fill");
    }
    return status;
}

cohort_status cohort_reduce_enter_list(cohort_value *const into[], cohort_value *const values[],
                                       int n, const char *call)
{
    cohort_strategy *s = cohort_operand_strategy_of_values(into, n);
    s = s != NULL ? s : cohort_operand_strategy_of_values(values, n);
    cohort_status status = check_lists(into, values, n, call);
    return status < 0 ? cohort_call_refuse(s, call, status) : cohort_call_enter(s, call);
}

cohort_status cohort_reduce_check_into(const cohort_argument *x, const cohort_value *into,
                                       const char *call)
{
    const cohort_strategy *owner = cohort_operand_strategy(x);
    cohort_status status = cohort_operand_check(x, call);
    if (status < 0)
        return status;
    if (owner != NULL && owner != into->strategy)
        return cohort_error_set(
            COHORT_EINVAL,
            "%s: what is combined and the value to fill belong to different strategies", call);
    if (x->kind == COHORT_ARGUMENT_VALUE && x->as.p == into)
        return cohort_error_set(COHORT_EINVAL, "%s: a value cannot be combined into itself", call);
    return COHORT_OK;
}

cohort_status cohort_reduce_check_distinct(const char *call, cohort_value *const values[], int n,
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

/* ------------------------------------------------------------------ one reduction */

static cohort_status prepare(const cohort_reduce_plan *plan, cohort_value *into)
{
    cohort_strategy *s = plan->strategy;
    cohort_status status = cohort_reducer_of(s) != NULL ? COHORT_OK : COHORT_ENOMEM;
    if (status >= 0)
        status = cohort_value_prepare_plain(into);
    if (status >= 0)
        status = cohort_places_prepare(&into->plain.places, s->executor, s->home);
    return status >= 0 ? cohort_reduce_plan_prepare(plan) : status;
}

static void post(const cohort_reduce_plan *plan, cohort_value *into)
{
    cohort_strategy *s = plan->strategy;
    cohort_content *plain = &into->plain;
    cohort_reduce_plan_shape(plan, plain);
    into->kind = COHORT_PLAIN_VALUE;
    cohort_buffer *dst =
        cohort_content_place_write(plain, s->executor, s->home, cohort_content_bytes(plain), false);
    cohort_reducer_restart(cohort_reducer_of(s));
    cohort_reduce_plan_post(plan, cohort_reducer_of(s), dst);
}

cohort_status cohort_reduce_into(const char *call, const cohort_reduce_request *request,
                                 cohort_value *into)
{
    cohort_reduce_plan plan;
    cohort_status status = cohort_reduce_check_into(&request->x, into, call);
    if (status >= 0)
        status = cohort_reduce_plan_begin(&plan, call, into->strategy, request);
    if (status < 0)
        return status;
    status = prepare(&plan, into);
    if (status >= 0)
        post(&plan, into);
    cohort_reduce_plan_end(&plan);
    return status;
}

static cohort_reduce_request request_of(cohort_reduce_op op, cohort_argument x, const int32_t *axis)
{
    return (
        cohort_reduce_request){ .op = op, .x = x, .axes = axis, .n_axes = *axis != COHORT_NO_AXIS };
}

cohort_status cohort_reduce_argument(cohort_reduce_op op, cohort_argument x, int axis,
                                     cohort_value *into)
{
    int32_t one = axis;
    cohort_reduce_request request = request_of(op, x, &one);
    cohort_status status = cohort_reduce_enter(into, &x, "cohort_reduce");
    return status < 0 ? status
                      : cohort_call_advance(into->strategy,
                                            cohort_reduce_into("cohort_reduce", &request, into));
}

/* ------------------------------------------------------------------ a list */

static cohort_status begin_list(cohort_reduce_op op, cohort_value *const values[], int n,
                                int32_t axis, cohort_value *const into[],
                                cohort_reduce_plan plans[], int *out_begun)
{
    cohort_status status = COHORT_OK;
    for (*out_begun = 0; *out_begun < n && status >= 0; ++*out_begun) {
        int i = *out_begun;
        cohort_reduce_request request =
            request_of(op, cohort_argument_make_(COHORT_ARGUMENT_VALUE, values[i]), &axis);
        status = cohort_reduce_check_into(&request.x, into[i], "cohort_reduce_list");
        if (status >= 0)
            status = cohort_reduce_plan_begin(&plans[i], "cohort_reduce_list", into[0]->strategy,
                                              &request);
        if (status < 0)
            return status;
        status = prepare(&plans[i], into[i]);
    }
    return status;
}

static cohort_status reduce_list(cohort_reduce_op op, cohort_value *const values[], int n,
                                 int32_t axis, cohort_value *const into[])
{
    int begun = 0;
    cohort_status status = cohort_reduce_check_distinct("cohort_reduce_list", values, n, into);
    if (status < 0)
        return status;
    cohort_reduce_plan *plans = cohort_allocate((size_t)n, sizeof *plans);
    if (plans == NULL)
        return cohort_error_memory("a list of reductions");
    status = begin_list(op, values, n, axis, into, plans, &begun);
    for (int i = 0; i < n && status >= 0; i++)
        post(&plans[i], into[i]);
    for (int i = 0; i < begun; i++)
        cohort_reduce_plan_end(&plans[i]);
    cohort_free(plans);
    return status;
}

cohort_status cohort_reduce_list(cohort_reduce_op op, cohort_value *const values[], int n, int axis,
                                 cohort_value *const into[])
{
    if (n == 0)
        return COHORT_OK;
    cohort_status status = cohort_reduce_enter_list(into, values, n, "cohort_reduce_list");
    return status < 0
               ? status
               : cohort_call_advance(into[0]->strategy, reduce_list(op, values, n, axis, into));
}
