/* SPDX-License-Identifier: BSD-3-Clause */
/* The way of one step: bind, prepare, place, dispatch. An error comes from the former two, and then
 * nothing was posted; what fails later is the strategy's failure. */
#include "config.h"

#include "runtime/run/dispatch.h"

#include "runtime/run/place.h"
#include "runtime/run/prepare.h"

/* ------------------------------------------------------------------ run */

/* Other lanes are fed first: the caller's own lane is done by the caller. */
static void order_launches(const cohort_binding *b, int32_t order[])
{
    const cohort_strategy *s = b->strategy;
    int32_t n = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int32_t i = 0; i < b->count; i++) {
            int32_t device = s->host[b->first + i];
            bool is_caller = cohort_strategy_context(s, device)->lane->index == s->executor->caller;
            if (is_caller == (pass == 1))
                order[n++] = i;
        }
}

static void dispatch_replicas(cohort_binder *binder, cohort_binding *b)
{
    cohort_use uses[COHORT_MAX_ARGUMENTS + 1];
    for (int32_t k = 0; k < b->count; k++) {
        int32_t i = binder->order[k];
        if (b->is_absent[i]) {
            cohort_place_absent(b, i);
            continue;
        }
        int32_t n = cohort_place_all(b, i, b->strategy->host[b->first + i], uses);
        cohort_launch_op *l = cohort_prepare_draft(b, i, &binder->prepared[i]);
        (void)cohort_prepare_submit(b, i, l, uses, n);
    }
}

/* In a trial. */
static void foresee_replicas(cohort_binding *b)
{
    for (int32_t i = 0; i < b->count; i++)
        if (b->is_absent[i])
            cohort_place_absent(b, i);
        else
            cohort_place_foresee(b, i);
}

/* A memo is made of what the call finds, so before its launches change that. */
static cohort_status run_bound(cohort_binder *binder, cohort_binding *b, cohort_memo_way *way,
                               const cohort_memo_call *call)
{
    cohort_status status = cohort_prepare_room(binder, b->count);
    for (int32_t i = 0; i < b->count && status >= 0; i++)
        status = cohort_prepare_launch(binder, b, i, b->strategy->host[b->first + i],
                                       &binder->prepared[i]);
    if (status < 0)
        return status;
    if (b->strategy->is_trial) {
        foresee_replicas(b);
        return COHORT_OK;
    }
    order_launches(b, binder->order);
    cohort_memo_keep(binder, way, call, binder->order);
    dispatch_replicas(binder, b);
    return COHORT_OK;
}

static cohort_status bind_and_run(cohort_binder *binder, cohort_memo_way *way,
                                  const cohort_memo_call *call)
{
    cohort_binding *b = &binder->binding;
    cohort_status status = cohort_binding_begin(b, binder->strategy, call->invocation.function,
                                                call->invocation.arguments, call->kind, call->first,
                                                call->count, NULL);
    if (status >= 0)
        status = run_bound(binder, b, way, call);
    /* also after a failure: what was borrowed by then is given back */
    cohort_binding_end(b);
    return status;
}

cohort_status cohort_dispatch_run(cohort_strategy *strategy, const cohort_invocation *invocation,
                                  cohort_call_kind kind, int32_t first, int32_t count)
{
    cohort_memo_call call = {
        .invocation = *invocation, .kind = kind, .first = first, .count = count
    };
    cohort_binder *binder = cohort_binder_of(strategy);
    if (binder == NULL)
        return COHORT_ENOMEM;
    cohort_memo_way *way = cohort_memo_find(binder, &call);
    if (!cohort_memo_holds(binder, way, &call))
        return bind_and_run(binder, way, &call);
    cohort_memo_dispatch(binder, way->memo);
    return COHORT_OK;
}
