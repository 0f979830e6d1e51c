/* SPDX-License-Identifier: BSD-3-Clause */
/* Launches: an executable run once over the buffers of a device. */
#ifndef COHORT_OPERATION_LAUNCH_H
#define COHORT_OPERATION_LAUNCH_H

#include "runtime/operation/executable.h"

/* What a launch keeps of an array or a local. */
typedef union cohort_launch_slot {
    cohort_buffer *buffer;
    uint64_t local_bytes;
} cohort_launch_slot;

/* Counter of a variable, set when the launch has succeeded. */
typedef struct cohort_launch_commit {
    _Atomic uint64_t *counter;
    uint64_t version;
} cohort_launch_commit;

/* The record of a launch. Behind the slots it has the values of numbers and structs, each at a
 * multiple of 16, in prototype order; what a native body returns; and the commits. */
typedef struct cohort_launch_op {
    cohort_op op;
    cohort_executable *executable;
    cohort_tag tag;
    cohort_range range;
    cohort_buffer *result; /* gets the result; NULL: it is dropped, or a verdict */
    int32_t n_commits;
    cohort_launch_slot slots[]; /* arrays and locals, in prototype order */
} cohort_launch_op;

/* Room for the launches of an executable, whose code is known; what is the same in all of them is
 * filled in. COHORT_ENOMEM. */
cohort_status cohort_launch_make_draft(cohort_executable *executable);

/* A launch over a range (dims 0: the body loops by itself), to be filled in and submitted. It is
 * the executable's: one at a time. replica: for messages; -1: none. */
cohort_launch_op *cohort_launch_draft(cohort_executable *executable, int32_t replica,
                                      const cohort_range *range);

/* Where its values stand. */
char *cohort_launch_values(cohort_launch_op *launch);

/* One more counter to set; at most one for each array of the prototype. */
void cohort_launch_add_commit(cohort_launch_op *launch, cohort_launch_commit commit);

/* uses: of the arrays, in prototype order, then of the result, if it is wanted. locals: for each
 * parameter that is a local, its number of elements. */
cohort_fence cohort_launch_submit(cohort_executor *executor, cohort_launch_op *launch,
                                  const cohort_use uses[], int32_t n, const int64_t locals[]);

#endif
