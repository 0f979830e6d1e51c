/* SPDX-License-Identifier: BSD-3-Clause */
/* An executor: the lanes of one strategy and the threads that do their operations.
 *
 * One lane, that of the first devices that are synchronous and CAP_PROMPT, has no thread: whoever
 * is inside a call of the strategy is its runner. Every other lane has a worker (worker.h), so that
 * no operation of a device holds the caller. A deadline for launches moves all to workers. Each
 * lane has two rings: its own, and one for what is posted while its own stands still in an
 * operation that waits for others (a step function).
 *
 * The planner is one thread at a time: the one that uses the strategy, or the one that plans for
 * all replicas of a step. */
#ifndef COHORT_EXECUTOR_EXECUTOR_H
#define COHORT_EXECUTOR_EXECUTOR_H

#include "runtime/executor/context.h"
#include "runtime/executor/fences.h"
#include "runtime/executor/plan.h"

/* A thread that waits for one thing looks this often for another: for what else the caller waits
 * for, for what was posted to a worker whose device is busy. */
enum { COHORT_EXECUTOR_SLICE_NS = 200000 };

typedef struct cohort_executor cohort_executor;

/* How the planner waits, and which ring of a lane it posts to. The executor has one of its own, for
 * calls of the program; who holds the lanes with an operation that posts more brings another
 * (cohort_executor_swap). */
typedef struct cohort_waiting {
    bool is_inner; /* operations go to the second ring of each lane */
    bool has_ends; /* wait returns at end_ns; else only when the fence is reached */
    void *user;    /* handed to all three */

    /* Do what is ready and this thread may do; waits for nothing. */
    void (*advance)(void *user);

    /* A ring is full: return when some of it may be done, also when it is not. */
    void (*make_room)(void *user, cohort_lane *ring);

    /* Until the fence is reached, or until that time of cohort_clock_ns (INT64_MAX: without an
     * end), doing what is ready and this thread may do. False: the fence is not reached. */
    bool (*wait)(void *user, cohort_fence fence, int64_t end_ns);
} cohort_waiting;

typedef struct cohort_worker {
    pthread_t thread;
    bool is_running;
} cohort_worker;

struct cohort_executor {
    cohort_failure failure;
    int32_t n_lanes;               /* lanes with a runner */
    cohort_lane **lanes;           /* [2 * n_lanes]: their own rings, then the second ones */
    int32_t n_used;                /* of these, the first: nothing was ever posted to the others */
    cohort_worker *workers;        /* [n_lanes] */
    int32_t caller;                /* lane whose bodies the caller itself runs; -1: none */
    bool is_staffed;               /* every lane has its runner */
    cohort_waiting outer;          /* of calls of the program */
    const cohort_waiting *waiting; /* the one that counts now */
    atomic_int caller_cpu;         /* where the caller was last seen; -1: nowhere yet */
    /* the planner's sets of fences: what the operation being planned waits for; what all parts of
     * one wait for; these parts (operation/use.c); what somebody gathers to wait for */
    uint64_t *needs, *shared_needs, *parts, *gathered;
    int64_t limits_ns[COHORT_SETTING_COUNT];
    cohort_context **contexts; /* [n_contexts], the devices of the strategy */
    int32_t n_contexts;
    cohort_staging staging; /* memory of this process that operations bring from and fetch to */
    uint64_t n_posted;      /* operations, ever */
    cohort_step_account account;
    int64_t timed_from_ns; /* 0: lanes are not timed for cohort/stats.h */
    cohort_plan plan;
};

/* Open the devices, each on its lane's runner, and start the workers. checks: what is checked on
 * them, bits of base/checks.h. NULL with an error text. */
cohort_executor *cohort_executor_create(const cohort_device *const devices[], int32_t n,
                                        uint32_t checks);

/* From now on its lanes are timed. When nothing is posted. */
void cohort_executor_time(cohort_executor *executor);

/* Finish what is posted, close the devices, end the workers. Memory that a lost device may still
 * touch is leaked, and the log says so. NULL is allowed. */
void cohort_executor_destroy(cohort_executor *executor);

/* ---- planner */

/* How many rings there are: the length of a set of fences. */
static inline int32_t cohort_executor_rings(const cohort_executor *executor)
{
    return 2 * executor->n_lanes;
}

/* The ring that operations of a device go to now. */
static inline cohort_lane *cohort_executor_ring(const cohort_executor *executor,
                                                const cohort_context *context)
{
    return executor
        ->lanes[context->lane->index + (executor->waiting->is_inner ? executor->n_lanes : 0)];
}

/* Copy a record of `bytes` into the ring of a device, to be done when executor->needs is reached.
 * While the ring is full, makes room. Returns its fence; one without a lane, with the failure set,
 * when the device is lost. Operations on buffers are posted by cohort_submit (operation/use.h). */
cohort_fence cohort_executor_post(cohort_executor *executor, const cohort_context *context,
                                  const cohort_op *op, size_t bytes);

/* Wait and post in another way from now on; returns the one before, to go back to. */
const cohort_waiting *cohort_executor_swap(cohort_executor *executor,
                                           const cohort_waiting *waiting);

/* Everything that was posted is over, without a failure, and not all is to be posted: so the caller
 * may do in the call itself what a runner would do in memory that this process sees, without a
 * note. What runners have written, the addresses of buffers too, is there to be read. False also of
 * what another lane got a moment ago and nobody has waited for: to look would be to wait for its
 * core. */
bool cohort_executor_is_idle(cohort_executor *executor);

/* Something that reads so many bytes is done faster by the caller, in the call itself, than by
 * lanes, which are to be told and waited for: it is idle, and the call has done little else in this
 * way. The bytes are counted. is_part: the other lanes would do as much at the same time. */
bool cohort_executor_may_do(cohort_executor *executor, uint64_t bytes, bool is_part);

/* ---- waiting (waiting.c) */

/* Do what is ready and this thread may do, and say on which CPU the caller is. */
void cohort_executor_advance(cohort_executor *executor);

/* Until a fence is reached; one without a lane is. */
void cohort_executor_wait(cohort_executor *executor, cohort_fence fence);

/* Until a set of fences is reached, or until that time of cohort_clock_ns. False: it is not. */
bool cohort_executor_wait_fences(cohort_executor *executor, const uint64_t set[], int64_t end_ns);

/* Until everything is over that was posted to the rings which that waiting posts to, in its way. */
void cohort_executor_wait_all_by(cohort_executor *executor, const cohort_waiting *waiting);
void cohort_executor_wait_all(cohort_executor *executor); /* by the one that counts now */

/* Somebody else has waited for what was posted: what of it is over is known to be from now on, as
 * it is of what these functions have waited for. */
void cohort_executor_note_over(cohort_executor *executor);

/* The same, or until something else that the caller waits for is there: asked every 200 us, unless
 * the caller is running bodies of its own, of which it runs all that are ready. Returns at once
 * where a wait has no end. */
void cohort_executor_wait_all_unless(cohort_executor *executor, bool (*is_there)(void *user),
                                     void *user);

/* ---- failures */

/* A runner was given up, as its device did not answer, and has not been left out yet: what it was
 * given may be touched late. */
bool cohort_executor_has_lost(const cohort_executor *executor);

/* The same of one that was left out, too: as long as it is there it looks at the executor. */
bool cohort_executor_has_given_up(const cohort_executor *executor);

/* No device is lost, and none has said that it is, but for those that were left out. */
bool cohort_executor_is_whole(const cohort_executor *executor);

/* Devices that are lost are not to be waited for any more, and nobody is to look into their memory.
 * When nothing is posted any more, and every buffer was settled. Then, when nothing of the strategy
 * lies with them, _leave_out: from then on it is whole without them. */
void cohort_executor_part_with_lost(cohort_executor *executor);
void cohort_executor_leave_out_lost(cohort_executor *executor);

/* Until everything is over, as wait_all; what has failed since the last failure was forgotten is
 * the status, its text in the calling thread's slot. */
static inline cohort_status cohort_executor_finish(cohort_executor *executor)
{
    cohort_executor_wait_all(executor);
    return cohort_failure_tell(&executor->failure);
}

/* After wait_all: forget the failure and where it struck. */
void cohort_executor_clear(cohort_executor *executor);

/* All operations of the set are over. */
bool cohort_executor_has_reached(const cohort_executor *executor, const uint64_t set[]);

/* An operation of the set was given to a runner that was given up in it, or before: what it uses
 * may be touched late. */
bool cohort_executor_has_late(const cohort_executor *executor, const uint64_t set[]);

/* Some operation of the set failed or was skipped since the last clear. */
bool cohort_executor_has_bad(const cohort_executor *executor, const uint64_t set[]);

#endif
