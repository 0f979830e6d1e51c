/* SPDX-License-Identifier: BSD-3-Clause */
/* The fault of a row of a CSV file, in one sentence: file, line, column, text, what was expected,
 * what to do. All return COHORT_EINVAL. */
#ifndef COHORT_FORMAT_CSV_ERROR_H
#define COHORT_FORMAT_CSV_ERROR_H

#include "runtime/data/format/csv_schema.h"

/* A field that is no number of this dtype. */
cohort_status cohort_csv_error_field(const cohort_csv_schema *schema, const cohort_csv_row *row,
                                     int column, cohort_dtype dtype, cohort_csv_verdict verdict);

/* The first row has numbers and, in this column, a word. */
cohort_status cohort_csv_error_header(const cohort_csv_schema *schema, const cohort_csv_row *row,
                                      int column);

/* The first row is none of numbers, and this column has a value all the same: a number in another
 * spelling, or a word for a missing one. */
cohort_status cohort_csv_error_spelling(const cohort_csv_schema *schema, const cohort_csv_row *row,
                                        int column);

/* A row that cannot be cut: STRAY, WIDE, NO_MEMORY (COHORT_ENOMEM), MORE where nothing follows; or
 * one that can, with another number of fields than the file has columns. */
cohort_status cohort_csv_error_row(const cohort_csv_schema *schema, const cohort_csv_row *row,
                                   cohort_csv_cut cut);

#endif
