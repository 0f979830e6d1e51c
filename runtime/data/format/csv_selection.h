/* SPDX-License-Identifier: BSD-3-Clause */
/* "x,y,3", "0-63", "^id": the text that chooses columns of a CSV file. */
#ifndef COHORT_FORMAT_CSV_SELECTION_H
#define COHORT_FORMAT_CSV_SELECTION_H

#include "runtime/data/format/csv_plan.h"

/* The columns that the text chooses, NULL for all; a name of the file comes before numbers and
 * ranges, and the whole text as one name before its parts.
 *
 * component      for messages
 * out            by cohort_free
 * out_is_single  one column, asked for by its own name or number */
cohort_status cohort_csv_select(const cohort_csv_names *names, const char *text, int component,
                                int **out, int *out_n, bool *out_is_single);

#endif
