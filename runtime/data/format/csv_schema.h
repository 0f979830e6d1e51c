/* SPDX-License-Identifier: BSD-3-Clause */
/* The columns of a CSV file: their names, and which of them go where. */
#ifndef COHORT_FORMAT_CSV_SCHEMA_H
#define COHORT_FORMAT_CSV_SCHEMA_H

#include "runtime/base/error.h"
#include "runtime/data/format/csv_row.h"

#include <cohort/files.h>

/* One component of the rows that the caller gets: its element i is column columns[i]. Rank 0 where
 * a single column was asked for by its own name or number, else rank 1. */
typedef struct cohort_csv_part {
    cohort_spec spec;
    int *columns;
    int n;
} cohort_csv_part;

typedef struct cohort_csv_schema {
    const char *path; /* borrowed, for messages */
    char **names;     /* without quotes; NULL: no header */
    int n;            /* columns of the file */
    cohort_csv_part *parts;
    int n_parts;
} cohort_csv_schema;

/* The checks that need no file. COHORT_EINVAL names the file and the option. */
cohort_status cohort_csv_schema_check(const char *path, const cohort_csv_options *options);

/* The fields of the first row are names. COHORT_EINVAL for control characters in them: file, line
 * and column. */
cohort_status cohort_csv_schema_name(cohort_csv_schema *schema, const cohort_csv_row *row);

/* The parts that the options ask for, which were checked. COHORT_EINVAL for a column that is not
 * there, with one that has nearly this name, or those that there are. */
cohort_status cohort_csv_schema_select(cohort_csv_schema *schema,
                                       const cohort_csv_options *options);

void cohort_csv_schema_fini(cohort_csv_schema *schema);

#endif
