/* SPDX-License-Identifier: BSD-3-Clause */
/* Local results: what this process holds of a value, variable, number or array. */
#ifndef COHORT_RUN_RESULTS_H
#define COHORT_RUN_RESULTS_H

#include <cohort/argument.h>

#include <stdbool.h>

/* Is the argument an integer or a real number? Then *out is a view of it, in the argument's own
 * memory. */
bool cohort_results_of_number(const cohort_argument *x, cohort_array *out);

#endif
