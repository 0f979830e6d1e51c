/* SPDX-License-Identifier: BSD-3-Clause */
/* The shadow: in builds that look at claims (base/assert.h) each call of which a memo holds is
 * planned the plain way as well, from the same words, and both are compared. Nothing of it is
 * posted, and it takes no memory: the binder has what it took when the memo was made.
 *
 *     cohort_plain_begin(binder, &call, &posts)
 *     sum = cohort_shadow_compare_run(binder, memo)       the answer, record by record
 *     the launches of the memo are posted
 *     cohort_shadow_compare_places(binder, memo, sum)     what the call has noted
 *     cohort_plain_end(binder)
 *
 * So a word that a memo relies on, and that changed without having been announced (an alteration, a
 * form, an epoch), ends the first test that makes such a call: the program is aborted with a claim
 * that names the function, the launch and what differs. COHORT_REPEAT=unwatched leaves it out.
 *
 * The caller is the planner, and the memo holds. In a release there is nothing of it. */
#ifndef COHORT_MEMO_SHADOW_H
#define COHORT_MEMO_SHADOW_H

#include "runtime/memo/memo.h"

#ifdef COHORT_ASSERTIONS

/* The call is begun the plain way in the binder (plain.h): the memo has the same launches, with the
 * same records. Returns a sum of how often what it is to write was written so far. */
uint64_t cohort_shadow_compare_run(cohort_binder *binder, const cohort_memo *memo);

/* The launches are posted. sum: what _compare_run returned. */
void cohort_shadow_compare_places(const cohort_binder *binder, const cohort_memo *memo,
                                  uint64_t sum);

/* The update is begun the plain way in the binder: the memo has the same binding, launches and
 * records, from which all that is posted follows. */
void cohort_shadow_compare_update(cohort_binder *binder, const cohort_memo *memo);

#endif

#endif
