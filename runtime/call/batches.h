/* SPDX-License-Identifier: BSD-3-Clause */
/* Batches: the rows that the inputs of a strategy had in their latest step, for COHORT_BATCH_ROWS
 * and COHORT_BATCH_ROWS_OF. */
#ifndef COHORT_CALL_BATCHES_H
#define COHORT_CALL_BATCHES_H

#include <stdbool.h>
#include <stdint.h>

typedef struct cohort_binder cohort_binder;

/* Of one input, and a part of it: so a step needs no memory. All zero until its first step. */
typedef struct cohort_batch {
    const void *input;
    int64_t rows;
    bool is_under_way; /* it has stepped, and not come to its end */
    struct cohort_batch *next;
} cohort_batch;

typedef struct cohort_batches {
    cohort_batch *list;         /* of all inputs that have stepped */
    const cohort_batch *latest; /* NULL: none has */
} cohort_batches;

/* The number that a call counts which names no input, instead of a number of rows. */
enum { COHORT_BATCH_ROWS_NONE = -1, COHORT_BATCH_ROWS_MANY = -2 };

/* An input has stepped: until settle its rows are meant by calls that name none, such as the one
 * that has stepped it, or a replay that reads it. */
void cohort_batches_note(cohort_binder *binder, cohort_batch *batch, const void *input,
                         int64_t rows);

/* From here on those of the only input that is under way, or, where none is, of the latest. */
void cohort_batches_settle(cohort_binder *binder);

/* It is at its end; it starts over, or is gone. */
void cohort_batches_end(cohort_binder *binder, cohort_batch *batch);
void cohort_batches_forget(cohort_binder *binder, cohort_batch *batch);

/* The rows of an input's latest step; COHORT_BATCH_ROWS_NONE: it has not stepped, or is none of
 * this strategy. Looks at nothing but the address. */
int64_t cohort_batches_rows(const cohort_binder *binder, const void *input);

#endif
