/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether elements that two bodies have made are the same: to the bit, or within so many units in
 * the last place of the largest number that is about. */
#ifndef COHORT_OPERATION_CHECK_CLOSE_H
#define COHORT_OPERATION_CHECK_CLOSE_H

#include "runtime/operation/check_copy.h"

/* The largest finite magnitude of any such number that the body has read or written; of another one
 * 0. */
double cohort_check_close_scale(const cohort_checked_arrays *arrays, const cohort_check_copy *copy);

/* The first element in which two copies differ; -1: none.
 *
 * scale  0: by any bit, but those of NaNs; else by more than this times the distance of 1 to the
 *        next number of the type */
int64_t cohort_check_close_differs(const cohort_checked_array *array, double scale, const char *a,
                                   const char *b);

#endif
