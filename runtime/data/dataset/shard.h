/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef COHORT_DATASET_SHARD_H
#define COHORT_DATASET_SHARD_H

#include <cohort/dataset.h>

/* The dataset is a shard of COHORT_NUM_PIPELINES. */
bool cohort_shard_is_hint(const cohort_dataset *dataset);

#endif
