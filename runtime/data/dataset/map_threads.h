/* SPDX-License-Identifier: BSD-3-Clause */
/* Mapping by several threads. */
#ifndef COHORT_DATASET_MAP_THREADS_H
#define COHORT_DATASET_MAP_THREADS_H

#include "runtime/data/dataset/dataset.h"

/* A cursor of a dataset whose parameters are a cohort_map (mapping.h), which so many threads, more
 * than 1, work on. Takes the input, also on failure. */
cohort_status cohort_map_threads_open(const cohort_dataset *dataset, int32_t threads,
                                      cohort_cursor *input, cohort_cursor **out);

#endif
