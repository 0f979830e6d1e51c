/* SPDX-License-Identifier: BSD-3-Clause */
/* Launch sets: launches of one call on one device, as one operation that is posted with each call
 * like it, of heads that stay where they are meanwhile. The operation carries the slots alone, and
 * what stands behind them: that is what differs.
 *
 *     slots = cohort_launch_set_add(&set, head, n_uses);           of each; NULL: into another set
 *
 *     cohort_launch_set_begin(&set);                               of each call
 *     set.uses and slots are filled in, where they have changed
 *     fence = cohort_launch_set_submit(&set, executor);
 *
 * They are done in their order, as if each were an operation; the first that fails ends the set, or
 * the batch (launch_batch.h), and what the set was to write is lost. Memory of the program that
 * they read in place becomes that of its buffer before the first of them (_import). */
#ifndef COHORT_OPERATION_LAUNCH_SET_H
#define COHORT_OPERATION_LAUNCH_SET_H

#include "runtime/operation/launch.h"

/* The limits of one set. There is room for any single launch (COHORT_LIMIT_ARGUMENT_BYTES). */
enum {
    COHORT_LAUNCH_SET_BYTES = 32 * 1024,
    COHORT_LAUNCH_SET_USES = 512,
    COHORT_LAUNCH_SET_IMPORTS = 64
};

/* In memory of its owner's. */
typedef struct cohort_launch_set {
    const cohort_context *context;
    cohort_use *uses; /* [n_uses]: of the launches, one after the other, each as for fill_buffers */
    char *record;     /* at a multiple of 64; what is imported stands behind the launches */
    int32_t n, n_uses, n_imports;
    uint32_t bytes; /* of the launches */
} cohort_launch_set;

/* Room for the record of a set of this one launch. Launches of one set need no more than the sum of
 * theirs. */
size_t cohort_launch_set_bytes_for(const cohort_executable *executable, int32_t n_uses);

/* Without launches, with a record where there is room for all that are added, and uses. */
void cohort_launch_set_make(cohort_launch_set *set, char *record, cohort_use uses[]);

/* One more launch: its head, which stays as it is until no set that has it is under way any more.
 * Returns its slots, with room for what stands behind them, to be filled in. NULL: not into this
 * set, which is full, or of another device, or of one where each launch is waited for by itself. An
 * empty set takes any. */
cohort_launch_slot *cohort_launch_set_add(cohort_launch_set *set, const cohort_launch_op *head,
                                          int32_t n_uses);

/* It is to be posted anew, and imports nothing yet. */
static inline void cohort_launch_set_begin(cohort_launch_set *set)
{
    set->n_imports = 0;
}

/* A buffer that a launch of the set reads is to be that memory, as with cohort_buffer_import: its
 * use is a write. False, and nothing is noted: it is to be posted before the set, where a device is
 * not done with each operation at once, or has many of them. */
bool cohort_launch_set_import(cohort_launch_set *set, cohort_buffer *buffer, const void *memory,
                              uint64_t bytes);

/* Post it, by a copy. The fence has no lane when the device is lost. */
cohort_fence cohort_launch_set_submit(cohort_launch_set *set, cohort_executor *executor);

/* What the record of a set imports; none: NULL, as of that of another operation. */
cohort_import *cohort_launch_set_list_imports(cohort_op *op, int32_t *out_n);

#endif
