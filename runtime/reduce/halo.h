/* SPDX-License-Identifier: BSD-3-Clause */
/* Halos: for each replica the rows of its neighbours that lie beside its own. */
#ifndef COHORT_REDUCE_HALO_H
#define COHORT_REDUCE_HALO_H

#include "runtime/reduce/halo_pieces.h"
#include "runtime/reduce/survey.h"

#include <cohort/reduce.h>

typedef struct cohort_halo_plan {
    const char *call;
    cohort_strategy *strategy;
    cohort_operand x;
    cohort_survey survey;
    cohort_edge edge;
    cohort_halo_rows pieces;
    /* room of the reducer */
    int64_t *counts;         /* [replicas of all workers]: of pieces */
    cohort_buffer **buffers; /* [replicas of this worker]: to fill; NULL: there is nothing */
    uint64_t *bytes;         /* [workers] */
} cohort_halo_plan;

/* COHORT_EINVAL with "call: ...", COHORT_ENOMEM; then there is nothing to end. */
cohort_status cohort_halo_plan_begin(cohort_halo_plan *plan, const char *call,
                                     cohort_strategy *strategy, const cohort_argument *x,
                                     int64_t rows, cohort_edge edge);
cohort_status cohort_halo_plan_prepare(const cohort_halo_plan *plan, cohort_value *into);

/* Every component of `into`, which was prepared, is written; the value becomes per replica. Across
 * workers it blocks. */
void cohort_halo_plan_post(const cohort_halo_plan *plan, cohort_value *into);

/* Of one row. */
uint64_t cohort_halo_row_bytes(const cohort_halo_plan *plan);
void cohort_halo_plan_end(cohort_halo_plan *plan);

#endif
