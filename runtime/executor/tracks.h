/* SPDX-License-Identifier: BSD-3-Clause */
/* Tracks of a trace for the lanes of an executor: one for each kind of work on a device. */
#ifndef COHORT_EXECUTOR_TRACKS_H
#define COHORT_EXECUTOR_TRACKS_H

#include "runtime/base/trace.h"
#include "runtime/executor/lane.h"

enum { COHORT_TRACKS = 4 }; /* of a lane: bodies, copies, sums, other */

/* A device has had an operation from then until then. By the runner of the lane, which has
 * tracks. */
void cohort_tracks_add(cohort_lane *lane, const cohort_op *op, int64_t begin_ns, int64_t end_ns);

/* The thread that makes calls has waited since begin_ns: for devices (COHORT_TRACE_WAIT), or for
 * rows of an input (COHORT_TRACE_INPUT). Nothing where begin_ns is 0. any: lane of the strategy. */
void cohort_tracks_add_wait(const cohort_lane *any, cohort_trace_kind kind, int64_t begin_ns);

/* What is joined by arrows: a call and its operations; or, of a program, a step and its own. In the
 * 53 bits that readers of JSON keep: 13 of the strategy, so that of two that are 8192 tracks apart
 * arrows may be joined, and 40. */
static inline uint64_t cohort_tracks_flow(const cohort_lane *any, uint64_t call, uint64_t step)
{
    const uint64_t part = step > 0 ? (step << 1) + 1 : call << 1;
    const uint64_t strategy = any->all[0]->tracks & 0x1fff;
    return (strategy << 40) | (part & 0xffffffffff);
}

#endif
