/* SPDX-License-Identifier: BSD-3-Clause */
/* A tally: what one component adds to a metric, and the addition. */
#ifndef COHORT_METRIC_TALLY_H
#define COHORT_METRIC_TALLY_H

#include <cohort/array.h>

#include <stdbool.h>

typedef enum cohort_tally_kind {
    COHORT_TALLY_NOTHING,     /* leaves what there is, to the last bit */
    COHORT_TALLY_RESET,       /* begins with 0, and has no sources */
    COHORT_TALLY_SUM,         /* of elements times weights, and of the weights */
    COHORT_TALLY_PREDICTIONS, /* elements that are the label of their row, and rows */
    COHORT_TALLY_SCORES       /* rows whose highest element is at the label, and rows */
} cohort_tally_kind;

typedef struct cohort_tally {
    cohort_tally_kind kind;
    cohort_dtype dtype;      /* of the elements: real numbers or bool */
    cohort_dtype with_dtype; /* of weights or labels; labels are integers */
    uint32_t zero;           /* in place of padding (operation/fallback.h) */
    int64_t rows;            /* at least 1 where it adds something; of a sum: elements */
    int64_t classes;         /* elements of a row of scores */
    int64_t weights;         /* one for each element, 1 for all, or 0: none */
} cohort_tally;

/* The memory of a tally: the results, each a double, and the first of its sources, which are what
 * they are added to; then the elements and, where there are some, weights or labels. */
enum { COHORT_TALLY_TOTAL, COHORT_TALLY_COUNT, COHORT_TALLY_RESULTS };
enum { COHORT_TALLY_VALUES = COHORT_TALLY_RESULTS, COHORT_TALLY_WITH, COHORT_TALLY_SOURCES };

/* A cohort_fallback_fn. Products are rounded once; sums are made in order within blocks of 128 and
 * along the tree over the blocks, as cohort_row_fold does, and what comes out is added as
 * COHORT_SUM adds, which has one NaN. */
cohort_status cohort_tally_run(const void *tally, const void *const sources[],
                               void *const results[]);

#endif
