/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef COHORT_DATASET_BATCH_H
#define COHORT_DATASET_BATCH_H

#include <cohort/dataset.h>

/* cohort_dataset_batch, and what cohort_dataset_rebatch does with rows; takes the dataset. */
cohort_dataset *cohort_batch_make(cohort_dataset *dataset, int64_t rows, bool drop_remainder,
                                  bool is_rebatch);

#endif
