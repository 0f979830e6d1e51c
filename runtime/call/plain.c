/* SPDX-License-Identifier: BSD-3-Clause */
/* Bind, prepare, place, post. An error comes from the former two, and then nothing was posted; what
 * fails later is the strategy's failure. */
#include "config.h"

#include "runtime/call/plain.h"

#include "runtime/call/place.h"
#include "runtime/call/prepare.h"

/* ------------------------------------------------------------------ run */

/* Other lanes are fed first: the caller's own lane is done by the caller. */
static void order_launches(const cohort_binding *b, int32_t order[])
{
    const cohort_strategy *s = b->strategy;
    int32_t n = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int32_t i = 0; i < b->count; i++) {
            int32_t device = cohort_binding_device(b, i);
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
        int32_t n = cohort_place_all(b, i, cohort_binding_device(b, i), uses);
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

static cohort_status begin_run(cohort_binder *binder, bool *out_posts)
{
    cohort_binding *b = &binder->binding;
    cohort_status status = cohort_prepare_room(binder, b->count);
    for (int32_t i = 0; i < b->count && status >= 0; i++)
        status =
            cohort_prepare_launch(binder, b, i, cohort_binding_device(b, i), &binder->prepared[i]);
    if (status < 0)
        return status;
    *out_posts = !b->strategy->is_trial;
    if (*out_posts)
        order_launches(b, binder->order);
    else
        foresee_replicas(b);
    return COHORT_OK;
}

/* ------------------------------------------------------------------ any call */

cohort_status cohort_plain_begin(cohort_binder *binder, const cohort_plain_call *call,
                                 bool *out_posts)
{
    *out_posts = false;
    cohort_status status =
        cohort_binding_begin(&binder->binding, binder->strategy, call->function, call->arguments,
                             call->kind, call->first, call->count, call->updated);
    if (status < 0)
        return status;
    return call->kind == COHORT_CALL_UPDATE
               ? cohort_plain_begin_update(binder, call->only_on, out_posts)
               : begin_run(binder, out_posts);
}

void cohort_plain_post(cohort_binder *binder, const cohort_plain_call *call)
{
    if (call->kind == COHORT_CALL_UPDATE)
        cohort_plain_update_stores(&binder->binding, binder->prepared);
    else
        dispatch_replicas(binder, &binder->binding);
}

void cohort_plain_end(cohort_binder *binder)
{
    cohort_binding_end(&binder->binding);
}
