/* SPDX-License-Identifier: BSD-3-Clause */
/* An executor: the lanes of one strategy and who executes them.
 *
 * One lane, that of the first devices that are synchronous and CAP_PROMPT, has no thread: whoever
 * is inside a call of the strategy is its runner. Every other lane has a worker (worker.h), so that
 * no operation of a device holds the caller. A deadline for launches moves all to workers. Each
 * lane has a second ring, its step ring, for what a step function asks for while the lane's own
 * ring stands still in it.
 *
 * Planner calls come from one thread at a time. An operation is planned in this order:
 *     cohort_executor_need_...      collect what it waits for
 *     cohort_executor_begin         reserve the record; fill in what it does
 *     cohort_executor_post          hand it over
 *     cohort_buffer_note_...    from now on others wait for it */
#ifndef COHORT_EXECUTOR_EXECUTOR_H
#define COHORT_EXECUTOR_EXECUTOR_H

#include "runtime/executor/context.h"

typedef struct cohort_worker {
    pthread_t thread;
    bool is_running;
} cohort_worker;

typedef struct cohort_executor {
    cohort_failure failure;
    int32_t n_lanes;        /* lanes with a runner; as many step lanes follow them */
    cohort_lane **lanes;    /* [2 * n_lanes] */
    cohort_worker *workers; /* [n_lanes] */
    int32_t caller;         /* lane whose bodies the caller itself runs; -1: none */
    bool is_staffed;        /* every lane has its runner */
    bool is_in_step;        /* plan into the step rings */
    /* in a step: have what is posted done, and let others make room */
    void (*let_others)(void *stage);
    /* in a step: until this operation of a step ring is over */
    void (*wait_inside)(void *stage, cohort_fence fence);
    void *stage;
    atomic_int caller_cpu;
    uint64_t *needs; /* [2 * n_lanes]: what the operation being planned waits for */
    int64_t limits_ns[COHORT_SETTING_COUNT];
    cohort_context **contexts; /* [n_contexts], the devices of the strategy */
    int32_t n_contexts;
} cohort_executor;

/* Open the devices, each on its lane's runner, and start the workers. NULL with an error text. */
cohort_executor *cohort_executor_create(const cohort_device *const devices[], int32_t n);

/* Finish what is posted, close the devices, end the workers. What a lost device may still touch is
 * leaked, and the log says so. NULL is allowed. */
void cohort_executor_destroy(cohort_executor *executor);

/* ---- planner */

static inline cohort_lane *cohort_executor_lane(const cohort_executor *executor,
                                                const cohort_context *context)
{
    return executor->lanes[context->lane->index + (executor->is_in_step ? executor->n_lanes : 0)];
}

void cohort_executor_need_nothing(cohort_executor *executor);
void cohort_executor_need(cohort_executor *executor, int32_t lane, uint64_t number);

/* A record of `bytes` for the lane of this device, waiting for what was needed; the needs stay, for
 * more parts of the same operation. Waits while the lane is full and does the caller's own lane
 * meanwhile; NULL, with the failure set, when a device is lost. */
void *cohort_executor_begin(cohort_executor *executor, const cohort_context *context, size_t bytes,
                            cohort_op_fn run);
cohort_fence cohort_executor_post(cohort_executor *executor, const cohort_context *context,
                                  cohort_op *op);

/* ---- waiting (waiting.c) */

/* Say on which CPU the caller is, and do the caller's lane as far as its operations are ready. */
void cohort_executor_advance(cohort_executor *executor);

/* Until this operation is over, doing the caller's lane meanwhile. A fence without a lane is
 * over. */
void cohort_executor_wait(cohort_executor *executor, cohort_fence fence);

/* The same until a time of cohort_clock_ns at most; false: it is not over. What the caller's own
 * lane has ready is done all the same. In a step without a limit. */
bool cohort_executor_wait_until(cohort_executor *executor, cohort_fence fence, int64_t end_ns);

/* Until everything posted is over. */
void cohort_executor_wait_all(cohort_executor *executor);

/* The same, or until something else that the caller waits for is there: asked every 200 us, unless
 * the caller is running bodies of its own, of which it runs all that are ready. Not in a step. */
void cohort_executor_wait_all_unless(cohort_executor *executor, bool (*is_there)(void *user),
                                     void *user);

/* All but the next, in a step, are calls of who plans there: they do its lane's step ring, and wait
 * for the step rings. */

/* Until the step that was posted is over: every lane has done what its own ring has. */
void cohort_executor_wait_step(cohort_executor *executor);

/* ---- failures */

/* Some device of the strategy is lost. */
bool cohort_executor_has_lost(const cohort_executor *executor);

/* No device is lost, and none has said that it is. */
bool cohort_executor_is_whole(const cohort_executor *executor);

/* After wait_all: forget the failure and where it struck. */
void cohort_executor_clear(cohort_executor *executor);

/* Operation `number` of that lane failed or was skipped since the last clear. */
bool cohort_executor_is_bad(const cohort_executor *executor, int32_t lane, uint64_t number);

#endif
