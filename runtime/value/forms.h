/* SPDX-License-Identifier: BSD-3-Clause */
/* Forms: what all values and variables of a strategy are, without their content: kinds, shapes,
 * which copies are the newest, and whether there is any. A trial (strategy->is_trial) changes them,
 * and they are put back. */
#ifndef COHORT_VALUE_FORMS_H
#define COHORT_VALUE_FORMS_H

#include "runtime/strategy/strategy.h"

typedef struct cohort_forms cohort_forms;

/* Of all values and variables that there are. NULL: out of memory, with an error text. */
cohort_forms *cohort_forms_save(cohort_strategy *strategy);

/* Values and variables are again what they were, and the forms are freed. None of them was
 * destroyed since; of those that were made since nothing changes. */
void cohort_forms_restore(cohort_forms *forms);

#endif
