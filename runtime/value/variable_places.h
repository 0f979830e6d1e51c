/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a variable lives: from its options to copies, and from copies to stores. */
#ifndef COHORT_VALUE_VARIABLE_PLACES_H
#define COHORT_VALUE_VARIABLE_PLACES_H

#include "runtime/value/variable.h"

/* The checks of the options that need no place. COHORT_EINVAL. */
cohort_status cohort_variable_check_options(const cohort_strategy *strategy, const char *name,
                                            cohort_dtype dtype,
                                            const cohort_variable_options *options);

/* Fills in policy, copies and stores, without buffers, of a variable that has its name and shape.
 * `colocate_with` may be NULL. COHORT_EINVAL, COHORT_ENOMEM. */
cohort_status cohort_variable_choose_places(cohort_variable *variable,
                                            const cohort_variable_options *options);

/* Do the stores of two variables lie on the same devices, and hold the same rows? Then
 * cohort_update may write both. */
bool cohort_variable_is_placed_like(const cohort_variable *a, const cohort_variable *b);

/* For the description of a strategy: the variable's name, dtype, shape, and where it lives. */
void cohort_variable_describe(const cohort_dependent *variable, FILE *out);

#endif
