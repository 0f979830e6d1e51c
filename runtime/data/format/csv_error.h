/* SPDX-License-Identifier: BSD-3-Clause */
/* What is wrong with a row of a CSV file, in one sentence: file, line, column, text, what was
 * expected, what to do. */
#ifndef COHORT_FORMAT_CSV_ERROR_H
#define COHORT_FORMAT_CSV_ERROR_H

#include "runtime/data/format/csv_number.h"
#include "runtime/data/format/csv_plan.h"
#include "runtime/data/format/csv_row.h"

/* A field that is no number of this dtype; line is that of its row. Returns COHORT_EINVAL, as all
 * of these. */
cohort_status cohort_csv_refuse_field(const cohort_csv_names *names, int64_t line,
                                      const cohort_csv_row *row, int column, cohort_dtype dtype,
                                      cohort_csv_verdict verdict);

/* The first row has numbers and, in this column, a word. */
cohort_status cohort_csv_refuse_first(const cohort_csv_names *names, int64_t line,
                                      const cohort_csv_row *row, int column);

/* A row that was cut has another number of fields than the file has columns. */
cohort_status cohort_csv_refuse_count(const cohort_csv_names *names, int64_t line,
                                      const cohort_csv_row *row);

/* A row that cannot be cut: STRAY, WIDE, NO_MEMORY (COHORT_ENOMEM), and MORE where nothing
 * follows. */
cohort_status cohort_csv_refuse_cut(const cohort_csv_names *names, int64_t line,
                                    const cohort_csv_row *row, cohort_csv_cut cut);

#endif
