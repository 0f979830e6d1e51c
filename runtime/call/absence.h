/* SPDX-License-Identifier: BSD-3-Clause */
/* Absence: whether a replica has nothing to do in a call, so that it is not launched and what it
 * would have written is absent. A call whose shares decide that (binding.h) does not ask here. */
#ifndef COHORT_CALL_ABSENCE_H
#define COHORT_CALL_ABSENCE_H

#include "runtime/call/binding.h"

/* Does the first extent of an array count rows: does a bound stand in it? Not in edge[2], of which
 * an absent component has nothing to give. */
bool cohort_absence_counts(const cohort_signature *signature, const cohort_parameter *array);

/* Of a launch whose bounds are solved. A launch is absent where
 *   - a component that it reads is absent, and not for lack of rows: there is nothing to give it;
 *   - all bounds are 0 that stand in the first extent of an array whose components it reads;
 *   - all that it writes has no element, or there is no item.
 * One bound that is 0 says little: a share of a sparse matrix may have rows without entries. */
bool cohort_absence_is(const cohort_binding *binding, int32_t launch);

/* Does any launch read a component that is absent? */
bool cohort_absence_is_read(const cohort_binding *binding);

#endif
