/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/executor/executor.h"

#include "runtime/base/thread.h"

#include <sched.h>

/* Whoever waits for one thing looks this often for another. */
enum { SHORT_SLICE_NS = 200000 };

/* ------------------------------------------------------------------ caller */

static void say_where(cohort_executor *executor)
{
    int cpu = sched_getcpu();
    if (cpu != atomic_load_explicit(&executor->caller_cpu, memory_order_relaxed))
        atomic_store_explicit(&executor->caller_cpu, cpu, memory_order_relaxed);
}

/* Do what is ready in the caller's own lane; returns what the first operation that is not ready
 * waits for, a fence without a lane when there is none. */
static cohort_fence run_ready(const cohort_executor *executor)
{
    cohort_lane *lane = executor->caller >= 0 ? executor->lanes[executor->caller] : NULL;
    for (cohort_op *op = lane != NULL ? cohort_lane_peek(lane) : NULL;
         op != NULL && !cohort_lane_is_lost(lane); op = cohort_lane_peek(lane)) {
        cohort_fence blocker = cohort_lane_blocker(op);
        if (blocker.lane != NULL)
            return blocker;
        cohort_lane_do(lane, op);
    }
    return (cohort_fence){ NULL, 0 };
}

void cohort_executor_advance(cohort_executor *executor)
{
    if (executor->is_in_step) {
        executor->let_others(executor->stage);
        return;
    }
    if (executor->n_lanes > (executor->caller >= 0))
        say_where(executor);
    (void)run_ready(executor);
}

/* ------------------------------------------------------------------ waiting */

static void wait_outside(cohort_executor *executor, cohort_fence fence)
{
    while (!cohort_lane_is_past(fence.lane, fence.number)) {
        cohort_fence blocker = run_ready(executor);
        if (blocker.lane == NULL)
            blocker = fence; /* the caller's lane is empty */
        if (!cohort_lane_is_past(fence.lane, fence.number))
            cohort_lane_wait(blocker.lane, blocker.number);
    }
}

void cohort_executor_wait(cohort_executor *executor, cohort_fence fence)
{
    if (fence.lane == NULL)
        return;
    if (executor->is_in_step)
        executor->wait_inside(executor->stage, fence);
    else
        wait_outside(executor, fence);
}

bool cohort_executor_wait_until(cohort_executor *executor, cohort_fence fence, int64_t end_ns)
{
    if (executor->is_in_step) {
        cohort_executor_wait(executor, fence);
        return true;
    }
    while (fence.lane != NULL && !cohort_lane_is_past(fence.lane, fence.number)) {
        cohort_fence blocker = run_ready(executor);
        if (blocker.lane == NULL)
            blocker = fence;
        if (cohort_lane_is_past(fence.lane, fence.number))
            break;
        if (cohort_clock_ns() >= end_ns)
            return false;
        cohort_lane_wait_slice(blocker.lane, blocker.number, SHORT_SLICE_NS);
    }
    return true;
}

void cohort_executor_wait_all(cohort_executor *executor)
{
    int32_t first = executor->is_in_step ? executor->n_lanes : 0;
    for (int32_t i = first; i < first + executor->n_lanes; i++)
        cohort_executor_wait(
            executor, (cohort_fence){ executor->lanes[i], executor->lanes[i]->next_number - 1 });
}

void cohort_executor_wait_all_unless(cohort_executor *executor, bool (*is_there)(void *user),
                                     void *user)
{
    for (int32_t i = 0; i < executor->n_lanes; i++) {
        cohort_fence last = { executor->lanes[i], executor->lanes[i]->next_number - 1 };
        while (!is_there(user) &&
               !cohort_executor_wait_until(executor, last, cohort_clock_ns() + SHORT_SLICE_NS))
            continue;
    }
}

void cohort_executor_wait_step(cohort_executor *executor)
{
    for (int32_t i = 0; i < executor->n_lanes; i++)
        wait_outside(executor,
                     (cohort_fence){ executor->lanes[i], executor->lanes[i]->next_number - 1 });
}
