/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/operation/alone.h"

/* A device that is not prompt may have something in flight, which its runner would wait for
 * first. */
static bool may_help(const cohort_context *context, const cohort_lane *callers)
{
    return context->lane != callers && context->lane->n_replicas <= callers->n_replicas &&
           cohort_context_has(context, COHORT_CAP_PROMPT);
}

int32_t cohort_alone_choose(const cohort_executor *executor, cohort_context *const able[],
                            int32_t n)
{
    const cohort_lane *own = able[0]->lane;
    int32_t chosen = 0;
    if (!cohort_ledger_plan(executor)->spares_caller || own->index != executor->caller)
        return 0;
    for (int32_t i = 1; i < n; i++)
        if (may_help(able[i], own) &&
            (chosen == 0 || able[i]->lane->n_replicas < able[chosen]->lane->n_replicas))
            chosen = i;
    return chosen;
}
