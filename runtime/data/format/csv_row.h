/* SPDX-License-Identifier: BSD-3-Clause */
/* One row of a CSV file, cut into fields, whatever is in them. */
#ifndef COHORT_FORMAT_CSV_ROW_H
#define COHORT_FORMAT_CSV_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cohort_csv_field {
    const uint8_t *text; /* without the quotes around it; a quote in it is still two */
    size_t bytes;
    int64_t line; /* in which it begins, from the row's first on */
    bool is_quoted;
} cohort_csv_field;

typedef struct cohort_csv_row {
    cohort_csv_field *fields;
    size_t capacity;
    int n_fields;
    const uint8_t *next; /* behind the row's end */
    int64_t lines;       /* that it takes */
} cohort_csv_row;

/* BLANK   an empty line: no row
 * MORE    a quote is open at the end of what is there
 * STRAY   something other than a separator or the end of the line follows a closing quote, in the
 *         last field; the row is taken to end with that line
 * WIDE    more than COHORT_LIMIT_CSV_COLUMNS fields; the row is taken to end with that line */
typedef enum cohort_csv_cut {
    COHORT_CSV_CUT = 0,
    COHORT_CSV_CUT_BLANK,
    COHORT_CSV_CUT_MORE,
    COHORT_CSV_CUT_STRAY,
    COHORT_CSV_CUT_WIDE,
    COHORT_CSV_CUT_NO_MEMORY
} cohort_csv_cut;

/* The row at p; what lies before end ends with \n. */
cohort_csv_cut cohort_csv_row_cut(cohort_csv_row *row, const uint8_t *p, const uint8_t *end,
                                  uint8_t separator);

void cohort_csv_row_fini(cohort_csv_row *row);

/* The separator ' ' is any number of spaces and tabs, of which those at the ends of a line are
 * none. */
static inline bool cohort_csv_parts(uint8_t c, uint8_t separator)
{
    return c == separator || (c == '\t' && separator == ' ');
}

/* Behind spaces at p that part nothing. */
static inline const uint8_t *cohort_csv_pass_spaces(const uint8_t *p, uint8_t separator)
{
    while (separator == ' ' && cohort_csv_parts(*p, separator))
        p++;
    return p;
}

/* A blank line at p: empty, or \r alone. */
static inline bool cohort_csv_is_blank(const uint8_t *p, uint8_t separator)
{
    p = cohort_csv_pass_spaces(p, separator);
    return p[0] == '\n' || (p[0] == '\r' && p[1] == '\n');
}

#endif
