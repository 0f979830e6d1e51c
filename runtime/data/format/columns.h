/* SPDX-License-Identifier: BSD-3-Clause */
/* The text that chooses columns of a table by their names and numbers: "x,y,3", "0-63", "^id". */
#ifndef COHORT_FORMAT_COLUMNS_H
#define COHORT_FORMAT_COLUMNS_H

#include <cohort/status.h>

#include <stdbool.h>

/* The columns to choose from. */
typedef struct cohort_columns {
    const char *path; /* the table's file, for messages */
    char **names;     /* NULL: the columns have no names */
    int n;
} cohort_columns;

/* The columns that the text chooses, NULL for all. A name comes before numbers and ranges, and the
 * whole text as one name before its words. COHORT_EINVAL for a column that is not there, with one
 * that has nearly this name, or those that there are.
 *
 * component      for messages
 * out            also after an error; by cohort_free
 * out_is_single  one column, asked for by its own name or number */
cohort_status cohort_columns_choose(const cohort_columns *all, const char *text, int component,
                                    int **out, int *out_n, bool *out_is_single);

#endif
