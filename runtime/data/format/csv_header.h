/* SPDX-License-Identifier: BSD-3-Clause */
/* What the first row of a CSV file tells: the separator, whether it has names, and which. */
#ifndef COHORT_FORMAT_CSV_HEADER_H
#define COHORT_FORMAT_CSV_HEADER_H

#include "runtime/data/format/csv_plan.h"
#include "runtime/data/format/csv_row.h"

#include <locale.h>

/* Comma, semicolon or tab: which the line at p has most of, outside of quotes. Where it has none, a
 * space when it is several numbers, else a comma. What lies before end ends with \n. */
uint8_t cohort_csv_find_separator(const uint8_t *p, const uint8_t *end);

/* Whether the first row is one of names: what of its fields is not missing is no number.
 * COHORT_EINVAL where some fields are numbers and some are none: names or a mistake, which only who
 * made the file knows; the first that is none.
 */
cohort_status cohort_csv_header_find(const cohort_csv_names *names, const cohort_csv_row *row,
                                     int64_t line, locale_t c_locale, bool *out_is_header);

/* Text and bytes of a field without spaces around it. */
cohort_csv_field cohort_csv_trim(cohort_csv_field field);

/* The text of a field as it is meant: two quotes in quotes are one. Room for field->bytes + 1;
 * returns the bytes. */
size_t cohort_csv_copy_text(const cohort_csv_field *field, char *name);

/* The fields of the row as names, without quotes. COHORT_EINVAL for control characters: file, line
 * and column. */
cohort_status cohort_csv_names_read(cohort_csv_names *names, const cohort_csv_row *row,
                                    int64_t line);

void cohort_csv_names_fini(cohort_csv_names *names);

#endif
