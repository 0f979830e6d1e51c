/* SPDX-License-Identifier: BSD-3-Clause */
/* Marks: what tells whether files are the ones that a position was saved of. In another file of the
 * same name a number of rows is another place. */
#ifndef COHORT_INPUT_MARKS_H
#define COHORT_INPUT_MARKS_H

#include "runtime/data/dataset/dataset.h"

/* So many files are kept one by one, to be named; those behind them by what they are together. */
enum { COHORT_MARKS_LISTED = 1024 };

/* All zero: of no files. */
typedef struct cohort_marks {
    int64_t n;              /* files, of all sources */
    cohort_file_mark *list; /* [the first of them]; of a file that was read without names */
    uint32_t others;        /* CRC-32C of the sizes and rows of those behind */
} cohort_marks;

/* More files: those of a dataset's sources as they are now. The names are the dataset's.
 * COHORT_ENOMEM. */
cohort_status cohort_marks_add(cohort_marks *marks, const cohort_dataset *dataset);
void cohort_marks_free(cohort_marks *marks);

static inline int32_t cohort_marks_listed(const cohort_marks *marks)
{
    return marks->n < COHORT_MARKS_LISTED ? (int32_t)marks->n : COHORT_MARKS_LISTED;
}

/* Are the files of `now` those of `saved`? COHORT_EINVAL names the first that has another size or
 * other rows. One of the same size that was written since is a warning of the log. Files that could
 * not be looked at, then or now, are passed over. position: its name, for messages */
cohort_status cohort_marks_compare(const cohort_marks *saved, const cohort_marks *now,
                                   const char *position);

#endif
