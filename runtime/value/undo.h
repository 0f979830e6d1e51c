/* SPDX-License-Identifier: BSD-3-Clause */
/* Undo: the rows of a store that the newest scatter has written in place, as they were before, each
 * once. All of it is the runner's; what it was kept of is not, so memory of a store is passed. */
#ifndef COHORT_VALUE_UNDO_H
#define COHORT_VALUE_UNDO_H

#include <cohort/status.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct cohort_undo {
    uint64_t epoch; /* of the variable after that scatter; what is kept is the way back from it */
    int64_t *rows;  /* [n] */
    char *contents; /* [n] rows */
    uint64_t *kept; /* a bit for each row of the store; all zero but during the scatter */
    size_t n;
    size_t rows_room, contents_room, kept_room; /* bytes */
} cohort_undo;

/* Forget what was kept, and be ready for `most` rows of a store that has `rows`. COHORT_ENOMEM;
 * then nothing is kept. */
cohort_status cohort_undo_begin(cohort_undo *undo, uint64_t epoch, int64_t most, int64_t rows,
                                int64_t row_bytes);

/* A row is written next, unless it has been since the scatter began. */
static inline void cohort_undo_keep(cohort_undo *undo, int64_t row, const char *content,
                                    size_t row_bytes)
{
    uint64_t bit = UINT64_C(1) << (row % 64), *word = &undo->kept[row / 64];
    if ((*word & bit) != 0)
        return;
    *word |= bit;
    undo->rows[undo->n] = row;
    memcpy(undo->contents + undo->n++ * row_bytes, content, row_bytes);
}

/* The scatter has written all that it writes. */
void cohort_undo_end(cohort_undo *undo);

/* What is kept goes back to where it was, and is kept no longer. */
void cohort_undo_restore(cohort_undo *undo, char *store, int64_t row_bytes);

void cohort_undo_forget(cohort_undo *undo);
void cohort_undo_free(cohort_undo *undo); /* what it has */

#endif
