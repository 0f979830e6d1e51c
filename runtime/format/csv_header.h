/* SPDX-License-Identifier: BSD-3-Clause */
/* What the first row of a CSV file tells: the separator, whether it has names, and which. */
#ifndef COHORT_FORMAT_CSV_HEADER_H
#define COHORT_FORMAT_CSV_HEADER_H

#include "runtime/format/csv_plan.h"
#include "runtime/format/csv_row.h"

#include <locale.h>

/* Comma, semicolon or tab: which the line at p has most of, outside of quotes; a comma where it has none. What lies
 * before end ends with \n. */
uint8_t cohort_csv_find_separator(const uint8_t *p, const uint8_t *end);

/* A field of it is neither empty nor a number. */
bool cohort_csv_is_header(const cohort_csv_row *row, locale_t c_locale);

/* Text and bytes of a field without spaces around it. */
cohort_csv_field cohort_csv_trim(cohort_csv_field field);

/* The fields of the row as names, without quotes. COHORT_EINVAL for control characters: file, line and column. */
cohort_status cohort_csv_names_read(cohort_csv_names *names, const cohort_csv_row *row, int64_t line);

void cohort_csv_names_fini(cohort_csv_names *names);

#endif
