/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of numbers in a CSV file (RFC 4180): quoted fields, also with line ends in them, a header or
 * none, missing values. */
#ifndef COHORT_FORMAT_CSV_H
#define COHORT_FORMAT_CSV_H

#include "runtime/data/format/csv_schema.h"

typedef struct cohort_csv cohort_csv;

/* The columns of one file, and which of them go where: cohort_csv_options of the public header,
 * NULL for its defaults. Reads the header, or the first row to count the columns. COHORT_EINVAL
 * names file, line, column and fix. */
cohort_status cohort_csv_open(const char *path, const cohort_csv_options *options,
                              cohort_csv **out);
void cohort_csv_close(cohort_csv *csv); /* NULL is allowed */

/* The facts that opening has found out. */
const cohort_csv_schema *cohort_csv_schema_of(const cohort_csv *csv);

/* Up to max rows, one behind the other, into out[part], which has room for them. *out_rows: how
 * many; fewer than max only at the end of the file. COHORT_EINVAL: file, line, column, the text of
 * the field (cut), what was expected; what was read before that row counts (*out_rows), and the
 * next call goes on behind the row when *can_go_on. */
cohort_status cohort_csv_rows(cohort_csv *csv, int64_t max, void *const out[], int64_t *out_rows,
                              bool *can_go_on);

/* The text of a part's first column in the next row, without spaces around it; no number is read.
 * Lent until the next call. COHORT_END behind the last row; errors as above, behind which it does
 * not go on. */
cohort_status cohort_csv_text(cohort_csv *csv, int part, cohort_csv_field *out);

/* Pass over up to n rows without reading their numbers. */
cohort_status cohort_csv_skip(cohort_csv *csv, int64_t n, int64_t *out_skipped);

#endif
