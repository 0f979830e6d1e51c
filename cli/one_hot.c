/* SPDX-License-Identifier: BSD-3-Clause */
/* One-hot columns at the end of a table whose last column was taken for the label: a table of
 * classes 0 and 1 is rarely that when the columns before it share one 1 in each row. */
#include "config.h"

#include "cli/one_hot.h"

#include <stdlib.h>
#include <string.h>

/* Whether the column is nothing but 0 and 1, and no row has a second 1; *ones: rows that have
 * theirs. */
static bool add_column(const samples *s, int64_t column, bool *has_one, int64_t *ones)
{
    for (int64_t i = 0; i < s->rows; i++) {
        float x = s->x[i * s->features + column];
        if (!(x == 0 || (x == 1 && !has_one[i])))
            return false;
        has_one[i] = has_one[i] || x == 1;
        *ones += x == 1;
    }
    return true;
}

/* From the last column on to the left, until every row has its 1. Out of memory is no finding. */
int64_t one_hot_columns(const samples *s)
{
    int64_t ones = 0, columns = 0;
    bool *has_one = calloc((size_t)s->rows, sizeof *has_one);
    for (int64_t i = 0; i < s->rows && has_one != NULL && s->classes == 2; i++) {
        has_one[i] = s->y[i] == 1;
        ones += has_one[i];
    }
    bool can_be = has_one != NULL && s->classes == 2;
    while (can_be && ones < s->rows && columns < s->features) {
        columns++;
        can_be = add_column(s, s->features - columns, has_one, &ones);
    }
    free(has_one);
    return can_be && ones == s->rows ? columns : 0;
}
