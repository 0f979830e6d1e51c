/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of numbers in a CSV file (RFC 4180): quoted fields, also with line ends in them, a header or
 * none, missing values. */
#ifndef COHORT_FORMAT_CSV_H
#define COHORT_FORMAT_CSV_H

#include "runtime/data/format/bytes.h"
#include "runtime/data/format/csv_row.h"

#include <cohort/files.h>

typedef struct cohort_csv cohort_csv;

/* The columns of one file, and which of them go where: cohort_csv_options of the public header,
 * NULL for its defaults. Reads the header, or the first row to count the columns. COHORT_EINVAL
 * names file, line, column and fix. */
cohort_status cohort_csv_open(const char *path, const cohort_csv_options *options,
                              cohort_csv **out);
void cohort_csv_close(cohort_csv *csv); /* NULL is allowed */

/* Components of a row, and what they are: rank 1 with as many elements as columns, rank 0 for a
 * single column that was asked for by its own name. */
int cohort_csv_components(const cohort_csv *csv);
cohort_spec cohort_csv_spec(const cohort_csv *csv, int component);

/* Names of the columns as the header has them, without quotes; NULL past the last, or without a
 * header. */
const char *cohort_csv_column(const cohort_csv *csv, int column);
int cohort_csv_columns(const cohort_csv *csv);

/* Up to max rows, one behind the other, into out[component], which has room for them. *out_rows:
 * how many; fewer than max only at the end of the file. COHORT_EINVAL: file, line, column, the text
 * of the field (cut), what was expected; what was read before that row counts (*out_rows), and the
 * next call goes on behind the row when *can_go_on. */
cohort_status cohort_csv_rows(cohort_csv *csv, int64_t max, void *const out[], int64_t *out_rows,
                              bool *can_go_on);

/* The text of a component's first column in the next row, without spaces around it; no number is
 * read. Lent until the next call. COHORT_END behind the last row; errors as above, behind which it
 * does not go on. */
cohort_status cohort_csv_text(cohort_csv *csv, int component, cohort_csv_field *out);

/* Pass over up to n rows without reading their numbers. */
cohort_status cohort_csv_skip(cohort_csv *csv, int64_t n, int64_t *out_skipped);

cohort_status cohort_csv_rewind(cohort_csv *csv);

#endif
