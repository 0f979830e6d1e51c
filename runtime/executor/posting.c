/* SPDX-License-Identifier: BSD-3-Clause */
/* Posting: what an operation waits for, and room in its ring.
 *
 * The planner is the only one who reserves in a ring, so nothing comes between reserve and post. */
#include "config.h"

#include "runtime/executor/executor.h"

#include "runtime/base/assert.h"

/* To look whether it is over is to wait for a line that its runner writes, unless that is the
 * caller itself. An operation that was handed over a moment ago, by what was posted since, hardly
 * is; and what was seen to be over stays so. */
static bool is_over(const cohort_executor *executor, cohort_lane *ring, uint64_t number)
{
    enum { MOMENT = 64 };
    if (number <= ring->seen_done)
        return true;
    if (!ring->is_callers && ring->next_number - number <= MOMENT &&
        executor->n_posted - ring->posted_at <= MOMENT)
        return false;
    ring->seen_done = atomic_load_explicit(&ring->done, memory_order_acquire);
    return number <= ring->seen_done;
}

/* Operations of the same ring are done before anyway, and one that is over needs no fence. That is
 * looked at once more when the fences are written (fill_waits), which can only make them fewer. */
static inline bool must_wait(const cohort_executor *executor, const cohort_lane *ring,
                             int32_t other)
{
    return executor->needs[other] > 0 && executor->lanes[other] != ring &&
           !is_over(executor, executor->lanes[other], executor->needs[other]);
}

static uint32_t count_waits(const cohort_executor *executor, const cohort_lane *ring)
{
    uint32_t n = 0;
    for (int32_t i = 0; i < executor->n_used; i++)
        n += must_wait(executor, ring, i);
    return n;
}

/* Runners go on meanwhile: of the fences that were counted some may be over by now, and the record
 * has room for more than it gets. */
static void fill_waits(const cohort_executor *executor, const cohort_lane *ring, cohort_op *op)
{
    uint32_t filled = 0;
    for (int32_t i = 0; i < executor->n_used && filled < op->n_waits; i++)
        if (must_wait(executor, ring, i))
            op->waits[filled++] = (cohort_fence){ executor->lanes[i], executor->needs[i] };
    op->n_waits = filled;
}

/* NULL: the device is lost. */
static cohort_op *reserve(cohort_executor *executor, cohort_lane *ring, const cohort_op *op,
                          size_t bytes, uint32_t n_waits)
{
    cohort_op *record = cohort_lane_reserve(ring, op, bytes, n_waits);
    while (record == NULL && !cohort_lane_is_lost(ring)) {
        executor->waiting->make_room(executor->waiting->user, ring);
        record = cohort_lane_reserve(ring, op, bytes, n_waits);
    }
    return record;
}

/* The fence is taken before the post: from then on the runner may finish the record, and its memory
 * become another one. */
static cohort_fence post(cohort_executor *executor, cohort_lane *ring, cohort_op *record)
{
    cohort_fence fence = { ring, record->number };
    ring->posted_at = ++executor->n_posted;
    cohort_lane_post(ring, record);
    return fence;
}

/* Its part would be missing without a word. What frees something is passed over. */
static cohort_fence refuse_left_out(cohort_executor *executor, const cohort_context *context,
                                    const cohort_op *op)
{
    if ((op->flags & COHORT_OP_ALWAYS) == 0)
        cohort_failure_raise_own(&executor->failure,
                                 cohort_error_set(COHORT_EINTERNAL,
                                                  "an operation for %s, which is lost; report this "
                                                  "as a mistake of Cohort",
                                                  context->device->id));
    return (cohort_fence){ NULL, 0 };
}

cohort_fence cohort_executor_post(cohort_executor *executor, const cohort_context *context,
                                  const cohort_op *op, size_t bytes)
{
    if (context->is_left_out && cohort_lane_is_lost(context->lane))
        return refuse_left_out(executor, context, op);
    cohort_lane *ring = cohort_executor_ring(executor, context);
    uint32_t n_waits = count_waits(executor, ring);
    cohort_op *record = reserve(executor, ring, op, bytes, n_waits);
    if (record == NULL)
        return (cohort_fence){ NULL, 0 };
    fill_waits(executor, ring, record);
    return post(executor, ring, record);
}

/* ------------------------------------------------------------------ nothing is under way */

bool cohort_executor_is_idle(cohort_executor *executor)
{
    bool is_idle = !executor->plan.posts_all;
    for (int32_t i = 0; i < executor->n_used && is_idle; i++)
        is_idle = is_over(executor, executor->lanes[i], executor->lanes[i]->next_number - 1);
    return is_idle && !cohort_failure_is_set(&executor->failure);
}
