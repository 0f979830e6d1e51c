/* SPDX-License-Identifier: BSD-3-Clause */
/* The content of a variable that the workers of a cluster have together: they begin with the same,
 * and after a failure they go on with the same. */
#ifndef COHORT_ROWS_CONTENT_ACROSS_H
#define COHORT_ROWS_CONTENT_ACROSS_H

#include "runtime/rows/change.h"

/* All create the same variable, and each fills it with what worker 0 was given. COHORT_EINVAL: it
 * is another one there; COHORT_ENOMEM; the errors of cohort_workers_meet. */
cohort_status cohort_content_first(cohort_variable *variable, const cohort_array *initial,
                                   cohort_reducer *reducer);

/* In cross-replica context: it is made here; is it on all? Else it is to be dropped, as by those
 * that are told so: nobody has a variable that another one has not. */
cohort_status cohort_content_first_made(cohort_workers *workers);

#endif
