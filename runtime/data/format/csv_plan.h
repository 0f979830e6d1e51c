/* SPDX-License-Identifier: BSD-3-Clause */
/* Which columns of a CSV file go where: the options of the caller, laid beside the names that the
 * file has. */
#ifndef COHORT_FORMAT_CSV_PLAN_H
#define COHORT_FORMAT_CSV_PLAN_H

#include <cohort/files.h>

#include "runtime/base/error.h"

/* What the file has. */
typedef struct cohort_csv_names {
    const char *path; /* borrowed */
    char **names;     /* NULL: no header */
    int n;            /* columns */
} cohort_csv_names;

/* One component: element i of its rows is column columns[i]. */
typedef struct cohort_csv_part {
    cohort_spec spec;
    int *columns;
    int n;
    size_t item_bytes, row_bytes;
} cohort_csv_part;

typedef struct cohort_csv_plan {
    cohort_csv_part *parts;
    int n_parts;
} cohort_csv_plan;

/* What can be said without the file. COHORT_EINVAL names the file and the option. */
cohort_status cohort_csv_options_check(const char *path, const cohort_csv_options *options);

/* options  were checked; NULL for the defaults
 * COHORT_EINVAL for a column that is not there, with one that has nearly this name, or those that
 * there are. */
cohort_status cohort_csv_plan_find(const cohort_csv_names *names, const cohort_csv_options *options,
                                   cohort_csv_plan *out);

void cohort_csv_plan_fini(cohort_csv_plan *plan);

#endif
