/* SPDX-License-Identifier: BSD-3-Clause */
/* Launch batches: launches of one executable, one after the other, that the plugin gets in one
 * call. Its bodies return nothing and write no variable, so a launch that is over needs no end.
 *
 *     if (cohort_launch_batch_takes(executable))
 *         cohort_launch_batch_begin(&batch, number);
 *         cohort_launch_batch_add(&batch, head, slots);     of each; false: do it first
 *         status = cohort_launch_batch_do(&batch, lane);
 */
#ifndef COHORT_OPERATION_LAUNCH_BATCH_H
#define COHORT_OPERATION_LAUNCH_BATCH_H

#include "runtime/base/callback.h"
#include "runtime/operation/launch.h"

/* The limits of one batch: enough that what a call costs is divided by many, and little enough for
 * the nearest cache. There is room for any single launch. */
enum { COHORT_LAUNCH_BATCH = 16, COHORT_LAUNCH_BATCH_ARGS = 2 * COHORT_MAX_ARGS };

/* On the runner's stack. */
typedef struct cohort_launch_batch {
    uint64_t number; /* of the operation that the launches are */
    uint32_t n, n_args;
    const cohort_launch_op *heads[COHORT_LAUNCH_BATCH];
    cohort_launch calls[COHORT_LAUNCH_BATCH];
    int64_t items[COHORT_LAUNCH_BATCH][COHORT_ITEM_WORDS];
    int32_t replicas[COHORT_LAUNCH_BATCH];
    void *argv[COHORT_LAUNCH_BATCH_ARGS];
} cohort_launch_batch;

/* Whether launches of it that have no commits may be in a batch. */
bool cohort_launch_batch_takes(const cohort_executable *executable);

/* Empty. */
void cohort_launch_batch_begin(cohort_launch_batch *batch, uint64_t number);

/* One more; head and slots stay as they are until the batch was done. false: it is full, or of
 * another executable; an empty one takes any. */
bool cohort_launch_batch_add(cohort_launch_batch *batch, const cohort_launch_op *head,
                             cohort_launch_slot slots[]);

/* Do all of them, of which there is one at least. After an error, which names the launch that
 * failed, those behind it have not begun. (Of a body that called its strategy the error comes when
 * all are over.) */
cohort_status cohort_launch_batch_do(cohort_launch_batch *batch, cohort_lane *lane);

#endif
