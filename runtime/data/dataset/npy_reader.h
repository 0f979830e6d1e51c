/* SPDX-License-Identifier: BSD-3-Clause */
/* A reader of arrays in one file side by side: of a .npy file, or of members of a .npz. */
#ifndef COHORT_DATASET_NPY_READER_H
#define COHORT_DATASET_NPY_READER_H

#include "runtime/data/dataset/files.h"

/* members: [n] names of arrays; NULL: the only one. They have the same number of rows. Else as a
 * kind's open. */
cohort_status cohort_npy_reader_open(const cohort_reader_kind *kind, const char *path,
                                     const char *const members[], int32_t n,
                                     cohort_reader_layout *layout, cohort_reader **out);

/* The rest of the kind. */
void cohort_npy_reader_close(cohort_reader *reader);
cohort_status cohort_npy_reader_copy(cohort_reader *reader, int64_t n, void *const into[],
                                     int64_t *out_rows);
cohort_status cohort_npy_reader_skip(cohort_reader *reader, int64_t n, int64_t *out_passed);
cohort_status cohort_npy_reader_at(cohort_reader *reader, int64_t index, void *const into[]);

#endif
