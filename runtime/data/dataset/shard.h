/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef COHORT_DATASET_SHARD_H
#define COHORT_DATASET_SHARD_H

#include <cohort/dataset.h>

/* The dataset is a shard of COHORT_NUM_PIPELINES. */
bool cohort_shard_is_hint(const cohort_dataset *dataset);

/* As cohort_dataset_shard, of what several pipelines share: theirs are iterated together, and stay
 * apart also where the dataset shuffles anew each time. */
cohort_dataset *cohort_shard_of_pipeline(cohort_dataset *dataset, int64_t pipelines, int64_t index);

#endif
