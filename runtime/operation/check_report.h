/* SPDX-License-Identifier: BSD-3-Clause */
/* What a check of a body has found, in words: the argument, the element, the cause, what to do.
 * Each sets the error text, which gets function, replica and device before it
 * (cohort_launch_say_who), and returns COHORT_EINVAL. */
#ifndef COHORT_OPERATION_CHECK_REPORT_H
#define COHORT_OPERATION_CHECK_REPORT_H

#include "runtime/base/guarded.h"
#include "runtime/operation/check_array.h"

/* An access out of bounds, or a write to what is only read. hit->array: of the list. */
cohort_status cohort_check_report_hit(const cohort_checked_arrays *arrays,
                                      const cohort_guarded_hit *hit);

/* An element of an output is never written. */
cohort_status cohort_check_report_unwritten(const cohort_checked_array *array, int64_t item);

/* It depends on what an output held before. of: which one; NULL: not known. */
cohort_status cohort_check_report_read(const cohort_checked_array *array, int64_t item,
                                       const cohort_checked_array *of);

/* What the body returns does. of: as above. */
cohort_status cohort_check_report_read_of_result(const cohort_checked_array *of);

/* The body of the launch, and the function's other one on that device, have made different
 * elements. is_exact: they had to be equal to the bit. */
cohort_status cohort_check_report_twins(const cohort_checked_array *array, int64_t item,
                                        const char *mine, const char *others, const char *device,
                                        bool is_exact);

/* Items are not independent. how: what made another element of it, "run backwards". */
cohort_status cohort_check_report_race(const cohort_checked_array *array, int64_t item,
                                       const char *how);

#endif
