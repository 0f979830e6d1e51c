/* SPDX-License-Identifier: BSD-3-Clause */
/* The rows of each replica that lie beside those of another one: numbers alone. */
#ifndef COHORT_REDUCE_HALO_PIECES_H
#define COHORT_REDUCE_HALO_PIECES_H

#include <stdbool.h>
#include <stdint.h>

/* Replicas are counted over all workers. */
typedef struct cohort_halo_rows {
    const int64_t *counts; /* [n]: rows of each replica */
    int32_t n;
    int64_t rows; /* on each side; at most as many as there are */
    bool is_periodic;
} cohort_halo_rows;

/* Rows that follow one another, from one replica to another; from -1: zeros. */
typedef struct cohort_halo_piece {
    int32_t to, from;
    int64_t dst_row, src_row, n;
} cohort_halo_piece;

typedef void (*cohort_halo_visit_fn)(void *user, const cohort_halo_piece *piece);

/* All pieces of replicas that have rows, of each first those before its own and then those behind
 * them, from its own rows outwards: the same order on every worker. */
void cohort_halo_visit(const cohort_halo_rows *rows, cohort_halo_visit_fn visit, void *user);

#endif
