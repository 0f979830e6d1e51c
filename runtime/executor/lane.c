/* SPDX-License-Identifier: BSD-3-Clause */
/* The ring of a lane: reserve, post, issue, count.
 *
 * Who writes what: the planner `reserved`, `freed`, `next_number`, `seen_done`, `posted_at` and
 * `posted`; the runner `issued`, `seen_posted`, `issue_at`, `over`, `over_at`, and for others
 * `done` and `tail`, which are the same. Records from `tail` up to the one that was posted last are
 * the runner's, the rest of the ring is the planner's. Positions are bytes ever reserved or freed
 * and never wrap; their remainder by the size of the ring is the place.
 *
 * Memory order: `posted` and `done` are released with what they tell of, and acquired. Between them
 * and `sleepers`, in which whoever sleeps on them announces itself, there are barriers
 * (cohort_lane_notify). `tail` is released, after the last look at the record, and acquired by the
 * planner before it writes there again. */
#include "config.h"

#include "runtime/executor/lane.h"

#include "runtime/base/assert.h"
#include "runtime/base/barrier.h"
#include "runtime/base/memory.h"
#include "runtime/base/thread.h"
#include "runtime/executor/tracks.h"

#include <stdio.h>
#include <string.h>

/* RING_BYTES: a power of two, so that the place of a position is no division. */
enum { RING_BYTES = 256 * 1024, ALIGNMENT = 64 };

_Static_assert(offsetof(cohort_op, bytes) + sizeof(uint32_t) <= ALIGNMENT,
               "the rest of a ring has room for its head");

cohort_lane *cohort_lane_create(cohort_failure *failure, cohort_lane *owner, int32_t index,
                                const cohort_looks *looks)
{
    cohort_lane *lane = cohort_allocate_aligned(sizeof *lane, ALIGNMENT);
    char *ring = cohort_allocate_aligned(RING_BYTES, ALIGNMENT);
    if (lane == NULL || ring == NULL) {
        cohort_free(lane);
        cohort_free(ring);
        return NULL;
    }
    *lane = (cohort_lane){ .failure = failure,
                           .owner = owner != NULL ? owner : lane,
                           .index = index,
                           .does_yield = looks->does_yield,
                           .ring = ring,
                           .next_number = 1 };
    cohort_spin_init(&lane->spin, looks->runner_ns);
    cohort_patience_init(&lane->patience, looks->waiter_ns);
    cohort_condition_init(&lane->wake);
    pthread_mutex_init(&lane->lock, NULL);
    pthread_mutex_init(&lane->looking, NULL);
    return lane;
}

void cohort_lane_destroy(cohort_lane *lane)
{
    if (lane == NULL)
        return;
    pthread_cond_destroy(&lane->wake);
    pthread_mutex_destroy(&lane->lock);
    pthread_mutex_destroy(&lane->looking);
    cohort_free(lane->ring);
    cohort_free(lane);
}

/* ------------------------------------------------------------------ planner */

static cohort_op *record_at(const cohort_lane *lane, size_t position)
{
    return (cohort_op *)(lane->ring + position % RING_BYTES);
}

/* The runner writes `tail` with every operation, so to look at it is to wait for another core's
 * cache line: only where the room that was there last is used up. */
static bool has_room(cohort_lane *lane, size_t bytes)
{
    size_t end = lane->reserved + bytes;
    if (end - lane->freed > RING_BYTES)
        lane->freed = atomic_load_explicit(&lane->tail, memory_order_acquire);
    return end - lane->freed <= RING_BYTES;
}

/* A record does not wrap, for it is read through one pointer. What is left before the end of the
 * ring becomes a record without a function, which the runner passes over; it may be too short for a
 * whole record, but has room for the head that skip_rest reads. */
static bool skip_to_start(cohort_lane *lane, size_t bytes)
{
    size_t left = RING_BYTES - lane->reserved % RING_BYTES;
    if (left >= bytes)
        return true;
    if (!has_room(lane, left))
        return false;
    cohort_op *rest = record_at(lane, lane->reserved); /* it may be shorter than a whole record */
    rest->bytes = (uint32_t)left;
    rest->run = NULL;
    lane->reserved += left;
    return true;
}

cohort_op *cohort_lane_reserve(cohort_lane *lane, const cohort_op *op, size_t bytes,
                               uint32_t n_waits)
{
    cohort_assert(op->run != NULL && bytes >= sizeof *op && bytes <= RING_BYTES / 4);
    size_t body = (bytes + 15) / 16 * 16;
    size_t all = (body + n_waits * sizeof(cohort_fence) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (!skip_to_start(lane, all) || !has_room(lane, all))
        return NULL;
    cohort_op *record = record_at(lane, lane->reserved);
    memcpy(record, op, bytes);
    record->bytes = (uint32_t)all;
    record->n_waits = n_waits;
    record->number = lane->next_number;
    record->call = lane->failure->call;
    record->step = lane->failure->step;
    record->waits = (cohort_fence *)((char *)record + body);
    return record;
}

/* Wake whoever sleeps on this lane. Before this call `posted` or `done` was stored; a sleeper
 * counts itself, passes a heavy barrier, and looks at the number: so either it sees the new number,
 * or this thread sees the sleeper. Without the barriers both could miss each other, and the sleeper
 * would sleep on. The lock is taken so that the broadcast does not fall between the sleeper's look
 * and its wait. */
void cohort_lane_notify(cohort_lane *lane)
{
    cohort_barrier_light();
    if (atomic_load_explicit(&lane->sleepers, memory_order_relaxed) == 0)
        return;
    pthread_mutex_lock(&lane->lock);
    lane->rung_ns = cohort_clock_ns();
    pthread_cond_broadcast(&lane->wake);
    pthread_mutex_unlock(&lane->lock);
}

/* Bring the memory of the next record to this core, by writing to it, while nobody waits for that:
 * the runner read it last. volatile keeps the compiler from dropping stores that nobody reads.
 * Measured: 0.1 us of an empty step. */
static void warm_next(cohort_lane *lane)
{
    enum { RECORD = 5 * ALIGNMENT };
    size_t at = lane->reserved % RING_BYTES;
    if (at + RECORD > RING_BYTES || !has_room(lane, RECORD))
        return;
    for (size_t line = 0; line < RECORD; line += ALIGNMENT)
        *(volatile char *)(lane->ring + at + line) = 0;
}

/* The store to `posted` hands the record over: all that was written to it is visible to the runner
 * that loads the number. From then on the planner must not touch the record. */
void cohort_lane_post(cohort_lane *lane, cohort_op *op)
{
    cohort_assert(op->number == lane->next_number && op == record_at(lane, lane->reserved));
    lane->reserved += op->bytes;
    lane->next_number++;
    if (lane->does_yield && (op->flags & COHORT_OP_HERE) != 0)
        atomic_store_explicit(&lane->here, lane->next_number - 1, memory_order_relaxed);
    atomic_store_explicit(&lane->posted, lane->next_number - 1, memory_order_release);
    if (lane->is_callers)
        return;
    cohort_lane_notify(lane);
    warm_next(lane);
}

/* ------------------------------------------------------------------ runner */

/* The record at a position, or the first of the ring where the rest before the end is no
 * operation. */
static cohort_op *skip_rest(const cohort_lane *lane, size_t *position)
{
    cohort_op *op = record_at(lane, *position);
    if (op->run != NULL)
        return op;
    *position += op->bytes;
    return record_at(lane, *position);
}

cohort_op *cohort_lane_peek(cohort_lane *lane)
{
    if (!cohort_lane_has_work(lane))
        return NULL;
    return skip_rest(lane, &lane->issue_at);
}

cohort_op *cohort_lane_first(cohort_lane *lane)
{
    if (!cohort_lane_is_in_flight(lane))
        return NULL;
    size_t position = lane->over_at;
    return skip_rest(lane, &position);
}

const cohort_op *cohort_lane_after(const cohort_lane *lane, const cohort_op *op)
{
    if (op->number == lane->issued)
        return NULL;
    size_t position = (size_t)((const char *)op - lane->ring) + op->bytes;
    return skip_rest(lane, &position);
}

/* A lane that was lost blocks nobody: what waits for it is skipped later, by has_all or because the
 * failure stops everything. */
cohort_fence cohort_lane_blocker(const cohort_op *op)
{
    for (uint32_t i = 0; i < op->n_waits; i++)
        if (!cohort_lane_is_past(op->waits[i].lane, op->waits[i].number))
            return op->waits[i];
    return (cohort_fence){ NULL, 0 };
}

/* Everything that an operation waits for is really done, and none of it on a lane that was lost: so
 * no late device touches the memory that the operation uses or frees. */
static bool has_all(const cohort_op *op)
{
    bool has = true;
    for (uint32_t i = 0; i < op->n_waits && has; i++)
        has = cohort_lane_is_done(op->waits[i].lane, op->waits[i].number);
    return has;
}

static bool may_be_done(cohort_lane *lane, const cohort_op *op)
{
    return !cohort_failure_stops(lane->failure, op->call) ||
           ((op->flags & COHORT_OP_ALWAYS) != 0 && has_all(op));
}

/* What was in flight behind an operation that failed has worked on what that one did not write. */
static bool is_spoiled(const cohort_lane *lane, const cohort_op *op)
{
    return atomic_load_explicit(&lane->first_bad, memory_order_relaxed) != 0 &&
           (op->flags & COHORT_OP_ALWAYS) == 0;
}

/* The device has had an operation from then on: if it runs bodies, that is time of theirs. What is
 * in flight behind it has the device from now on, as what it was done inside of. */
static void count_time(cohort_lane *lane, const cohort_op *op)
{
    const int64_t now = cohort_clock_ns();
    cohort_lane *owner = lane->owner;
    if (owner->tracks != 0)
        cohort_tracks_add(owner, op, owner->busy_from_ns, now);
    _Atomic int64_t *times = (op->flags & COHORT_OP_BODY) != 0 ? &owner->busy_ns : &owner->other_ns;
    atomic_fetch_add_explicit(times, now - owner->busy_from_ns, memory_order_relaxed);
    owner->busy_from_ns = now;
    const bool is_at_work = owner->current != NULL || lane->issued != op->number;
    atomic_store_explicit(&owner->at_work_from_ns, is_at_work ? now : 0, memory_order_relaxed);
}

/* The end of an operation. The order counts: `end` may still use what the record holds; the failure
 * is raised before `done` says that the operation is over, so that whoever waited for it finds the
 * failure; the record's memory is given back (tail) before `done` too, since the planner may be
 * waiting for room. first_bad is set once, and cleared with the failure. */
void cohort_lane_complete(cohort_lane *lane, cohort_op *op, cohort_status status)
{
    uint64_t number = op->number;
    cohort_assert(number == lane->over + 1);
    if (lane->owner->is_timed)
        count_time(lane, op);
    if (status >= 0 && is_spoiled(lane, op))
        status = COHORT_EAGAIN;
    if (op->end != NULL && has_all(op)) {
        cohort_status ended = op->end(op, status);
        status = status == COHORT_EAGAIN ? status : ended;
    }
    if (status < 0 && status != COHORT_EAGAIN)
        cohort_failure_raise(lane->failure, status, op->call, op->step);
    if (status < 0 && atomic_load_explicit(&lane->first_bad, memory_order_relaxed) == 0)
        atomic_store(&lane->first_bad, number);
    (void)skip_rest(lane, &lane->over_at);
    lane->over_at += op->bytes;
    lane->over = number;
    atomic_store_explicit(&lane->tail, lane->over_at, memory_order_release);
    atomic_store_explicit(&lane->done, number, memory_order_release);
    cohort_lane_notify(lane);
}

static void begin_time(cohort_lane *owner)
{
    owner->busy_from_ns = cohort_clock_ns();
    atomic_store_explicit(&owner->at_work_from_ns, owner->busy_from_ns, memory_order_relaxed);
}

/* What it asks of the device, beside others in flight. */
static cohort_status run_noted(cohort_lane *lane, cohort_op *op)
{
    lane->owner->asked = COHORT_SLOT_COUNT;
    const cohort_status status = op->run(lane, op);
    op->asked = lane->owner->asked;
    return status;
}

/* `current` names the operation in messages of a deadline; an operation of a step's ring is done
 * inside of another one, which is current again afterwards. An operation that failed behind others
 * in flight is not complete before they are, but its failure is raised now, while the slot has its
 * text: its `end` gets the status when its turn has come. */
void cohort_lane_do(cohort_lane *lane, cohort_op *op)
{
    bool is_first = !cohort_lane_is_in_flight(lane);
    cohort_assert(op->number == lane->issued + 1 && cohort_lane_blocker(op).lane == NULL);
    op->status = COHORT_EAGAIN;
    if (lane->owner->is_timed && is_first)
        begin_time(lane->owner);
    if (may_be_done(lane, op)) {
        cohort_op *outer = lane->owner->current; /* the step that op is part of, or NULL */
        lane->owner->current = op;
        op->status = lane->owner->is_timed ? run_noted(lane, op) : op->run(lane, op);
        lane->owner->current = outer;
    }
    if (cohort_lane_is_lost(lane))
        return; /* in this very operation */
    lane->issued = op->number;
    lane->issue_at += op->bytes;
    if (op->pending.event != NULL)
        return;
    if (op->status < 0 && op->status != COHORT_EAGAIN && !is_first)
        /* now, while the slot has its text */
        cohort_failure_raise(lane->failure, op->status, op->call, op->step);
    if (is_first)
        cohort_lane_complete(lane, op, op->status);
}

int64_t cohort_lane_worked_ns(const cohort_lane *lane)
{
    const cohort_lane *owner = lane->owner;
    /* first, so that an operation that is over in between is not counted twice */
    const int64_t over = atomic_load_explicit(&owner->busy_ns, memory_order_acquire) +
                         atomic_load_explicit(&owner->other_ns, memory_order_acquire);
    const int64_t from = atomic_load_explicit(&owner->at_work_from_ns, memory_order_relaxed);
    const int64_t now = from != 0 ? cohort_clock_ns() : 0;
    return over + (now > from ? now - from : 0);
}
