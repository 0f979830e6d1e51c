/* SPDX-License-Identifier: BSD-3-Clause */
/* What the cursors of transformations of one input have in common. */
#ifndef COHORT_DATASET_THROUGH_H
#define COHORT_DATASET_THROUGH_H

#include "runtime/data/dataset/dataset.h"

/* Head of such a cursor. */
typedef struct cohort_through {
    cohort_cursor head;
    cohort_cursor *input;
} cohort_through;

/* A cursor of `bytes`, zero behind its head, with its input open, *out; else a status with an error
 * text. */
cohort_status cohort_through_open(const cohort_dataset *dataset, const cohort_cursor_kind *kind,
                                  const cohort_opening *how, size_t bytes, cohort_cursor **out);

/* Closes the input and frees the cursor: `close` of a kind, or its last line. */
void cohort_through_close(cohort_cursor *cursor);

/* What the input answered is the cursor's answer: whether it can go on too. */
cohort_status cohort_through_pass(cohort_cursor *cursor, const cohort_cursor *input,
                                  cohort_status status);

/* `into` moved by so many elements of the dataset, whose extents are known: into
 * moved[n_components]. */
void cohort_through_advance(const cohort_dataset *dataset, void *const into[], int64_t rows,
                            void *moved[]);

/* Elements of two datasets together, and `times` times those of one; COHORT_UNKNOWN where that does
 * not fit. */
int64_t cohort_cardinality_add(int64_t a, int64_t b);
int64_t cohort_cardinality_times(int64_t elements, int64_t times);

#endif
