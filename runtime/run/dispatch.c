/* SPDX-License-Identifier: BSD-3-Clause */
/* The way of one step: bind, prepare, place, dispatch. An error comes from the former two, and then
 * nothing was posted; what fails later is the strategy's failure. */
#include "config.h"

#include "runtime/run/dispatch.h"

#include "runtime/run/place.h"
#include "runtime/run/prepare.h"

/* ------------------------------------------------------------------ run */

/* Other lanes are fed first: the caller's own lane is done by the caller. */
static void dispatch_replicas(cohort_binding *b, const cohort_prepared prepared[])
{
    const cohort_strategy *s = b->strategy;
    cohort_use uses[COHORT_MAX_ARGUMENTS + 1];
    for (int pass = 0; pass < 2; pass++)
        for (int32_t i = 0; i < b->count; i++) {
            int32_t device = s->host[b->first + i];
            bool is_caller = cohort_strategy_context(s, device)->lane->index == s->executor->caller;
            if (is_caller != (pass == 1))
                continue;
            if (b->is_absent[i]) {
                cohort_place_absent(b, i);
                continue;
            }
            int32_t n = cohort_place_all(b, i, device, uses);
            (void)cohort_prepare_dispatch(b, i, &prepared[i], uses, n);
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

static cohort_status run_bound(cohort_binder *binder, cohort_binding *b)
{
    cohort_status status = cohort_prepare_room(binder, b->count);
    for (int32_t i = 0; i < b->count && status >= 0; i++)
        status = cohort_prepare_launch(binder, b, i, b->strategy->host[b->first + i],
                                       &binder->prepared[i]);
    if (status >= 0 && b->strategy->is_trial)
        foresee_replicas(b);
    else if (status >= 0)
        dispatch_replicas(b, binder->prepared);
    return status;
}

cohort_status cohort_dispatch_run(cohort_strategy *strategy, const cohort_function *function,
                                  const cohort_argument arguments[], cohort_call_kind kind,
                                  int32_t first, int32_t count)
{
    cohort_binder *binder = cohort_binder_of(strategy);
    if (binder == NULL)
        return COHORT_ENOMEM;
    cohort_binding *b = &binder->binding;
    cohort_status status =
        cohort_binding_begin(b, strategy, function, arguments, kind, first, count, NULL);
    if (status >= 0)
        status = run_bound(binder, b);
    /* also after a failure: what was borrowed by then is given back */
    cohort_binding_end(b);
    return status;
}
