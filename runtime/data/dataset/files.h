/* SPDX-License-Identifier: BSD-3-Clause */
/* Sources of files: a list of names and a kind of reader as a dataset. */
#ifndef COHORT_DATASET_FILES_H
#define COHORT_DATASET_FILES_H

#include "runtime/data/dataset/dataset.h"
#include "runtime/data/dataset/file_list.h"
#include "runtime/data/dataset/reader.h"

/* Parameters of such a dataset. */
typedef struct cohort_files {
    const cohort_reader_kind *kind;
    cohort_file_list list;
    void *settings; /* of the kind */
    /* of a share of its files: whose settings they are, shared; NULL: ours */
    cohort_dataset *whole;
    /* [files + 1]: rows before each file, and in all; NULL: only reading tells */
    int64_t *starts;
    bool is_indexed; /* of all files */
} cohort_files;

/* The dataset; takes the settings, also on failure. NULL with an error text. */
cohort_dataset *cohort_files_make(const cohort_reader_kind *kind, const char *const files[], int n,
                                  void *settings);

/* Open file number `index` and check that it is what it was when the source was made. Errors as
 * cohort_reader_kind's open; COHORT_EINVAL. */
cohort_status cohort_files_open(const cohort_dataset *dataset, int64_t index, cohort_reader **out);

/* The kind of a node: static const cohort_dataset_kind npy = COHORT_FILES_KIND("npy"); */
#define COHORT_FILES_KIND(text)                                                                    \
    {                                                                                              \
        .name = (text), .derive = cohort_files_derive, .describe = cohort_files_describe,          \
        .open = cohort_files_cursor_open, .free_parameters = cohort_files_free,                    \
        .files = cohort_files_count, .shard_files = cohort_files_share,                            \
        .look_at_file = cohort_files_look                                                          \
    }

void cohort_files_derive(cohort_dataset *dataset);
void cohort_files_describe(const cohort_dataset *dataset, FILE *out);
void cohort_files_free(void *parameters);
int64_t cohort_files_count(const cohort_dataset *dataset);
cohort_dataset *cohort_files_share(const cohort_dataset *dataset, int64_t shards, int64_t index);
void cohort_files_look(const cohort_dataset *dataset, int64_t index, cohort_file_mark *out);
cohort_status cohort_files_cursor_open(const cohort_dataset *dataset, const cohort_opening *how,
                                       cohort_cursor **out);

#endif
