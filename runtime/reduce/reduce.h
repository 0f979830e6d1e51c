/* SPDX-License-Identifier: BSD-3-Clause */
/* The common parts of cohort_reduce, its relatives and the collectives of step functions. */
#ifndef COHORT_REDUCE_REDUCE_H
#define COHORT_REDUCE_REDUCE_H

#include "runtime/reduce/plan_into.h"
#include "runtime/strategy/call.h"

#include <cohort/reduce.h>

/* Make a call of the strategy of the value to fill, into; it may be NULL, which is an error of x's
 * strategy. */
cohort_status cohort_reduce_make(const cohort_value *into, const cohort_argument *x,
                                 const char *call, const cohort_recordable *recordable,
                                 const void *request);

/* Values, and as many to fill. */
typedef struct cohort_reduce_values {
    cohort_value *const *values, *const *into;
    int n;
} cohort_reduce_values;

/* The same for lists of values, not of length 0. A NULL, or a negative n, is an error of the first
 * strategy there is. */
cohort_status cohort_reduce_make_list(const cohort_reduce_values *lists, const char *call,
                                      const cohort_recordable *recordable, const void *request);

/* For a recorded call: keep both lists; an argument and the value to fill. */
cohort_status cohort_reduce_keep_list(cohort_recorder *recorder, const char *call,
                                      cohort_reduce_values *lists);
cohort_status cohort_reduce_keep(cohort_recorder *recorder, const char *call, cohort_argument *x,
                                 const cohort_value *into);

/* Every value to fill is another one than all others of a list of at least one. COHORT_EINVAL with
 * "call: ..."; COHORT_ENOMEM. */
cohort_status cohort_reduce_check_distinct(const char *call, cohort_value *const values[], int n,
                                           cohort_value *const into[]);

/* cohort_recordable.describe of calls that fill a plain value. */
void cohort_reduce_describe_home(const cohort_strategy *strategy, const void *request, FILE *out);

/* Along an axis of the caller's, or none: COHORT_NO_AXIS. */
static inline cohort_reduce_request cohort_reduce_request_of(cohort_reduce_op op, cohort_argument x,
                                                             const int32_t *axis)
{
    return (
        cohort_reduce_request){ .op = op, .x = x, .axes = axis, .n_axes = *axis != COHORT_NO_AXIS };
}

/* One reduction into a plain value, inside a call. */
cohort_status cohort_reduce_into(const char *call, const cohort_reduce_request *request,
                                 cohort_value *into);

#endif
