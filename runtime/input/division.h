/* SPDX-License-Identifier: BSD-3-Clause */
/* How the rows of a batch are divided over replicas: include/cohort/dataset.h, cohort_split, as a
 * function. */
#ifndef COHORT_INPUT_DIVISION_H
#define COHORT_INPUT_DIVISION_H

#include <cohort/dataset.h>

/* full_rows: G; 0: not declared. weights: n_replicas numbers, or NULL. */
typedef struct cohort_division {
    cohort_split split;
    int64_t full_rows;
    const double *weights;
    int32_t n_replicas;
} cohort_division;

/* Rows of each replica of a batch of `rows`, which add up to it. */
void cohort_division_rows(const cohort_division *division, int64_t rows, int64_t out[]);

/* Room of each replica in a full batch of `rows`, G or more: what FILL fills. With weights the
 * exact shares are cut to whole rows, and what is left goes one by one to the largest remainders,
 * of equal ones to the lower id. */
void cohort_division_room(const cohort_division *division, int64_t rows, int64_t out[]);

/* How much of a batch of `rows` a pipeline takes at a time when its batches are its own: the room
 * of its replicas first .. first + n - 1 together, at least 1. room: n_replicas numbers, filled
 * in. */
int64_t cohort_division_piece(const cohort_division *division, int64_t rows, int32_t first,
                              int32_t n, int64_t room[]);

#endif
