/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "bench/train_hand.h"

#include <omp.h>

train_hand train_hand_create(const train_model *model, int64_t batch, float each,
                             train_hand_kind kind)
{
    train_hand t = { .model = model, .each = each };
    if (kind == TRAIN_HAND_SHARED_SUMS)
        t.sums = train_floats(train_weights(model));
    for (int r = 0; r < TRAIN_REPLICAS; r++) {
        t.w[r] =
            r == 0 || kind == TRAIN_HAND_MIRRORED ? train_floats(train_weights(model)) : t.w[0];
        t.g[r] = train_floats(train_weights(model));
        t.scratch[r] = train_scratch_create(model, batch / TRAIN_REPLICAS);
        train_initial(model, t.w[r]);
    }
    return t;
}

void train_hand_destroy(train_hand *t)
{
    free(t->sums);
    for (int r = 0; r < TRAIN_REPLICAS; r++) {
        if (r == 0 || t->w[r] != t->w[0])
            free(t->w[r]);
        free(t->g[r]);
        train_scratch_destroy(&t->scratch[r]);
    }
}

/* Sum and descent in one pass, in elements from begin to end. */
static void descend(const train_hand *t, int64_t begin, int64_t end)
{
    const float each = t->each, *g0 = t->g[0], *g1 = t->g[1];
    float *w0 = t->w[0], *w1 = t->w[1], *sums = t->sums;
    if (sums != NULL) {
#pragma omp simd
        for (int64_t i = begin; i < end; i++) {
            sums[i] = g0[i] + g1[i];
            w0[i] -= each * sums[i];
        }
    } else if (w0 == w1) {
#pragma omp simd
        for (int64_t i = begin; i < end; i++)
            w0[i] -= each * (g0[i] + g1[i]);
    } else {
#pragma omp simd
        for (int64_t i = begin; i < end; i++) {
            float next = w0[i] - each * (g0[i] + g1[i]);
            w0[i] = next;
            w1[i] = next;
        }
    }
}

void train_hand_step(train_hand *t, int64_t n, const float *x, const int32_t *y)
{
    const train_model *m = t->model;
    int64_t rows = n / TRAIN_REPLICAS, columns = m->widths[0];
    int64_t half = (train_weights(m) / TRAIN_REPLICAS + 15) / 16 * 16;
#pragma omp parallel num_threads(TRAIN_REPLICAS)
    {
        int r = omp_get_thread_num();
        train_gradients(m, &t->scratch[r], rows, x + r * rows * columns, y + r * rows, t->w[r],
                        t->g[r]);
#pragma omp barrier
        descend(t, r * half, r == 0 ? half : train_weights(m));
    }
}
