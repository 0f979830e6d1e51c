/* SPDX-License-Identifier: BSD-3-Clause */
/* Shuffling: the next element is drawn from a buffer, and the next of the input takes its place in
 * it. Both cursors draw the same numbers of the same seed, so they give the same order. */
#ifndef COHORT_DATASET_SHUFFLE_H
#define COHORT_DATASET_SHUFFLE_H

#include "runtime/data/dataset/dataset.h"
#include "runtime/data/dataset/random.h"

typedef struct cohort_shuffle_parameters {
    int64_t elements; /* of the buffer */
    uint64_t seed;
    bool is_once; /* the same order each time */
} cohort_shuffle_parameters;

/* Whether this is a shuffle that has another order each time: not one of one element at a time. */
bool cohort_shuffle_is_anew(const cohort_dataset *dataset);

/* The generator of an iteration. */
void cohort_shuffle_seed(const cohort_dataset *dataset, const cohort_opening *how,
                         cohort_random *random);

/* A cursor over an input that is_indexed: its buffer holds numbers. */
cohort_status cohort_shuffle_numbers_open(const cohort_dataset *dataset, const cohort_opening *how,
                                          cohort_cursor **out);

/* A cursor over any input: its buffer holds elements. */
cohort_status cohort_shuffle_elements_open(const cohort_dataset *dataset, const cohort_opening *how,
                                           cohort_cursor **out);

#endif
