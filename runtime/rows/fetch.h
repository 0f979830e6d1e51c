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

/* Where the content lies as it is read, row-major, once it is complete: for who looks at it before
 * the strategy goes on. component: as above; -1: the whole. NULL: the host does not see it in one
 * piece, or it is made of components, and *out_status is COHORT_OK; or the errors of
 * cohort_fetch_whole. */
const void *cohort_fetch_in_place(cohort_variable *variable, int32_t component,
                                  cohort_status *out_status);

#endif
