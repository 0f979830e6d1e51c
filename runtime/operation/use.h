/* SPDX-License-Identifier: BSD-3-Clause */
/* Uses: how an operation comes into a lane.
 *
 * The planner of an operation fills in a record of its own, and lists which buffers the operation
 * uses. From the list follows what it waits for, and what waits for it:
 *
 *     scan_op s = { .op = COHORT_OP(.run = do_scan), .buffer = buffer };
 *     cohort_use use = { COHORT_USE_WRITE, buffer };
 *     cohort_submit(buffer->executor, buffer->context, &s.op, sizeof s, &use, 1);
 *
 * All of this is called by the planner: the thread that uses the strategy, or that plans for all
 * replicas of a step. */
#ifndef COHORT_OPERATION_USE_H
#define COHORT_OPERATION_USE_H

#include "runtime/operation/buffer.h"

typedef enum cohort_use_mode {
    /* after whatever writes the buffer; whatever writes it later waits for the operation */
    COHORT_USE_READ,
    /* after whatever uses the buffer; whatever uses it later waits for the operation */
    COHORT_USE_WRITE,
    /* after whatever uses the buffer; nothing waits for the operation on account of it */
    COHORT_USE_AFTER,
    /* after a set of fences, and no buffer */
    COHORT_USE_FENCES
} cohort_use_mode;

typedef struct cohort_use {
    cohort_use_mode mode;
    cohort_buffer *buffer;
    const uint64_t *fences; /* of COHORT_USE_FENCES */
} cohort_use;

/* Copy a record of `bytes` into the lane of a device, behind what its uses wait for, and note the
 * uses. Waits while the lane is full, and has the caller's own lane done meanwhile. Returns its
 * fence; one without a lane, with the failure set, when the device is lost: then nothing is
 * noted. */
cohort_fence cohort_submit(cohort_executor *executor, const cohort_context *context,
                           const cohort_op *op, size_t bytes, const cohort_use uses[], int32_t n);

/* One operation in parts, on several lanes. Uses of all parts are noted when all are there, so that
 * no part waits for another one:
 *
 *     cohort_parts parts = cohort_parts_begin(executor, shared, n);
 *     cohort_parts_submit(&parts, context, &op.op, sizeof op, own, n_own);     of each part
 *     cohort_parts_end(&parts);
 *
 * Nothing else is planned in between. A use of one part alone (`own`) is no buffer of `shared`. */
typedef struct cohort_parts {
    cohort_executor *executor;
    const cohort_use *shared; /* [n], the caller's until the end */
    int32_t n;
    uint64_t n_posted; /* by the executor when they began */
} cohort_parts;

cohort_parts cohort_parts_begin(cohort_executor *executor, const cohort_use shared[], int32_t n);
cohort_fence cohort_parts_submit(const cohort_parts *parts, const cohort_context *context,
                                 const cohort_op *op, size_t bytes, const cohort_use own[],
                                 int32_t n_own);
void cohort_parts_end(const cohort_parts *parts);

#endif
