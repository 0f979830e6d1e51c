/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/operation/give_back.h"

#include "runtime/base/kept.h"
#include "runtime/operation/use.h"

typedef struct give_back_op {
    cohort_op op;
    void *owned;
    void (*give_back)(void *owned);
} give_back_op;

static cohort_status do_give_back(cohort_lane *lane, cohort_op *op)
{
    const give_back_op *g = (give_back_op *)op;
    (void)lane;
    g->give_back(g->owned);
    return COHORT_OK;
}

/* COHORT_OP_ALWAYS: memory is given back after a failure, too, when other operations are
 * skipped. */
void cohort_give_back_post(cohort_executor *executor, const cohort_context *where,
                           const uint64_t behind[], void *owned, void (*give_back)(void *owned))
{
    give_back_op g = { .op = COHORT_OP(.run = do_give_back, .flags = COHORT_OP_ALWAYS),
                       .owned = owned,
                       .give_back = give_back };
    cohort_use use = { COHORT_USE_FENCES, NULL, behind };
    if (behind != NULL && cohort_executor_has_late(executor, behind)) {
        cohort_keep(owned);
        return;
    }
    cohort_fence fence = cohort_submit(executor, where, &g.op, sizeof g, &use, behind != NULL);
    if (fence.lane != NULL)
        executor->plan.unnoted[fence.lane->index]++;
}
