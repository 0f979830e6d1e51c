/* SPDX-License-Identifier: BSD-3-Clause */
/* What two replicas pass to a call. */
#ifndef COHORT_STEP_SAME_ARGUMENTS_H
#define COHORT_STEP_SAME_ARGUMENTS_H

#include <cohort/run.h>

#include <stdbool.h>

/* Is it the same? Numbers bit by bit, arrays by where they lie. Lists that COHORT_ARGUMENT_END
 * ends. */
bool cohort_arguments_is_same(const cohort_argument a[], const cohort_argument b[]);

#endif
