/* SPDX-License-Identifier: BSD-3-Clause */
/* Cursors: one iteration of a dataset. Used by one thread at a time. */
#ifndef COHORT_DATASET_CURSOR_H
#define COHORT_DATASET_CURSOR_H

#include "runtime/data/dataset/element.h"

typedef struct cohort_cursor cohort_cursor;
typedef struct cohort_dataset cohort_dataset;

/* How an iteration is opened.
 *
 * pool   where the memory of its elements comes from, in all cursors; who iterates again and again
 *        gives the same, so that its blocks are used again. NULL: each cursor has one of its own
 * salt   tells iterations and repetitions apart: 0 in the first repetition of the first iteration.
 *        Shuffles mix it into their seed; who opens an input several times gives each time another
 *        one (cohort_opening_nth)
 * level  how many of those who open an input several times stand above: two that are nested never
 *        give the same salt */
typedef struct cohort_opening {
    cohort_pool *pool;
    uint64_t salt;
    uint64_t level;
} cohort_opening;

/* The n-th opening of an input by who opens it several times and was itself opened so. The salt of
 * the first is the one of that opening. */
cohort_opening cohort_opening_nth(const cohort_opening *how, uint64_t n);

typedef struct cohort_cursor_kind {
    /* The next element; COHORT_END behind the last, then and ever after; or an error, after which
     * the next call may give what follows when `can_go_on` was set (a damaged record), and else
     * gives the error again. */
    cohort_status (*next)(cohort_cursor *cursor, cohort_element *out);

    void (*close)(cohort_cursor *cursor); /* also frees the cursor */

    /* Optional; the calls below have a way without. */

    /* Pass over n elements at less cost than reading them. *out_passed < n only at the end. */
    cohort_status (*skip)(cohort_cursor *cursor, int64_t n, int64_t *out_passed);

    /* Element `index` of 0 .. cardinality - 1, of a dataset that is_indexed. Does not move the
     * cursor. */
    cohort_status (*at)(cohort_cursor *cursor, int64_t index, cohort_element *out);

    /* Up to n elements from here stacked, as a lasting view without a copy; parts have one axis
     * more. *out_rows is how many; 0 where that cannot be had now, though elements may follow. Less
     * than n does not mean the end. */
    cohort_status (*lend)(cohort_cursor *cursor, int64_t n, cohort_element *out, int64_t *out_rows);

    /* Up to n elements from here copied one behind the other to into[k] of each component; only
     * where all extents are known. *out_rows < n only at the end (COHORT_OK) or at an error: those
     * before it were copied. */
    cohort_status (*copy)(cohort_cursor *cursor, int64_t n, void *const into[], int64_t *out_rows);
} cohort_cursor_kind;

/* Head of every cursor. */
struct cohort_cursor {
    const cohort_cursor_kind *kind;
    const cohort_dataset *dataset; /* shared: an owner */
    cohort_pool *pool;             /* shared: an owner */
    bool can_go_on;                /* after an error: what follows it can be read */
};

/* Open a dataset; the cursor is an owner of it. */
cohort_status cohort_cursor_open(const cohort_dataset *dataset, const cohort_opening *how,
                                 cohort_cursor **out);
void cohort_cursor_close(cohort_cursor *cursor); /* NULL is allowed */

/* For `open` of a kind: zeroed memory of `bytes`, whose head is filled in. NULL with an error text.
 * Freed by cohort_cursor_free, at the end of `close`. */
void *cohort_cursor_allocate(const cohort_dataset *dataset, const cohort_cursor_kind *kind,
                             const cohort_opening *how, size_t bytes);
void cohort_cursor_free(cohort_cursor *cursor);

cohort_status cohort_cursor_next(cohort_cursor *cursor, cohort_element *out);
cohort_status cohort_cursor_at(cohort_cursor *cursor, int64_t index, cohort_element *out);

/* Pass over n elements, reading them where there is no other way. */
cohort_status cohort_cursor_skip(cohort_cursor *cursor, int64_t n, int64_t *out_passed);

/* Calls the kind's `lend`; where the kind has none *out_rows is 0. */
cohort_status cohort_cursor_lend(cohort_cursor *cursor, int64_t n, cohort_element *out,
                                 int64_t *out_rows);

/* Calls the kind's `copy`; where the kind has none, elements are copied one by one. Every
 * element must have the shape of its spec, whose extents are known. */
cohort_status cohort_cursor_copy(cohort_cursor *cursor, int64_t n, void *const into[],
                                 int64_t *out_rows);

/* ---- Unary transformations: those of one input. */

/* Head of the cursor of a unary transformation. */
typedef struct cohort_unary_cursor {
    cohort_cursor head;
    cohort_cursor *input;
} cohort_unary_cursor;

/* A cursor of `bytes`, zero behind its head, with its input open, *out; else a status with an error
 * text. */
cohort_status cohort_cursor_open_unary(const cohort_dataset *dataset,
                                       const cohort_cursor_kind *kind, const cohort_opening *how,
                                       size_t bytes, cohort_cursor **out);

/* Closes the input and frees the cursor: `close` of a kind, or its last line. */
void cohort_cursor_close_unary(cohort_cursor *cursor);

/* The cursor answers what its input answered, also whether it can go on. Returns status. */
cohort_status cohort_cursor_pass(cohort_cursor *cursor, const cohort_cursor *input,
                                 cohort_status status);

/* The places `into` moved on by so many elements of the dataset, whose extents are known:
 * moved[n_components] becomes them. */
void cohort_cursor_advance(const cohort_dataset *dataset, void *const into[], int64_t rows,
                           void *moved[]);

#endif
