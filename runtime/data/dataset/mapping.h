/* SPDX-License-Identifier: BSD-3-Clause */
/* One element on its way through a map, in steps: the shapes of the results, room for them from
 * whoever wants them, the work. */
#ifndef COHORT_DATASET_MAPPING_H
#define COHORT_DATASET_MAPPING_H

#include "runtime/base/limits.h"
#include "runtime/data/dataset/dataset.h"
#include "runtime/data/dataset/host_function.h"

/* Parameters of a dataset: what is done with each element. */
typedef struct cohort_map {
    cohort_host_function *function; /* owned; NULL: a callback */
    cohort_map_fn fn;
    void *user;
    int32_t threads; /* 0: whoever asks */
} cohort_map;

_Static_assert(COHORT_MAX_ARGUMENTS < COHORT_LIMIT_COMPONENTS,
               "all outputs of a function and its result are components");

typedef struct cohort_mapping {
    const cohort_dataset *dataset; /* of a cohort_map */
    cohort_pool *pool;             /* for results and scratch memory */
    int64_t number;                /* of the element */
    const cohort_array *in;
    cohort_array out[COHORT_LIMIT_COMPONENTS]; /* as many as the dataset has */
    const cohort_bounds *bounds;
    cohort_bounds room;
} cohort_mapping;

/* Shapes of the results, as far as they are known before the work is done (-1: by the callback). */
cohort_status cohort_mapping_shape(cohort_mapping *mapping);

/* out[].data was set where the shape is known. A callback may have set other memory afterwards,
 * which is checked. */
cohort_status cohort_mapping_work(cohort_mapping *mapping);

/* Shapes, room and work at once: the results are in a block. Errors begin with "cohort_dataset_map:
 * ". */
cohort_status cohort_mapping_apply(const cohort_dataset *dataset, cohort_pool *pool, int64_t number,
                                   const cohort_array in[], cohort_retained *out);

#endif
