/* SPDX-License-Identifier: BSD-3-Clause */
/* What a replica of a network of bench/train does in a step. */
#ifndef COHORT_BENCH_TRAIN_REPLICA_H
#define COHORT_BENCH_TRAIN_REPLICA_H

#include "bench/train_model.h"

/* What one replica works in: outputs of the layers, errors of them, loss of each row. */
typedef struct train_scratch {
    float *a[TRAIN_LAYERS], *e[TRAIN_LAYERS], *loss;
} train_scratch;

train_scratch train_scratch_create(const train_model *m, int64_t rows);

void train_scratch_destroy(train_scratch *s);

/* The gradient of all weights over n rows. */
void train_gradients(const train_model *m, train_scratch *s, int64_t n, const float *x,
                     const int32_t *y, const float *w, float *g);

#endif
