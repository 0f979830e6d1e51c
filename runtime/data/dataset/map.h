/* SPDX-License-Identifier: BSD-3-Clause */
/* Mapping: a function or a callback on each element. */
#ifndef COHORT_DATASET_MAP_H
#define COHORT_DATASET_MAP_H

#include "runtime/data/dataset/dataset.h"
#include "runtime/data/dataset/host_function.h"

/* Parameters of the dataset. */
typedef struct cohort_map {
    cohort_host_function *function; /* owned; NULL: a callback */
    cohort_map_fn fn;
    void *user;
    int32_t threads; /* 0: whoever asks */
} cohort_map;

/* A cursor that has so many threads (more than 1) do it; takes the input, also on failure. */
cohort_status cohort_map_threads_open(const cohort_dataset *dataset, int32_t threads,
                                      cohort_cursor *input, cohort_cursor **out);

#endif
