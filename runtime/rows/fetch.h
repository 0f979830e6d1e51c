/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading variables, by who holds the strategy. */
#ifndef COHORT_ROWS_FETCH_H
#define COHORT_ROWS_FETCH_H

#include "runtime/value/variable.h"

/* cohort_variable_read in cross-replica context. */
cohort_status cohort_fetch_whole(cohort_variable *variable, const cohort_array *into);

/* One component of a variable that has them, as cohort_fetch_whole. */
cohort_status cohort_fetch_component(cohort_variable *variable, int32_t replica,
                                     const cohort_array *into);

#endif
