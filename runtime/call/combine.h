/* SPDX-License-Identifier: BSD-3-Clause */
/* Combining with a function of the program: it is launched at every node of the tree of
 * cohort_reduce. */
#ifndef COHORT_CALL_COMBINE_H
#define COHORT_CALL_COMBINE_H

#include "runtime/reduce/plan.h"

#include <cohort/function.h>

/* Combine what the replicas contribute, without an axis, into a plain value, inside a call. A node
 * is formed where its left side lies; where that device has no body of the function, where the
 * right side lies, else at home.
 * COHORT_EINVAL with "call: ..." for another prototype, COHORT_EINCOMPATIBLE when none of the three
 * has a body. */
cohort_status cohort_combine_into(const char *call, const cohort_function *function,
                                  const cohort_argument *x, cohort_contributes contributes,
                                  cohort_value *into);

#endif
