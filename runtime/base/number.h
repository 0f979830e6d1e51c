/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers: of a call or of an element, converted as C would, but never silently to another
 * number. */
#ifndef COHORT_BASE_NUMBER_H
#define COHORT_BASE_NUMBER_H

#include <cohort/argument.h>

#include <stdbool.h>

enum { COHORT_NUMBER_BYTES = 32 }; /* the largest element that is a number */

/* A number of any dtype. long double holds every int64, uint64 and double exactly on the machines
 * with 80 or 128 bits; integers take their own way, so that nothing is lost where long double is a
 * double. */
typedef struct cohort_number {
    bool is_integer, is_negative;
    uint64_t magnitude; /* of an integer */
    long double real, imaginary;
} cohort_number;

/* Is it one of the kinds that are numbers? */
bool cohort_number_is(const cohort_argument *argument);

/* The dtype of a number of a call where nothing asks for another: int64, uint64, else float64. */
cohort_dtype cohort_number_dtype(const cohort_argument *number);

/* An element of a dtype that is a number, at any address. */
cohort_number cohort_number_load(cohort_dtype dtype, const void *element);

/* Write the number as one element of a dtype, at most COHORT_NUMBER_BYTES. COHORT_EINVAL, for the
 * caller to prefix, for a fraction, a NaN or a value out of range where an integer is wanted, a
 * finite number that becomes infinite, an imaginary part where a real number is wanted, and for a
 * dtype that is no number.
 *
 * target: what has that dtype, such as "the parameter" */
cohort_status cohort_number_store(const cohort_number *number, cohort_dtype dtype,
                                  const char *target, void *out);

/* The number of a call, written as one element for a parameter; errors as above. */
cohort_status cohort_number_convert(const cohort_argument *number, cohort_dtype dtype, void *out);

#endif
