/* SPDX-License-Identifier: BSD-3-Clause */
/* The files of a source of which any row can be read: a few stay open. */
#ifndef COHORT_DATASET_OPEN_FILES_H
#define COHORT_DATASET_OPEN_FILES_H

#include "runtime/data/dataset/files.h"

enum { COHORT_FILES_MOST_OPEN = 64 }; /* descriptors of one cursor */

typedef struct cohort_open_files {
    /* [files]: NULL where a file is not open. The list is NULL before the first one is */
    cohort_reader **readers;
    int64_t *opened; /* [most]: a ring of the numbers of those that are open */
    int32_t most, n, oldest;
} cohort_open_files;

/* The reader of the file that has row `row` of all, and *out_row, its number there. Lent until the
 * next call. */
cohort_status cohort_open_files_find(cohort_open_files *open, const cohort_dataset *dataset,
                                     int64_t row, cohort_reader **out, int64_t *out_row);

void cohort_open_files_fini(cohort_open_files *open);

/* The file that has row `row`, of a source whose rows are counted and more than `row`. */
int64_t cohort_open_files_of_row(const cohort_files *files, int64_t row);

#endif
