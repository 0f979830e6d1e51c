/* SPDX-License-Identifier: BSD-3-Clause */
/* Workers: one thread for each lane that the caller does not do itself.
 *
 * A worker holds a pointer to its lane and its executor, and both outlive it: they are freed after
 * the join, or leaked where the worker was given up. A worker whose lane is lost issues nothing
 * more: each call that may lose the lane is followed by a look at that. */
#include "config.h"

#include "runtime/executor/worker.h"

#include "runtime/base/fpstate.h"
#include "runtime/base/memory.h"
#include "runtime/base/thread.h"
#include "runtime/executor/pending.h"

#include <stdio.h>
#include <string.h>
#if defined(__linux__)
#include <sys/prctl.h>
#endif

typedef struct work {
    cohort_executor *executor;
    cohort_lane *lane;
} work;

static void attach_devices(cohort_executor *executor, const cohort_lane *lane, int32_t caller_cpu)
{
    for (int32_t i = 0; i < executor->n_contexts; i++)
        if (executor->contexts[i]->lane == lane)
            cohort_context_attach(executor->contexts[i], caller_cpu);
}

static void name_thread(const cohort_executor *executor, const cohort_lane *lane)
{
    char name[16];
    for (int32_t i = executor->n_contexts - 1; i >= 0; i--)
        if (executor->contexts[i]->lane == lane)
            (void)snprintf(name, sizeof name, "cohort/%.8s", executor->contexts[i]->device->id);
#if defined(__linux__)
    (void)pthread_setname_np(pthread_self(), name);
#endif
}

/* Alarms of a waiting worker (spin.h) ring on time: the system may move those of other threads by
 * 50 us, to wake several at once. */
static void ask_for_punctual_alarms(void)
{
#if defined(__linux__)
    (void)prctl(PR_SET_TIMERSLACK, 1);
#endif
}

/* Until everything that an operation waits for is over. What is in flight on this lane is counted
 * first, and before every sleep: the other lane may wait for one of these operations, and only this
 * runner counts them. */
static void wait_until_ready(cohort_lane *lane, const cohort_op *op)
{
    cohort_pending_wait(lane, cohort_pending_before(lane, op));
    for (cohort_fence t = cohort_lane_blocker(op); t.lane != NULL; t = cohort_lane_blocker(op)) {
        cohort_pending_wait(lane, lane->issued);
        cohort_lane_wait(t.lane, t.number);
    }
}

void cohort_worker_drain(cohort_lane *ring)
{
    for (cohort_op *op = cohort_lane_peek(ring); op != NULL && !cohort_lane_is_lost(ring);
         op = cohort_lane_peek(ring)) {
        wait_until_ready(ring, op);
        if (!cohort_lane_is_lost(ring))
            cohort_lane_do(ring, op);
    }
    cohort_pending_wait(ring, ring->issued);
}

static void attach_once(const work *w, int32_t *attached_cpu)
{
    int32_t cpu = atomic_load_explicit(&w->executor->caller_cpu, memory_order_relaxed);
    if (cpu != *attached_cpu)
        attach_devices(w->executor, w->lane, *attached_cpu = cpu);
}

/* Wait for what is in flight when nothing is left to issue, in short slices: an operation that is
 * posted meanwhile is to be in flight before these are over, so that the device never idles. */
static void finish(cohort_lane *lane)
{
    while (cohort_lane_is_in_flight(lane) && cohort_lane_peek(lane) == NULL &&
           !cohort_lane_is_lost(lane))
        cohort_pending_wait_slice(lane, lane->issued, COHORT_EXECUTOR_SLICE_NS);
}

static void do_work(const work *w)
{
    /* devices are attached once the caller was seen: they are open then */
    int32_t attached_cpu = -1;
    while (!cohort_lane_is_lost(w->lane) && cohort_lane_wait_for_work(w->lane)) {
        cohort_op *op = cohort_lane_peek(w->lane);
        attach_once(w, &attached_cpu);
        wait_until_ready(w->lane, op);
        if (cohort_lane_is_lost(w->lane))
            return;
        cohort_lane_do(w->lane, op);
        finish(w->lane);
    }
}

/* A body or step function has called pthread_exit, or was cancelled. */
static void thread_ended(void *lane)
{
    cohort_lane_forsake(
        lane,
        cohort_error_set(COHORT_EINVAL, "a body or step function ended its thread (pthread_exit or "
                                        "pthread_cancel), which is the library's"));
}

/* Bodies run here, and their bits must not depend on the thread: the floating-point state is the
 * default one, whatever the program has set for its own. A body that ends the thread (pthread_exit)
 * runs the cleanup, and loses the lane instead of leaving its waiters asleep for ever. */
static void *worker_main(void *argument)
{
    work w = *(work *)argument;
    cohort_free(argument);
    cohort_fpstate_set(cohort_fpstate_default());
    name_thread(w.executor, w.lane);
    ask_for_punctual_alarms();
    pthread_cleanup_push(thread_ended, w.lane);
    do_work(&w);
    pthread_cleanup_pop(0);
    return NULL;
}

static cohort_status start_worker(cohort_executor *executor, int32_t lane)
{
    work *w = cohort_allocate(1, sizeof *w);
    if (w == NULL)
        return cohort_error_memory("a worker");
    *w = (work){ executor, executor->lanes[lane] };
    int error = cohort_thread_start(&executor->workers[lane].thread, worker_main, w);
    if (error != 0) {
        cohort_free(w);
        return cohort_error_set(COHORT_ENOMEM, "cannot start a thread for lane %d: %s", lane,
                                strerror(error));
    }
    executor->workers[lane].is_running = true;
    return COHORT_OK;
}

cohort_status cohort_worker_start_all(cohort_executor *executor)
{
    cohort_status status = COHORT_OK;
    for (int32_t i = 0; i < executor->n_lanes && status >= 0; i++)
        if (i != executor->caller)
            status = start_worker(executor, i);
    return status;
}

void cohort_worker_stop_all(cohort_executor *executor)
{
    for (int32_t i = 0; executor->workers != NULL && i < executor->n_lanes; i++) {
        if (!executor->workers[i].is_running)
            continue;
        cohort_lane_stop(executor->lanes[i]);
        if (cohort_lane_is_lost(executor->lanes[i]))
            pthread_detach(executor->workers[i].thread);
        else
            pthread_join(executor->workers[i].thread, NULL);
    }
}
