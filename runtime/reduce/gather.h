/* SPDX-License-Identifier: BSD-3-Clause */
/* Gathering: components one after the other. */
#ifndef COHORT_REDUCE_GATHER_H
#define COHORT_REDUCE_GATHER_H

#include "runtime/reduce/survey.h"

typedef struct cohort_gather_plan {
    cohort_strategy *strategy;
    cohort_operand x;
    cohort_survey survey;
    int32_t axis; /* from 0 */
    /* what is not per replica counts so often: 1 of cohort_gather, R of index slices */
    int32_t times;
    bool is_guarded; /* components are contributions, which the strategy's guard looks at */
    const char *call;
    int64_t *along; /* [workers]: rows of each; NULL: nothing crosses */
} cohort_gather_plan;

/* COHORT_EINVAL with "call: ...", COHORT_ENOMEM; then there is nothing to end. */
cohort_status cohort_gather_plan_begin(cohort_gather_plan *plan, const char *call,
                                       cohort_strategy *strategy, const cohort_argument *x,
                                       int axis, bool is_repeated);
cohort_status cohort_gather_plan_prepare(const cohort_gather_plan *plan);
void cohort_gather_plan_shape(const cohort_gather_plan *plan, cohort_content *into);

/* dst, at home, has room for all of it. Across workers it blocks. */
void cohort_gather_plan_post(const cohort_gather_plan *plan, cohort_buffer *dst);
void cohort_gather_plan_end(cohort_gather_plan *plan);

/* All of it: what cohort_gather does, inside a call. */
cohort_status cohort_gather_into(const char *call, const cohort_argument *x, int axis,
                                 cohort_value *into);

#endif
