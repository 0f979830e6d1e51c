/* SPDX-License-Identifier: BSD-3-Clause */
/* Whole lines of a CSV file in memory, some thousand at a time: rows are read without looking for
 * the end of the file. Here lines end with \n, after \r or not: a \r alone that ends a line has
 * become one. */
#ifndef COHORT_FORMAT_CSV_BLOCK_H
#define COHORT_FORMAT_CSV_BLOCK_H

#include "runtime/data/format/bytes.h"

typedef struct cohort_csv_block {
    cohort_bytes *bytes;
    /* the next row; behind the \n of a line; behind what may be looked at */
    const uint8_t *at, *end, *limit;
    const uint8_t *start; /* of what is in memory: not taken from `bytes` yet */
    size_t there;         /* bytes of the file from there on */
    uint8_t *copy;        /* what start points to where it is not as in the file; NULL */
    /* it is the last line of a file that does not end with \n, with one */
    bool is_tail;
    uint8_t separator; /* 0: not known yet */
} cohort_csv_block;

void cohort_csv_block_fini(cohort_csv_block *block);

/* The next lines from `at` on, of which the first has this number. COHORT_END when there are none.
 * COHORT_EINVAL when it has more than COHORT_LIMIT_LINE_BYTES: file, line, byte. */
cohort_status cohort_csv_block_fill(cohort_csv_block *block, int64_t line);

/* The row at `at`, which begins in this line, goes on behind `end`: at least one line more; at and
 * end move. COHORT_END when there is none. COHORT_EINVAL as above. */
cohort_status cohort_csv_block_more(cohort_csv_block *block, int64_t line);

/* Back to the first line of the file, behind a byte order mark. COHORT_END when the file is
 * empty. */
cohort_status cohort_csv_block_rewind(cohort_csv_block *block);

#endif
