/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans of several reductions of one call, which are made as a whole or not at all. Over workers
 * their surveys are joined in one meeting, and their sums cross together.
 *
 *     open, add each, join, post, end */
#ifndef COHORT_REDUCE_PLANS_H
#define COHORT_REDUCE_PLANS_H

#include "runtime/reduce/plan.h"

typedef struct cohort_reduce_plans {
    const char *call;
    cohort_reducer *reducer;
    cohort_reduce_plan *list; /* the first n are to be ended */
    cohort_value **into;
    cohort_survey **surveys;
    int n;
} cohort_reduce_plans;

/* Bytes of memory for each. */
enum {
    COHORT_REDUCE_PLANS_EACH =
        sizeof(cohort_reduce_plan) + sizeof(cohort_value *) + sizeof(cohort_survey *)
};

/* None yet. memory: for `most` of them, as malloc aligns it; outlives them. */
void cohort_reduce_plans_open(cohort_reduce_plans *plans, const char *call, cohort_reducer *reducer,
                              void *memory, int most);

/* The operands, without weights, are looked at; in a strategy of one worker they are prepared, too.
 * COHORT_EINVAL with "call: ...", COHORT_ENOMEM. */
cohort_status cohort_reduce_plans_add(cohort_reduce_plans *plans,
                                      const cohort_reduce_request *request, cohort_value *into);

/* After the last: all workers meet for all of them. Nothing else can fail after it. As add, and the
 * errors of cohort_survey_join; *out_failed is the one that cannot be made, n where it is not known
 * which. */
cohort_status cohort_reduce_plans_join(const cohort_reduce_plans *plans, size_t *out_failed);

void cohort_reduce_plans_post(const cohort_reduce_plans *plans);
void cohort_reduce_plans_end(cohort_reduce_plans *plans);

#endif
