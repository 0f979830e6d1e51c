/* SPDX-License-Identifier: BSD-3-Clause */
/* Readers: one open file of a source, whatever its format is.
 *
 * A new format is a file: its settings, its reader, the table of what that can do, and the public
 * call, which checks and copies the settings and ends with cohort_files_make
 * (runtime/data/dataset/files.h). */
#ifndef COHORT_DATASET_READER_H
#define COHORT_DATASET_READER_H

#include "runtime/base/limits.h"

#include <cohort/array.h>
#include <cohort/dataset.h>

#include <stdbool.h>
#include <stdio.h>

typedef struct cohort_reader cohort_reader;

/* The layout of the elements of a file. */
typedef struct cohort_reader_layout {
    cohort_spec specs[COHORT_LIMIT_COMPONENTS];
    int32_t n;
    int64_t rows;    /* COHORT_UNKNOWN: only reading tells */
    bool is_indexed; /* the reader has `at`; rows are known then */
} cohort_reader_layout;

typedef struct cohort_reader_kind {
    const struct cohort_dataset_kind *node;
    const char *call; /* "cohort_dataset_npy", for messages */
    bool is_counted;  /* files say how many rows they have before these are read */

    /* *out stands at the first row, with `layout` filled in; both are zero before. path: lent until
     * close. */
    cohort_status (*open)(const char *path, const void *settings, cohort_reader_layout *layout,
                          cohort_reader **out);
    void (*close)(cohort_reader *reader);

    /* Rows whose extents are all known: up to n of them one behind the other at into[k] of each
     * component. *out_rows < n only at the end (COHORT_OK) or at an error, then those before it
     * were copied. */
    cohort_status (*copy)(cohort_reader *reader, int64_t n, void *const into[], int64_t *out_rows);

    /* Rows of other extents: views, until the next call. dtype and rank of parts are there
     * already. COHORT_END behind the last. */
    cohort_status (*next)(cohort_reader *reader, cohort_array parts[]);

    /* Pass over up to n rows; fewer only at the end, or at an error. */
    cohort_status (*skip)(cohort_reader *reader, int64_t n, int64_t *out_passed);

    /* Row `index`, which there is, of a layout that is_indexed. Where `copy` goes on may change
     * by that. */
    cohort_status (*at)(cohort_reader *reader, int64_t index, void *const into[]);

    /* Facts of the first file that are found out before the others are read; NULL: nothing. */
    cohort_status (*learn)(const char *path, void *settings);

    /* ", with commas before": every setting that decides about elements; NULL: none. */
    void (*describe)(const void *settings, FILE *out);
    void (*free_settings)(void *settings); /* NULL: there are none. NULL is allowed as settings. */
} cohort_reader_kind;

/* Head of every reader. */
struct cohort_reader {
    const cohort_reader_kind *kind;
    bool can_go_on; /* after an error: the next call gives what follows in this file */
};

/* For `open` of a kind: zeroed memory of `bytes`, whose head is filled in. NULL with an error
 * text. */
void *cohort_reader_allocate(const cohort_reader_kind *kind, size_t bytes, const char *path);

void cohort_reader_close(cohort_reader *reader); /* NULL is allowed */

/* The specs are those of the model, whose name is model_path. COHORT_EINVAL names both files and
 * what differs. */
cohort_status cohort_reader_layout_check(const cohort_reader_layout *layout, const char *path,
                                         const cohort_spec model[], int32_t n_model,
                                         const char *model_path);

/* For descriptions: ", 'text'" in one line, and a number exactly, the same in every locale: a whole
 * one as such, others by their bits. */
void cohort_reader_describe_quoted(const char *text, FILE *out);
void cohort_reader_describe_number(double number, FILE *out);

/* The spec of one row of this array, for a layout. rank > 0 */
cohort_spec cohort_reader_row_spec(const cohort_spec *array);

#endif
