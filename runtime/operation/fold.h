/* SPDX-License-Identifier: BSD-3-Clause */
/* Folds: planned reductions of buffers, by the device where it can, else by the core's own
 * kernel. */
#ifndef COHORT_OPERATION_FOLD_H
#define COHORT_OPERATION_FOLD_H

#include "runtime/operation/use.h"

typedef struct cohort_fold_term { /* as cohort_term */
    cohort_buffer *buffer;
    uint64_t offset;
    uint32_t merges;
    /* one element, by which those of the term are multiplied, and rounded, before they are
     * combined; NULL: they are not. All terms of a fold have weights or none; where they have, all
     * memory is HOST_VISIBLE */
    cohort_buffer *weight;
} cohort_fold_term;

/* Whether a fold on `where` can use memory of `other`: the device can access it, or both show
 * theirs, so that this process combines them in place, whoever made them. */
static inline bool cohort_fold_reaches(const cohort_context *where, const cohort_context *other)
{
    return where->can_access[other->index] || (cohort_context_has(where, COHORT_CAP_HOST_VISIBLE) &&
                                               cohort_context_has(other, COHORT_CAP_HOST_VISIBLE));
}

/* One device of each lane does a slice, for a second one of a lane would only wait for the first: a
 * device that may do one is the next of those that do, unless its lane has one already. Returns how
 * many do. */
static inline int32_t cohort_fold_add_worker(cohort_context *workers[], int32_t n,
                                             cohort_context *device)
{
    for (int32_t i = 0; i < n; i++)
        if (workers[i]->lane == device->lane)
            return n;
    workers[n] = device;
    return n + 1;
}

/* Combine n terms (1 to COHORT_MAX_TERMS) into dst, on dst's device, which reaches all of them.
 * Large ones are cut into slices over the lanes whose devices reach all of them too; little ones
 * are done in the call itself when nothing is under way, or by one of those lanes (alone.h). That
 * changes no bit. dst is large enough. */
void cohort_fold_post(cohort_reduce_op op, cohort_dtype dtype, const cohort_fold_term terms[],
                      int32_t n, cohort_buffer *dst, uint64_t count, uint64_t divisor);

/* At once, in memory of this process: n terms (1 to COHORT_MAX_TERMS) along the tree, each
 * multiplied by its weight and rounded before, where there are weights. The errors of
 * cohort_reduction_run_weighed. */
cohort_status cohort_fold_tree(cohort_reduce_op op, cohort_dtype dtype, const void *const terms[],
                               const void *const weights[], int32_t n, void *dst, uint64_t count,
                               uint64_t divisor);

/* ---- Of the record of a fold that was posted: for who does it slice by slice (feed.h). */

/* A fold without weights in memory that this process sees, which its own loops can do. */
bool cohort_fold_may_feed(const cohort_op *op);

/* The result and the terms of such a fold. A record is one slice of the lanes' or all of it:
 * the buffers are the same. */
cohort_buffer *cohort_fold_result(const cohort_op *op);
cohort_buffer *cohort_fold_term_of(const cohort_op *op, int32_t i); /* NULL: there are no more */
uint64_t cohort_fold_item_bytes(const cohort_op *op);
uint64_t cohort_fold_result_bytes(const cohort_op *op); /* of the slice */
size_t cohort_fold_record_bytes(const cohort_op *op);

/* Elements [first, first + count) of the whole result, into memory that has all of them. Runner. */
cohort_status cohort_fold_slice(const cohort_op *op, uint64_t first, uint64_t count, void *into);

/* The uses of any record, of all of the sum or of a slice. Returns how many uses there are. */
enum { COHORT_FOLD_USES = 2 * COHORT_MAX_TERMS + 1 };
int32_t cohort_fold_list_uses(const cohort_op *op, cohort_use uses[COHORT_FOLD_USES]);

#endif
