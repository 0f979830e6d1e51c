/* SPDX-License-Identifier: BSD-3-Clause */
/* The components of an ON_READ variable, combined as cross-replica context reads them. */
#ifndef COHORT_RUN_COMPONENTS_H
#define COHORT_RUN_COMPONENTS_H

#include "runtime/reduce/reducer.h"
#include "runtime/value/variable.h"

/* Can they be combined? COHORT_EINVAL names the variable and the fix. */
cohort_status cohort_components_check(const cohort_variable *variable);

/* The buffer with the combined content: a component, or scratch of the reducer at home. NULL with
 * the failure set. */
cohort_buffer *cohort_components_combine(cohort_variable *variable, cohort_reducer *reducer);

#endif
