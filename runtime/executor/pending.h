/* SPDX-License-Identifier: BSD-3-Clause */
/* The operations in flight on the device of a lane, counted by the lane's runner in the order of
 * the lane. */
#ifndef COHORT_EXECUTOR_PENDING_H
#define COHORT_EXECUTOR_PENDING_H

#include "runtime/executor/lane.h"

/* Count what is over, without waiting. */
void cohort_pending_settle(cohort_lane *lane);

/* Somebody waits: declare the device lost when the first operation in flight is not over within its
 * deadline, which runs for that one alone. Returns how long it has left, INT64_MAX without end. */
int64_t cohort_pending_look(cohort_lane *lane);

/* Wait until operation `number`, which was issued, is over, for slice_ns at most, and look. */
void cohort_pending_wait_slice(cohort_lane *lane, uint64_t number, int64_t slice_ns);

/* The same without an end. */
void cohort_pending_wait(cohort_lane *lane, uint64_t number);

/* The number that has to be over before this operation, the next of its lane, can be issued; 0:
 * nothing. Operations that are no STREAM want the device for themselves, and a queue takes only so
 * many. */
uint64_t cohort_pending_before(const cohort_lane *lane, const cohort_op *op);

#endif
