/* SPDX-License-Identifier: BSD-3-Clause */
/* One row of a CSV file, cut into fields, whatever is in them. A line ends with
 * \n, \r or both, or where the file does. The separator ' ' is any number of
 * spaces and tabs, of which those at the ends of a line are none. */
#ifndef COHORT_FORMAT_CSV_ROW_H
#define COHORT_FORMAT_CSV_ROW_H

#include "runtime/data/format/csv_field.h"

typedef struct cohort_csv_row {
    const uint8_t *at, *end; /* from the row on; COHORT_BYTES_PADDING zeros are behind it */
    bool is_rest;            /* the file ends at `end` */
    uint8_t separator;
    int64_t line; /* the number of the row's first */
    /* found by cohort_csv_row_cut: */
    cohort_csv_field *fields;
    size_t capacity;
    int n_fields;
    bool has_quotes;
    size_t bytes; /* of the row, with the end of its line */
    int64_t lines;
} cohort_csv_row;

/* BLANK  an empty line: no row
 * MORE   its end is not in memory, or a quote is open at the end of the file
 * STRAY  something other than a separator or the end of the line follows a closing quote, in the
 *        last field; the row is taken to end with that line
 * WIDE   more than COHORT_LIMIT_CSV_COLUMNS fields; the row is taken to end with that line */
typedef enum cohort_csv_cut {
    COHORT_CSV_CUT = 0,
    COHORT_CSV_CUT_BLANK,
    COHORT_CSV_CUT_MORE,
    COHORT_CSV_CUT_STRAY,
    COHORT_CSV_CUT_WIDE,
    COHORT_CSV_CUT_NO_MEMORY
} cohort_csv_cut;

cohort_csv_cut cohort_csv_row_cut(cohort_csv_row *row);
void cohort_csv_row_fini(cohort_csv_row *row);

/* The number of the line in which this byte of the row is. */
int64_t cohort_csv_row_line(const cohort_csv_row *row, const uint8_t *p);

/* Comma, semicolon or tab: which the first line has most of, outside of quotes.
 * Where it has none, a space when it is several numbers, else a comma. */
uint8_t cohort_csv_row_separator(const cohort_csv_row *row);

#endif
