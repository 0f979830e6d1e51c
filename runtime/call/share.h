/* SPDX-License-Identifier: BSD-3-Clause */
/* Shares: numbers of a call that differ by replica. */
#ifndef COHORT_CALL_SHARE_H
#define COHORT_CALL_SHARE_H

#include "runtime/base/number.h"

/* COHORT_SHARE or COHORT_EACH? NULL is neither. */
static inline bool cohort_share_is(const cohort_argument *argument)
{
    return argument != NULL &&
           (argument->kind == COHORT_ARGUMENT_SHARE || argument->kind == COHORT_ARGUMENT_EACH);
}

/* The number of a replica, as one element of a dtype that has room for any number. COHORT_EINVAL,
 * for the caller to prefix: a total that is no integer or negative, a list that is not one number
 * for each replica, and a number that the dtype has not. */
cohort_status cohort_share_convert(const cohort_argument *share, int32_t replica,
                                   int32_t n_replicas, cohort_dtype dtype, void *out);

#endif
