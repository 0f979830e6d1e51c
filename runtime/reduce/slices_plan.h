/* SPDX-License-Identifier: BSD-3-Clause */
/* Index slices of all replicas, one after the other. */
#ifndef COHORT_REDUCE_SLICES_PLAN_H
#define COHORT_REDUCE_SLICES_PLAN_H

#include "runtime/reduce/gather.h"
#include "runtime/reduce/reducer.h"

typedef struct cohort_slices_plan {
    cohort_reduce_op op;
    bool is_step; /* each replica passes its own, be it what others pass */
    cohort_gather_plan ids, rows;
} cohort_slices_plan;

/* Checked and prepared. COHORT_EINVAL with "call: ...", COHORT_ENOMEM; then there is nothing to
 * end. */
cohort_status cohort_slices_plan_begin(cohort_slices_plan *plan, const char *call,
                                       cohort_reduce_op op, cohort_value *ids, cohort_value *rows,
                                       bool is_step, cohort_strategy *strategy);
void cohort_slices_plan_end(cohort_slices_plan *plan);

void cohort_slices_plan_shape(const cohort_slices_plan *plan, cohort_content *ids,
                              cohort_content *rows);

/* dst, at home, has room for all of it. The reducer was restarted for this reduction. */
void cohort_slices_plan_post_ids(const cohort_slices_plan *plan, cohort_buffer *dst);
void cohort_slices_plan_post_rows(const cohort_slices_plan *plan, cohort_reducer *reducer,
                                  cohort_buffer *dst);

#endif
