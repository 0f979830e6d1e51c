/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels: the body of a function on one device, built by the first operation that needs it, and
 * its launches. */
#ifndef COHORT_OPERATION_KERNEL_H
#define COHORT_OPERATION_KERNEL_H

#include "runtime/function/bounds.h"
#include "runtime/function/geometry.h"
#include "runtime/operation/use.h"

typedef struct cohort_executable {
    cohort_context *context;
    const cohort_signature *signature; /* retained */
    const cohort_sig *sig;             /* of the signature: as the body takes its arguments */
    cohort_geometry geometry;          /* dims 0: none */
    int32_t n_slots, n_arrays;         /* arrays and locals; of them, arrays */
    cohort_kernel *kernel;             /* the runner's */
    bool is_posted;                    /* the planner's: its build is on its way, or done */
    /* where a result goes that nobody wants; NULL: not needed yet */
    cohort_buffer *dropped;
    cohort_code code;
    char *entry, *data;             /* texts of code that are ours */
    struct cohort_launch_op *draft; /* the planner's: the launch that is filled in next */
} cohort_executable;

/* Whether the function has a body that the device takes. COHORT_EINCOMPATIBLE with both lists when
 * it has none. */
cohort_status cohort_executable_check(const cohort_function *function, const cohort_device *device);

/* Choose a body that the device takes (its formats, best first); its build is posted with the first
 * launch. COHORT_EINCOMPATIBLE with both lists when none fits, COHORT_ENOENT for a symbol that is
 * not there, COHORT_ENOMEM. */
cohort_status cohort_executable_create(cohort_context *context, const cohort_function *function,
                                       const cohort_signature *signature,
                                       cohort_executable **out_executable);

/* In line with everything posted. */
void cohort_executable_destroy(cohort_executor *executor, cohort_executable *executable);

/* Before anything is posted: there is memory for a result that nobody wants. COHORT_ENOMEM. */
cohort_status cohort_executable_prepare_dropped(cohort_executable *executable,
                                                cohort_executor *executor);

/* After a failure, when nothing is posted any more: a build that did not happen is posted again
 * with the next launch.
 */
void cohort_executable_settle(cohort_executable *executable);

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

/* Before a launch is drafted: the build is on its way. */
void cohort_executable_use(cohort_executor *executor, cohort_executable *executable);

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

/* Bytes of a parameter that is neither array nor local, in the record. */
static inline uint32_t cohort_launch_value_bytes(const cohort_parameter *parameter)
{
    return (parameter->bytes + 15) / 16 * 16;
}

#endif
