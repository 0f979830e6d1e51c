/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of one length that lie one behind the other in a file: as they are, or in a packed one. */
#ifndef COHORT_DATASET_ROW_FILE_H
#define COHORT_DATASET_ROW_FILE_H

#include "runtime/data/format/bytes.h"

/* In a file that is not packed: any of them at once. */
typedef struct cohort_row_file {
    cohort_file file;
    int64_t offset, row_bytes, rows;
} cohort_row_file;

/* offset   where the first row is; `behind` bytes follow the last. The file is as long as all that:
 *          COHORT_EINVAL
 * path     lent until close */
cohort_status cohort_row_file_open(const char *path, int64_t offset, int64_t row_bytes,
                                   int64_t rows, int64_t behind, cohort_row_file *out);
void cohort_row_file_close(cohort_row_file *plain); /* all zero and no descriptor (-1) is allowed */

/* n rows from `first` on, which there are. *out_rows < n at an error: those before it were read. */
cohort_status cohort_row_file_read(const cohort_row_file *plain, int64_t first, int64_t n,
                                   void *into, int64_t *out_rows);

/* In a packed file: up to n rows from here on, to memory or, with NULL, nowhere; `behind` bytes
 * follow the last row of all and are left. *out_rows < n at the end of the file, where *out_left
 * bytes are left, or at an error: those before it were read. */
cohort_status cohort_row_file_read_packed(cohort_bytes *bytes, int64_t row_bytes, int64_t behind,
                                          int64_t n, void *into, int64_t *out_rows,
                                          int64_t *out_left);

#endif
