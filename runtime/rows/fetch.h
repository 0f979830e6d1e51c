/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading variables, by who holds the strategy. */
#ifndef COHORT_RUN_FETCH_H
#define COHORT_RUN_FETCH_H

#include "runtime/value/variable.h"

/* cohort_variable_read in cross-replica context. */
cohort_status cohort_fetch_whole(cohort_variable *variable, const cohort_array *into);

#endif
