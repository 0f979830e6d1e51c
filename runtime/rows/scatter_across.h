/* SPDX-License-Identifier: BSD-3-Clause */
/* Index slices of all workers, for a scatter that each of them makes. */
#ifndef COHORT_ROWS_SCATTER_ACROSS_H
#define COHORT_ROWS_SCATTER_ACROSS_H

#include "runtime/value/fetched_rows.h"
#include "runtime/value/slices.h"

/* The common parts of all that scatter into a variable. */
typedef struct cohort_scatter_across {
    const char *call;
    cohort_variable *variable;
    uint64_t divisor;
} cohort_scatter_across;

/* All meet; out: the rows of all workers in the order of replicas, as one slice, with one
 * reference. Blocks. COHORT_EINVAL, for all: another variable or divisor; COHORT_ENOMEM. */
cohort_status cohort_scatter_across_gather(const cohort_scatter_across *scatter,
                                           const cohort_fetched_rows *mine, cohort_slices **out);

#endif
