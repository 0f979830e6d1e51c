/* SPDX-License-Identifier: BSD-3-Clause */
/* Making and freeing variables. */
#ifndef COHORT_VALUE_VARIABLE_MAKE_H
#define COHORT_VALUE_VARIABLE_MAKE_H

#include "runtime/value/variable.h"

/* A new variable without content, posting nothing; the strategy adopts it. initial gives dtype and
 * shape. NULL with an error text that starts with "cohort_variable_create" or names the
 * variable. */
cohort_variable *cohort_variable_make(cohort_strategy *strategy, const char *name,
                                      const cohort_array *initial,
                                      const cohort_variable_options *options);

/* Undo _make, or destroy: in line with everything posted. */
void cohort_variable_drop(cohort_variable *variable);

#endif
