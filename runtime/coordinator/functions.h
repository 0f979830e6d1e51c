/* SPDX-License-Identifier: BSD-3-Clause */
/* What programs say of functions that workers run. */
#ifndef COHORT_COORDINATOR_FUNCTIONS_H
#define COHORT_COORDINATOR_FUNCTIONS_H

#include "runtime/base/error.h"

#include <cohort/coordinator.h>

/* One that is scheduled. COHORT_EINVAL: NULL, its name, its sizes or a reserved word are wrong. */
cohort_status cohort_functions_check_one(const char *call, const cohort_worker_function *function);

/* Those of a worker. COHORT_EINVAL: the same of one of them, one has no `run` or the name of
 * another one, or there is none. */
cohort_status cohort_functions_check_all(const char *call,
                                         const cohort_worker_function *const functions[]);

/* The one of that name; NULL: there is none. */
const cohort_worker_function *cohort_functions_find(const cohort_worker_function *const functions[],
                                                    const char *name);

#endif
