/* SPDX-License-Identifier: BSD-3-Clause */
/* The shadow of lists: in builds that look at claims (base/assert.h) each list of which a memo
 * holds is looked at the plain way as well (near.h), fold by fold, and both are compared, as of
 * calls in memo/shadow.h. Nothing of it is posted, and it takes no memory.
 *
 *     sum = cohort_list_shadow_compare(memo, reducer, &call);
 *     cohort_list_memo_post(memo, reducer);
 *     cohort_list_shadow_compare_results(memo, reducer, sum);
 *
 * In a release there is nothing of it. */
#ifndef COHORT_REDUCE_LIST_SHADOW_H
#define COHORT_REDUCE_LIST_SHADOW_H

#include "runtime/reduce/list_memo.h"

#ifdef COHORT_ASSERTIONS

/* The memo, which holds, has the folds that the plain way finds. Returns a sum of how often the
 * results were written so far. */
uint64_t cohort_list_shadow_compare(const cohort_list_memo *memo, cohort_reducer *reducer,
                                    const cohort_list_call *call);

/* The list is posted. sum: what _compare returned. */
void cohort_list_shadow_compare_results(const cohort_list_memo *memo, const cohort_reducer *reducer,
                                        uint64_t sum);

#endif

#endif
