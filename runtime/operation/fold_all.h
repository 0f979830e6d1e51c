/* SPDX-License-Identifier: BSD-3-Clause */
/* Folds with several results: terms combined, and the outcome stored to all of a list of buffers,
 * which may be those of the terms, in one pass. For devices that show their memory to this process
 * alone: the core's own kernel does it. */
#ifndef COHORT_OPERATION_FOLD_ALL_H
#define COHORT_OPERATION_FOLD_ALL_H

#include "runtime/operation/fold.h"

/* May each of these devices do a part, whichever of them have the buffers? All show their memory,
 * can access that of each other, and have nothing in flight when an operation of theirs is over. */
bool cohort_fold_all_may_be(const cohort_executor *executor);

typedef struct cohort_fold_all {
    cohort_reduce_op op; /* not MEAN: SUM and a divisor */
    cohort_dtype dtype;
    uint64_t count, divisor;
    int32_t n_terms, n_results;               /* 1 to COHORT_MAX_TERMS */
    cohort_fold_term terms[COHORT_MAX_TERMS]; /* at offset 0; each its own buffer */
    cohort_buffer
        *results[COHORT_MAX_TERMS]; /* each large enough, not an import; no two the same */
} cohort_fold_all;

/* Small ones are done before this returns, where nothing is under way with the buffers; all others
 * are cut into slices over the lanes. Neither changes a bit. */
void cohort_fold_all_post(cohort_executor *executor, const cohort_fold_all *fold);

#endif
