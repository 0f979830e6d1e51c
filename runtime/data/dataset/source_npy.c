/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of .npy files. */
#include "config.h"

#include "runtime/data/dataset/npy_reader.h"

#include <cohort/files.h>

static const cohort_reader_kind kind;

static cohort_status open_npy(const char *path, const void *settings, cohort_reader_layout *layout,
                              cohort_reader **out)
{
    (void)settings;
    return cohort_npy_reader_open(&kind, path, NULL, 1, layout, out);
}

static const cohort_dataset_kind node = COHORT_FILES_KIND("npy");

static const cohort_reader_kind kind = { .node = &node,
                                         .call = "cohort_dataset_npy",
                                         .is_counted = true,
                                         .open = open_npy,
                                         .close = cohort_npy_reader_close,
                                         .copy = cohort_npy_reader_copy,
                                         .skip = cohort_npy_reader_skip,
                                         .at = cohort_npy_reader_at };

cohort_dataset *cohort_dataset_npy(const char *const files[], int n)
{
    return cohort_files_make(&kind, files, n, NULL);
}
