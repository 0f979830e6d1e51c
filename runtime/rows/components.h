/* SPDX-License-Identifier: BSD-3-Clause */
/* The components of an ON_READ variable, combined as cross-replica context reads them. */
#ifndef COHORT_ROWS_COMPONENTS_H
#define COHORT_ROWS_COMPONENTS_H

#include "runtime/reduce/reducer.h"
#include "runtime/value/variable.h"

/* Can they be combined? COHORT_EINVAL names the variable and the fix. */
cohort_status cohort_components_check(const cohort_variable *variable);

/* Are they combined by whoever reads them (_fold)? Then that posts nothing but what brings them. */
bool cohort_components_are_little(const cohort_variable *variable);

/* Little ones, as _combine would combine them. terms: of each replica, in memory of this process;
 * into: as many bytes as the variable has. */
void cohort_components_fold(const cohort_variable *variable, const void *const terms[], void *into);

/* The buffer with the combined content: a component, or scratch of the reducer at home. NULL with
 * the failure set. */
cohort_buffer *cohort_components_combine(cohort_variable *variable, cohort_reducer *reducer);

#endif
