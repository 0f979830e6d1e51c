/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers of any dtype as text, which reads back exactly. */
#ifndef COHORT_CLI_NUMBER_H
#define COHORT_CLI_NUMBER_H

#include <cohort/cohort.h>

#include <stdbool.h>

enum { NUMBER_BYTES = 32, NUMBER_TEXT_BYTES = 128 };

/* Whether it is one of COHORT_NUMBER_DTYPES; whether it is one of integers, and no bool. */
bool number_is_dtype(cohort_dtype dtype);
bool number_is_integer(cohort_dtype dtype);

/* Binary digits of the fraction of a floating-point dtype, with the one before the point. */
int number_digits(cohort_dtype dtype);

/* Read all of text as one number of the dtype: decimal, hexadecimal (0x1f, 0x1.8p3), inf, nan,
 * true, false, complex as in 1+2j, for integers the constants of enum types. NULL, or what is
 * wrong: no number, a fraction or an imaginary part where there is no room for it, out of range.
 * `out` has room for the dtype, at most NUMBER_BYTES. */
const char *number_read(const char *text, cohort_dtype dtype, void *out);

/* The same number in another dtype, rounded once. NULL, or what is wrong: a fraction or an
 * imaginary part where there is no room for it, out of range. */
const char *number_convert(cohort_dtype from, const void *number, cohort_dtype to, void *out);

/* The shortest usual text that reads back as the same number; text has NUMBER_TEXT_BYTES. Returns
 * text. */
const char *number_print(cohort_dtype dtype, const void *number, char *text);

/* The same as a JSON value: a complex number is a list of two, and what is not finite is a
 * string. */
const char *number_json(cohort_dtype dtype, const void *number, char *text);

#endif
