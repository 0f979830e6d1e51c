/* SPDX-License-Identifier: BSD-3-Clause */
/* The shadow of known steps: in builds that look at claims (base/assert.h) one of three of them is
 * not repeated. Its calls are made, as those of any step, and then all that it has posted and noted
 * is compared with what would have been posted and noted instead, word by word.
 *
 *     if (cohort_step_shadow_is_due(&repeat)) {
 *         cohort_step_shadow_begin(&repeat);
 *         of each call: status = make it, cohort_repeat_end_call(&repeat);
 *         status = cohort_step_shadow_end(&repeat, status, no step is to follow at once);
 *     }
 *
 * So a word that a step relies on, and that changed without having been announced
 * (operation/ledger.h), ends the first test that makes such a step: the program is aborted with a
 * claim that names the step, the call, the operation and the word. Such a step counts as repeated.
 * COHORT_REPEAT=unwatched leaves it out.
 *
 * Records are compared as they are without feeds, for a step that is planned stores its sums: it
 * counts them as fed where they would have been, and needs none that the step before owes, as it
 * sums anew. What feeds a sum in the two of three that are repeated is beyond this comparison but
 * for what it follows from, the list of uses, which is compared.
 *
 * The caller is the planner, and the next step is known (cohort_repeat_may). In a release there is
 * nothing of it. */
#ifndef COHORT_REPEAT_SHADOW_H
#define COHORT_REPEAT_SHADOW_H

#include "runtime/repeat/repeat.h"

#ifdef COHORT_ASSERTIONS

/* The next step is to be planned nevertheless. */
bool cohort_step_shadow_is_due(const cohort_repeat *repeat);

void cohort_step_shadow_begin(cohort_repeat *repeat);

/* Its calls were made with this status: where all were accepted it is compared. Returns the status,
 * or that of a failure, as cohort_repeat_step. */
cohort_status cohort_step_shadow_end(cohort_repeat *repeat, cohort_status status, bool is_last);

#endif

#endif
