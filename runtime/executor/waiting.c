/* SPDX-License-Identifier: BSD-3-Clause */
/* How calls of the program wait: whoever waits does what is ready in the caller's lane meanwhile.
 *
 * The caller is the runner of its own lane, so an operation that it waits for may be one that only
 * it can do, or one of another lane that waits for such an operation. Before each sleep the
 * caller's lane is done as far as it goes. It stops at an operation that waits for another lane,
 * its blocker, and that is what the caller sleeps on: the thing it wants cannot be over before. */
#include "config.h"

#include "runtime/executor/waiting.h"

#include "runtime/base/thread.h"
#include "runtime/executor/tracks.h"

/* ------------------------------------------------------------------ in calls of the program */

/* What was seen to be over is known to be by whoever plans next, without another look
 * (posting.c). */
static bool is_reached(cohort_fence fence)
{
    if (!cohort_lane_is_done(fence.lane, fence.number))
        return cohort_lane_is_lost(fence.lane);
    if (fence.lane->seen_done < fence.number)
        fence.lane->seen_done = fence.number;
    return true;
}

/* Of an operation that is ready: so all that it has waited for is over. */
static void note_waits(const cohort_op *op)
{
    for (uint32_t i = 0; i < op->n_waits; i++)
        (void)is_reached(op->waits[i]);
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
        note_waits(op);
        cohort_lane_do(lane, op);
    }
    return (cohort_fence){ NULL, 0 };
}

static void advance(void *user)
{
    cohort_executor *executor = user;
    if (executor->n_lanes > (executor->caller >= 0))
        cohort_thread_say_where(&executor->caller_cpu);
    (void)run_ready(executor);
}

static void wait_for(cohort_fence fence, bool has_end)
{
    const int64_t begin_ns = cohort_trace_now();
    if (has_end)
        cohort_lane_wait_slice(fence.lane, fence.number, COHORT_EXECUTOR_SLICE_NS);
    else
        cohort_lane_wait(fence.lane, fence.number);
    cohort_tracks_add_wait(fence.lane, COHORT_TRACE_WAIT, begin_ns);
}

static bool wait(void *user, cohort_fence fence, int64_t end_ns)
{
    cohort_executor *executor = user;
    while (!is_reached(fence)) {
        cohort_fence blocker = run_ready(executor);
        if (blocker.lane == NULL)
            blocker = fence; /* the caller's lane is empty */
        if (is_reached(fence))
            return true;
        if (end_ns != INT64_MAX && cohort_clock_ns() >= end_ns)
            return false;
        wait_for(blocker, end_ns != INT64_MAX);
    }
    return true;
}

/* Until the oldest operation is over; by now that may be all of them, and nothing more would
 * come. */
static void make_room(void *user, cohort_lane *ring)
{
    uint64_t oldest = atomic_load(&ring->done) + 1;
    if (oldest < ring->next_number)
        (void)wait(user, (cohort_fence){ ring, oldest }, INT64_MAX);
}

cohort_waiting cohort_waiting_of_calls(cohort_executor *executor)
{
    return (cohort_waiting){
        .has_ends = true, .user = executor, .advance = advance, .make_room = make_room, .wait = wait
    };
}

/* ------------------------------------------------------------------ in the way that counts now */

static bool wait_by(const cohort_waiting *waiting, cohort_fence fence, int64_t end_ns)
{
    return fence.lane == NULL || waiting->wait(waiting->user, fence, end_ns);
}

void cohort_executor_advance(cohort_executor *executor)
{
    executor->waiting->advance(executor->waiting->user);
}

void cohort_executor_wait(cohort_executor *executor, cohort_fence fence)
{
    (void)wait_by(executor->waiting, fence, INT64_MAX);
}

bool cohort_executor_wait_fences(cohort_executor *executor, const uint64_t set[], int64_t end_ns)
{
    bool is_reached = true;
    for (int32_t i = 0; i < cohort_executor_rings(executor) && is_reached; i++)
        is_reached =
            wait_by(executor->waiting, (cohort_fence){ executor->lanes[i], set[i] }, end_ns);
    return is_reached;
}

/* The last operation that was posted to a ring. */
static cohort_fence last_of(cohort_lane *ring)
{
    return (cohort_fence){ ring, ring->next_number - 1 };
}

void cohort_executor_wait_all_by(cohort_executor *executor, const cohort_waiting *waiting)
{
    int32_t first = waiting->is_inner ? executor->n_lanes : 0;
    for (int32_t i = first; i < first + executor->n_lanes; i++)
        (void)wait_by(waiting, last_of(executor->lanes[i]), INT64_MAX);
}

void cohort_executor_note_over(cohort_executor *executor)
{
    for (int32_t i = 0; i < executor->n_used; i++)
        (void)is_reached(last_of(executor->lanes[i]));
}

void cohort_executor_wait_all(cohort_executor *executor)
{
    cohort_executor_wait_all_by(executor, executor->waiting);
}

void cohort_executor_wait_all_unless(cohort_executor *executor, bool (*is_there)(void *user),
                                     void *user)
{
    const cohort_waiting *waiting = executor->waiting;
    for (int32_t i = 0; i < executor->n_lanes && waiting->has_ends; i++) {
        cohort_fence last = last_of(executor->lanes[i]);
        while (!is_there(user) &&
               !wait_by(waiting, last, cohort_clock_ns() + COHORT_EXECUTOR_SLICE_NS))
            continue;
    }
}
