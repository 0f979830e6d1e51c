/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of arrays whose memory is the dataset's. */
#ifndef COHORT_DATASET_SLICES_H
#define COHORT_DATASET_SLICES_H

#include "runtime/data/dataset/dataset.h"

/* As cohort_dataset_slices, of row-major arrays that lie in blocks of cohort_allocate; the blocks
 * are the dataset's from here on, and freed when it cannot be made. */
cohort_dataset *cohort_slices_own(int n, const cohort_array arrays[], void *const blocks[],
                                  const char *call);

#endif
