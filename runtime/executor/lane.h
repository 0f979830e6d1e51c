/* SPDX-License-Identifier: BSD-3-Clause */
/* A lane: operations in program order, issued one at a time by one runner.
 *
 * It is a ring of records. The planner (the thread that uses the strategy) reserves a record, fills
 * it and posts it; the runner issues it once everything it waits for is done. Most operations are
 * over then. On a device with events one may be left in pending: the runner goes on to the next
 * that allows it, and counts it when its event is done (pending.h). Operations have numbers from 1,
 * in the order of the lane, and are over in that order; "operation n of lane l is done" is all that
 * one lane ever asks of another. */
#ifndef COHORT_EXECUTOR_LANE_H
#define COHORT_EXECUTOR_LANE_H

#include "runtime/base/settings.h"
#include "runtime/executor/account.h"
#include "runtime/executor/failure.h"
#include "runtime/executor/patience.h"
#include "runtime/executor/spin.h"
#include "runtime/plugin/slot.h"

#include <stddef.h>

typedef struct cohort_lane cohort_lane;
typedef struct cohort_op cohort_op;

/* Do the operation, or start it and leave it in flight. On failure the error slot says why; the
 * failure becomes the strategy's. */
typedef cohort_status (*cohort_op_fn)(cohort_lane *lane, cohort_op *op);

/* The operation is over: COHORT_OK; an error; COHORT_EAGAIN when it was skipped. An error that came
 * after it was issued (op->status is COHORT_OK) has its text in the slot, which may be given a
 * prefix. Called once, but not when its device is lost, or a lane that it waits for: what a late
 * device may still touch is leaked. */
typedef cohort_status (*cohort_op_end_fn)(cohort_op *op, cohort_status status);

typedef struct cohort_fence {
    cohort_lane *lane;
    uint64_t number;
} cohort_fence;

/* ALWAYS: done also after a failure, because it frees something; but not when it waits for a lane
 *         that was lost before it was done: what a late device may still touch is leaked.
 * STREAM: only enqueued, on a device with events, also while earlier operations of the lane are in
 *         flight; all others wait for those.
 * REPEATABLE: its record owns nothing but what operation/transfer.h says, so a copy of it may be
 * posted
 *         again (repeat/series.h).
 * HERE:   the runner does it by itself, in memory that this process sees, without the driver.
 * BODY:   it runs bodies, whose time is that of the device (cohort_lane.busy_ns).
 * SUM:    it combines, and is a sum in a trace. */
enum {
    COHORT_OP_ALWAYS = 1,
    COHORT_OP_STREAM = 2,
    COHORT_OP_REPEATABLE = 4,
    COHORT_OP_HERE = 8,
    COHORT_OP_BODY = 16,
    COHORT_OP_SUM = 32
};

/* What a device does for an operation that was issued. */
typedef struct cohort_pending {
    struct cohort_event *event; /* NULL: nothing */
    struct cohort_context *context;
    cohort_slot_id operation;
    cohort_setting_id setting;
    int64_t limit_ns; /* deadline at the head of the queue, 0: none */
} cohort_pending;

/* The head of every record; what the operation needs follows, then what it waits for. */
struct cohort_op {
    /* the planner's */
    cohort_op_fn run;     /* NULL: the rest of the ring, skipped */
    cohort_op_end_fn end; /* may be NULL */
    /* for messages: name of the function, or NULL; lives as long as the operation */
    const char *subject;
    int32_t replica; /* for messages; -1: none */
    uint32_t flags;
    /* operation of the same lane that is over before this one is issued; 0: none */
    uint64_t after;

    /* the lane's, once it is there; bytes: of the whole record */
    uint32_t bytes, n_waits;
    uint64_t number;
    uint64_t call, step; /* of the strategy, and of a program, that it belongs to */
    cohort_fence *waits;

    /* the runner's, once it was issued */
    cohort_pending pending;
    cohort_status status; /* COHORT_EAGAIN: skipped */
    cohort_slot_id asked; /* where lanes are timed: of the device, last; _COUNT: nothing */
};

/* The head of a record, as the planner fills it in: COHORT_OP(.run = do_scan, .end = end_scan). */
#define COHORT_OP(...)                                                                             \
    {                                                                                              \
        .replica = -1, __VA_ARGS__                                                                 \
    }

/* How long threads look for what they wait for before they sleep. */
typedef struct cohort_looks {
    int64_t waiter_ns; /* who waits for another thread, at least: see patience.h */
    int64_t runner_ns; /* the runner, when it has no work */
    bool does_yield;   /* there are fewer cores than threads: who looks gives its core to others */
} cohort_looks;

/* What one thread writes and another reads is in other cache lines than what the other one writes,
 * and than what does not change: a line that a thread has written has to come from its core again
 * before anybody else reads anything in it. */
struct cohort_lane {
    cohort_failure *failure; /* of the strategy */
    cohort_lane *owner;      /* whose runner this is: the lane itself, or that of a step ring */
    int32_t index;           /* in the executor */
    bool does_yield;         /* as in cohort_looks */
    bool is_callers;         /* who posts is its runner, and is told nothing */
    char *ring;
    /* whoever waits for a lane looks at all of its strategy, so that their deadlines run beside one
     * another */
    cohort_lane *const *all; /* [n_all], set before anybody waits */
    int32_t n_all;
    int32_t n_replicas; /* whose bodies it runs; set with the strategy, for its planner */
    bool is_timed;      /* by busy_ns; set when nothing is posted */

    /* the planner's */
    _Alignas(64) size_t reserved; /* bytes ever reserved */
    size_t freed;                 /* `tail`, when it was last looked at */
    uint64_t next_number;
    uint64_t seen_done; /* `done`, when the planner last looked at it, or waited */
    uint64_t posted_at; /* how many operations the executor had posted when this ring got one */

    /* shared: the planner writes */
    _Alignas(64) _Atomic uint64_t posted; /* number of the last operation that may be done */

    /* the runner writes: number of the last operation that was done or skipped; bytes ever freed */
    _Alignas(64) _Atomic uint64_t done;
    _Atomic size_t tail;

    /* seldom written */
    _Alignas(64) atomic_int sleepers;
    atomic_bool should_stop;
    pthread_mutex_t lock;
    pthread_cond_t wake;
    /* number of the latest operation that is COHORT_OP_HERE; kept where does_yield */
    _Atomic uint64_t here;
    int64_t rung_ns; /* held: lock; when sleepers were last woken, or the runner went to sleep */
    cohort_patience patience; /* of who waits; learned by all who were woken */
    /* first operation since the last recover that failed or was skipped; 0: none */
    _Atomic uint64_t first_bad;

    /* the runner's */
    _Alignas(64) cohort_spin spin; /* how it waits for work */
    cohort_op *current;
    uint64_t issued;      /* number of the last operation that was done, skipped or put in flight */
    uint64_t seen_posted; /* `posted`, when it was last looked at */
    size_t issue_at;      /* position of the next one to issue */
    uint64_t over;        /* `done` and `tail`, which are often on their way to another core */
    size_t over_at;
    uint64_t head;   /* number of the first one in flight, when it was last looked at */
    int64_t head_ns; /* how long that one was waited for */
    int64_t head_looked_ns;
    /* of the owner, where it is timed: the runner's, when the device began with the first operation
     * in flight; and the time that it has had with bodies, which others read */
    int64_t busy_from_ns;
    cohort_slot_id asked; /* of the owner: what its runner has asked a device last */
    uint32_t tracks;      /* of the owner: the first of its tracks in a trace; 0: it has none */
    const cohort_account *traced;            /* where it has some: of its devices */
    uint64_t traced_bytes;                   /* that they had copied when the last copy was over */
    _Atomic int64_t busy_ns, other_ns;       /* other: with what runs none */
    _Atomic int64_t at_work_from_ns;         /* busy_from_ns, while there is one in flight; 0 */
    int64_t busy_before_ns, other_before_ns; /* when the executor was first timed; its planner's */

    /* of the owner: what the runner asks a device that may not answer; see cohort_lane_ask */
    _Alignas(64) _Atomic uint64_t asking; /* serial number * 4 + COHORT_LANE_... */
    _Atomic int64_t limit_ns, spent_ns;   /* spent: of its deadline, before this question */
    /* as setting: read by others only when the device is lost */
    const char *question, *device_id;
    cohort_setting_id setting;

    pthread_mutex_t looking;
    uint64_t looked_at; /* held: looking, as the next two; the question that was seen last, */
    int64_t waited_ns;  /* how long it has been waited for, */
    int64_t looked_ns;  /* and when that was */
};

/* LOSING: its runner will not move any more, and the failure is about to be told. */
enum { COHORT_LANE_IDLE = 0, COHORT_LANE_ASKING = 1, COHORT_LANE_LOST = 2, COHORT_LANE_LOSING = 3 };

/* owner: NULL for a lane of its own, else the lane whose step ring this is. NULL: out of memory,
 * without a text. */
cohort_lane *cohort_lane_create(cohort_failure *failure, cohort_lane *owner, int32_t index,
                                const cohort_looks *looks);
void cohort_lane_destroy(cohort_lane *lane); /* idle, and without a thread; NULL is allowed */

/* ---- planner */

/* A copy of a record of `bytes` (the head included) in the ring, with room for n_waits fences,
 * which are to be filled in; NULL while the ring is too full. */
cohort_op *cohort_lane_reserve(cohort_lane *lane, const cohort_op *op, size_t bytes,
                               uint32_t n_waits);

/* Hand over the record that was reserved last. */
void cohort_lane_post(cohort_lane *lane, cohort_op *op);

/* ---- runner */

/* Something was posted that is not issued yet. To look at `posted` is to wait for the line that the
 * planner has just written: only where all that was there the last time is issued. */
static inline bool cohort_lane_has_work(cohort_lane *lane)
{
    if (lane->seen_posted == lane->issued)
        lane->seen_posted = atomic_load_explicit(&lane->posted, memory_order_acquire);
    return lane->seen_posted != lane->issued;
}

/* The next operation to issue, NULL when there is none. */
cohort_op *cohort_lane_peek(cohort_lane *lane);

/* The first operation that was issued and is not over; NULL when there is none. */
cohort_op *cohort_lane_first(cohort_lane *lane);

/* The one issued after it; NULL when it was the last. */
const cohort_op *cohort_lane_after(const cohort_lane *lane, const cohort_op *op);

/* What an operation still waits for; a fence without a lane when nothing. */
cohort_fence cohort_lane_blocker(const cohort_op *op);

/* Issue the operation that peek gave, or skip it after a failure; when it is not in flight, and
 * none before it, it is over. */
void cohort_lane_do(cohort_lane *lane, cohort_op *op);

/* The first operation is over, with this status. */
void cohort_lane_complete(cohort_lane *lane, cohort_op *op, cohort_status status);

static inline bool cohort_lane_is_in_flight(const cohort_lane *lane)
{
    return lane->issued != lane->over;
}

/* The runner itself declares the device lost: it did not do `what`, of this operation, within the
 * deadline. Returns the status of the failure. */
cohort_status cohort_lane_time_out(cohort_lane *lane, const cohort_op *op, const char *what,
                                   const char *device_id, cohort_setting_id setting,
                                   int64_t limit_ns);

/* The same for the reason in the slot, which gets the operation and the device before it. Not while
 * it is asked. */
cohort_status cohort_lane_lose(cohort_lane *lane, const char *device_id, cohort_status status);

/* Before and after asking a device that is not CAP_PROMPT for something. A deadline of 0 is none,
 * and spent_ns of it are over already. When the device was declared lost meanwhile, `answered` does
 * not return: the thread ends, and touches nothing any more. */
void cohort_lane_ask(cohort_lane *lane, const char *question, const char *device_id,
                     cohort_setting_id setting, int64_t limit_ns, int64_t spent_ns);
void cohort_lane_answered(cohort_lane *lane);

/* ---- anybody */

static inline bool cohort_lane_is_lost(const cohort_lane *lane)
{
    return (atomic_load_explicit(&lane->owner->asking, memory_order_acquire) & 3) ==
           COHORT_LANE_LOST;
}

/* How long its device has had operations, where it is timed, with what it has now: of its owner. An
 * operation may be over in between, and its time be missing for a moment. */
int64_t cohort_lane_worked_ns(const cohort_lane *lane);

/* Operation n was done or skipped, and all that it wrote is seen. */
static inline bool cohort_lane_is_done(const cohort_lane *lane, uint64_t number)
{
    return atomic_load_explicit(&lane->done, memory_order_acquire) >= number;
}

/* Operation n is over: done, skipped, or its device is lost. */
static inline bool cohort_lane_is_past(const cohort_lane *lane, uint64_t number)
{
    return cohort_lane_is_done(lane, number) || cohort_lane_is_lost(lane);
}

/* How long a thread looks for what the lane is about to finish, whatever that is; 0 where there are
 * fewer cores than threads, for it may be the driver that needs the core. */
static inline int64_t cohort_lane_patience_ns(const cohort_lane *lane)
{
    return lane->does_yield ? 0 : cohort_patience_ns(&lane->patience);
}

/* The same for operation n. The latest one that is COHORT_OP_HERE is looked for in any case: what
 * is in flight before it apart, the driver does nothing meanwhile. */
static inline int64_t cohort_lane_patience_for(const cohort_lane *lane, uint64_t number)
{
    return number == atomic_load_explicit(&lane->here, memory_order_relaxed)
               ? cohort_patience_ns(&lane->patience)
               : cohort_lane_patience_ns(lane);
}

/* Wait until operation n is over; looks for a while (patience.h), then sleeps. Declares devices of
 * the strategy lost that do not answer within their deadline. */
void cohort_lane_wait(cohort_lane *lane, uint64_t number);

/* Somebody waits: declare the device of this lane lost when its deadline is over. Returns how long
 * it has left, INT64_MAX without end. */
int64_t cohort_lane_look(cohort_lane *lane);

/* As wait, for slice_ns at most. */
void cohort_lane_wait_slice(cohort_lane *lane, uint64_t number, int64_t slice_ns);

/* The runner's thread ends before its time: the lane is lost, and the failure says why. */
void cohort_lane_forsake(cohort_lane *lane, cohort_status status);

/* Runner: wait until there is an operation after the last one done; false: the lane should
 * stop. */
bool cohort_lane_wait_for_work(cohort_lane *lane);

/* Wake whoever sleeps because of what this lane has posted or done. */
void cohort_lane_notify(cohort_lane *lane);

/* Ask the runner to stop once it has done everything. */
void cohort_lane_stop(cohort_lane *lane);

#endif
