/* SPDX-License-Identifier: BSD-3-Clause */
/* Operations in flight, between being issued and being counted as done.
 *
 * All of this is the runner's. A queue of a device is in order, so operations are over in the order
 * of the lane, and the deadline runs for the first one alone: the others cannot be over before it.
 * `head`, `head_ns` and `head_looked_ns` of the lane say for how long that one was waited for. */
#include "config.h"

#include "runtime/executor/pending.h"

#include "runtime/base/thread.h"
#include "runtime/executor/context.h"

/* Beyond that a driver's queue may block whoever enqueues. */
enum { MOST_IN_FLIGHT = 1024 };

/* How much of the deadline of an operation in flight is over. Only the first one has any. */
static int64_t spent_on(const cohort_lane *lane, const cohort_op *op)
{
    return lane->head == op->number ? lane->head_ns : 0;
}

/* An operation without an event was skipped, failed, or was over at once. */
static bool is_over(const cohort_lane *lane, const cohort_op *op, cohort_status *out_status)
{
    bool has_event = op->pending.event != NULL;
    *out_status =
        has_event ? cohort_context_settle(&op->pending, 0, spent_on(lane, op)) : op->status;
    return op->pending.event == NULL || *out_status != COHORT_EAGAIN;
}

void cohort_pending_settle(cohort_lane *lane)
{
    cohort_status status;
    for (cohort_op *op = cohort_lane_first(lane); op != NULL && is_over(lane, op, &status);
         op = cohort_lane_first(lane)) {
        if (cohort_lane_is_lost(lane))
            return; /* by that answer: what is in flight may still be touched */
        cohort_lane_complete(lane, op, status);
    }
}

/* The last operation up to that number which has an event. Its event is the one to wait for: the
 * queue is in order, so all before it are over with it, in one wait instead of many. */
static const cohort_op *last_with_event(const cohort_lane *lane, const cohort_op *first,
                                        uint64_t number)
{
    const cohort_op *last = NULL, *op = first;
    for (; op != NULL && op->number <= number; op = cohort_lane_after(lane, op))
        last = op->pending.event != NULL ? op : last;
    return last;
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* How long the first operation in flight was waited for. The time between two looks at the same one
 * counts, a slice at most; at the first look at another one the count begins at 0. */
static int64_t note_look(cohort_lane *lane, const cohort_op *first)
{
    int64_t now = cohort_clock_ns();
    lane->head_ns = lane->head == first->number
                        ? lane->head_ns + cohort_slice_counted(now - lane->head_looked_ns)
                        : 0;
    lane->head = first->number;
    lane->head_looked_ns = now;
    return lane->head_ns;
}

int64_t cohort_pending_look(cohort_lane *lane)
{
    const cohort_op *first = cohort_lane_first(lane);
    if (first == NULL || first->pending.event == NULL || first->pending.limit_ns == 0 ||
        cohort_lane_is_lost(lane))
        return INT64_MAX;
    const cohort_pending *f = &first->pending;
    int64_t left = f->limit_ns - note_look(lane, first);
    if (left > 0)
        return left;
    (void)cohort_lane_time_out(lane, first, cohort_slot_table[f->operation].words,
                               f->context->device->id, f->setting, f->limit_ns);
    return INT64_MAX;
}

void cohort_pending_wait_slice(cohort_lane *lane, uint64_t number, int64_t slice_ns)
{
    cohort_pending_settle(lane);
    const cohort_op *first = cohort_lane_first(lane);
    if (first == NULL || cohort_lane_is_past(lane, number))
        return;
    int64_t left = cohort_pending_look(lane);
    if (cohort_lane_is_lost(lane))
        return;
    cohort_context_await(&last_with_event(lane, first, number)->pending,
                         least(slice_ns, least(left, COHORT_SLICE_NS)), spent_on(lane, first));
    cohort_pending_settle(lane);
}

void cohort_pending_wait(cohort_lane *lane, uint64_t number)
{
    while (!cohort_lane_is_past(lane, number))
        cohort_pending_wait_slice(lane, number, INT64_MAX);
}

/* An operation that is no STREAM (it uses the device in the call, or changes what is allocated)
 * waits for all that is in flight. A STREAM waits for the operation of its lane that it names
 * (`after`), or for room in the queue. */
uint64_t cohort_pending_before(const cohort_lane *lane, const cohort_op *op)
{
    if (!cohort_lane_is_in_flight(lane))
        return 0;
    if ((op->flags & COHORT_OP_STREAM) == 0)
        return lane->issued;
    if (op->after > lane->over)
        return op->after;
    return lane->issued - lane->over >= MOST_IN_FLIGHT ? lane->issued - MOST_IN_FLIGHT / 2 : 0;
}
