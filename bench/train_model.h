/* SPDX-License-Identifier: BSD-3-Clause */
/* The networks of bench/train, and the data that they are trained with.
 *
 * Layers are dense, all but the last with tanh; the loss is softmax and cross-entropy; descent is
 * plain. All weights of a network lie in one array, matrix and bias of a layer after each other. */
#ifndef COHORT_BENCH_TRAIN_MODEL_H
#define COHORT_BENCH_TRAIN_MODEL_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { TRAIN_LAYERS = 3 };

typedef struct train_model {
    const char *name;
    int layers;
    int64_t widths[TRAIN_LAYERS + 1];
} train_model;

enum { TRAIN_MODELS = 3 };
static const train_model train_models[TRAIN_MODELS] = {
    { "mlp 784-256-128-10", 3, { 784, 256, 128, 10 } },
    { "softmax 784-10", 1, { 784, 10 } },
    { "logistic 16-2", 1, { 16, 2 } },
};

static inline int64_t train_weight(const train_model *m, int layer) /* where its matrix begins */
{
    int64_t n = 0;
    for (int i = 0; i < layer; i++)
        n += (m->widths[i] + 1) * m->widths[i + 1];
    return n;
}

static inline int64_t train_bias(const train_model *m, int layer)
{
    return train_weight(m, layer) + m->widths[layer] * m->widths[layer + 1];
}

static inline int64_t train_weights(const train_model *m)
{
    return train_weight(m, m->layers);
}

/* Uniform in +-1/8, biases too. */
static inline void train_initial(const train_model *m, float w[])
{
    uint64_t random = 7;
    for (int64_t i = 0; i < train_weights(m); i++) {
        random = random * 6364136223846793005U + 1442695040888963407U;
        w[i] = (float)(int32_t)(random >> 32) / 17179869184.0f;
    }
}

/* ------------------------------------------------------------------ data */

static inline float *train_floats(int64_t n)
{
    size_t bytes = ((size_t)n * sizeof(float) + 63) / 64 * 64;
    float *floats = (float *)aligned_alloc(64, bytes);
    if (floats == NULL)
        abort();
    memset(floats, 0, bytes);
    return floats;
}

/* Uniform in +-1. */
static inline float *train_rows(int rows, int64_t columns)
{
    uint64_t random = 1;
    float *x = train_floats(rows * columns);
    for (int64_t i = 0; i < rows * columns; i++) {
        random = random * 6364136223846793005U + 1442695040888963407U;
        x[i] = (float)(int32_t)(random >> 32) / 2147483648.0f;
    }
    return x;
}

/* Labels that all networks have: the last one has two. */
static inline int32_t *train_labels(int rows)
{
    int32_t *y = (int32_t *)malloc((size_t)rows * sizeof *y);
    if (y == NULL)
        abort();
    for (int i = 0; i < rows; i++)
        y[i] = (int32_t)((i * 2654435761U) >> 7) % 2;
    return y;
}

#endif
