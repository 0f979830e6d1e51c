/* SPDX-License-Identifier: BSD-3-Clause */
/* The training step as one writes it by hand: two threads of OpenMP, each a replica with half of
 * the rows, a barrier, and then each thread sums and descends in half of the weights. */
#ifndef COHORT_BENCH_TRAIN_HAND_H
#define COHORT_BENCH_TRAIN_HAND_H

#include "bench/train_replica.h"

enum { TRAIN_REPLICAS = 2 };

/* How it keeps its weights: a copy for each replica; one that both share; the same, and the sums of
 * the gradients are stored too, as those of cohort_reduce are. */
typedef enum train_hand_kind {
    TRAIN_HAND_MIRRORED,
    TRAIN_HAND_SHARED,
    TRAIN_HAND_SHARED_SUMS
} train_hand_kind;

/* w     each replica's copy; where weights are shared both are the same
 * sums  NULL: they are not stored */
typedef struct train_hand {
    const train_model *model;
    float *w[TRAIN_REPLICAS], *g[TRAIN_REPLICAS], *sums;
    train_scratch scratch[TRAIN_REPLICAS];
    float each; /* learning rate divided by the rows of a batch */
} train_hand;

train_hand train_hand_create(const train_model *model, int64_t batch, float each,
                             train_hand_kind kind);
void train_hand_destroy(train_hand *t);

/* One step on n rows, an even number. */
void train_hand_step(train_hand *t, int64_t n, const float *x, const int32_t *y);

#endif
