/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers of a call, converted as C would, but never silently to another number. */
#ifndef COHORT_BASE_NUMBER_H
#define COHORT_BASE_NUMBER_H

#include <cohort/argument.h>

#include <stdbool.h>

/* Is it one of the kinds that are numbers? */
bool cohort_number_is(const cohort_argument *argument);

/* Write the number as one element of a dtype, at most 32 bytes. COHORT_EINVAL, for the caller to
 * prefix, for a fraction, a NaN or a value out of range where an integer is wanted, a finite number
 * that becomes infinite, an imaginary part where a real number is wanted, and for a dtype that is
 * no number. */
cohort_status cohort_number_convert(const cohort_argument *number, cohort_dtype dtype, void *out);

#endif
