/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/operation/ledger.h"

cohort_fence cohort_ledger_post(cohort_executor *executor, const cohort_context *context,
                                const cohort_op *op, size_t bytes)
{
    cohort_fence fence = cohort_executor_post(executor, context, op, bytes);
    if (executor->plan.watch != NULL)
        executor->plan.watch->post(executor->plan.user, context, op, bytes, fence);
    return fence;
}

bool cohort_ledger_folds_alone(cohort_executor *executor, uint64_t bytes)
{
    cohort_plan *plan = &executor->plan;
    bool is_alone = plan->folds_alone > 0 && bytes > plan->fold_bytes;
    if (is_alone)
        plan->folds_alone--;
    return is_alone;
}
