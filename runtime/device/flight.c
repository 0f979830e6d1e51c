/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/device/flight.h"

#include "runtime/base/thread.h"
#include "runtime/device/opened.h"

/* Beyond that a driver's queue may block whoever enqueues. */
enum { MOST_IN_FLIGHT = 1024 };

/* An operation without an event was skipped, failed, or was over at once. */
static bool is_over(const cohort_op *op, cohort_status *out_status)
{
    *out_status = op->flight.event != NULL ? cohort_opened_settle(&op->flight, 0) : op->status;
    return op->flight.event == NULL || *out_status != COHORT_EAGAIN;
}

void cohort_flight_settle(cohort_lane *lane)
{
    cohort_status status;
    for (cohort_op *op = cohort_lane_first(lane); op != NULL && is_over(op, &status); op = cohort_lane_first(lane))
        cohort_lane_complete(lane, op, status);
}

/* The last operation up to that number which has an event: queues are in order. */
static const cohort_op *last_with_event(const cohort_lane *lane, const cohort_op *first, uint64_t number)
{
    const cohort_op *last = NULL, *op = first;
    for (; op != NULL && op->number <= number; op = cohort_lane_after(lane, op))
        last = op->flight.event != NULL ? op : last;
    return last;
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* The deadline runs for the first one in flight only, while somebody waits. Returns what is left of it. */
static int64_t left_of_deadline(cohort_lane *lane, const cohort_op *first)
{
    if (lane->head != first->number) {
        lane->head = first->number;
        lane->head_ns = 0;
    }
    return first->flight.limit_ns > 0 ? first->flight.limit_ns - lane->head_ns : INT64_MAX;
}

void cohort_flight_wait_slice(cohort_lane *lane, uint64_t number, int64_t slice_ns)
{
    cohort_flight_settle(lane);
    const cohort_op *first = cohort_lane_first(lane);
    if (first == NULL || cohort_lane_is_past(lane, number))
        return;
    const cohort_flight *f = &first->flight;
    int64_t left = left_of_deadline(lane, first);
    if (left <= 0) {
        (void)cohort_lane_lose(lane, first, f->what, f->opened->device->id, f->setting, f->limit_ns);
        return;
    }
    int64_t before = cohort_clock_ns();
    (void)cohort_opened_await(&last_with_event(lane, first, number)->flight, least(slice_ns, least(left, 1000000000)));
    lane->head_ns += least(cohort_clock_ns() - before, 2000000000);
    cohort_flight_settle(lane);
}

void cohort_flight_wait(cohort_lane *lane, uint64_t number)
{
    while (!cohort_lane_is_past(lane, number))
        cohort_flight_wait_slice(lane, number, INT64_MAX);
}

uint64_t cohort_flight_before(const cohort_lane *lane, const cohort_op *op)
{
    if (!cohort_lane_is_in_flight(lane))
        return 0;
    if ((op->flags & COHORT_OP_STREAM) == 0)
        return lane->issued;
    uint64_t done = atomic_load_explicit(&lane->done, memory_order_relaxed);
    if (op->after > done)
        return op->after;
    return lane->issued - done >= MOST_IN_FLIGHT ? lane->issued - MOST_IN_FLIGHT / 2 : 0;
}
