/* SPDX-License-Identifier: BSD-3-Clause */
/* The networks of bench/train, and their arithmetic in plain C over a BLAS: what the hand-written
 * program and the bodies of Cohort's functions both call, so that their results have the same bits
 * and the distance between them is Cohort's alone.
 *
 * Layers are dense, all but the last with tanh; the loss is softmax and cross-entropy; descent is
 * plain. All weights of a network lie in one array, matrix and bias of a layer after each other. */
#ifndef COHORT_BENCH_TRAIN_MODEL_H
#define COHORT_BENCH_TRAIN_MODEL_H

#include <cohort/math.h>

#include <cblas.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { TRAIN_LAYERS = 3, TRAIN_WIDEST = 784 };

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

/* ------------------------------------------------------------------ layers */

/* The logistic regression, for which a call of a BLAS costs more than its products. */
enum { SMALL_IN = 16, SMALL_OUT = 2 };

static inline int train_is_small(int64_t d, int64_t k)
{
    return d == SMALL_IN && k == SMALL_OUT;
}

static inline void train_dense_small(int64_t n, const float *x, const float *w, const float *b,
                                     float *z)
{
    for (int64_t i = 0; i < n; i++) {
        float sums[SMALL_OUT] = { b[0], b[1] };
        for (int l = 0; l < SMALL_IN; l++)
            for (int j = 0; j < SMALL_OUT; j++)
                sums[j] += x[i * SMALL_IN + l] * w[l * SMALL_OUT + j];
        z[i * SMALL_OUT] = sums[0], z[i * SMALL_OUT + 1] = sums[1];
    }
}

static inline void train_gradient_small(int64_t n, const float *x, const float *e, float *g)
{
    float sums[SMALL_IN * SMALL_OUT] = { 0 };
    for (int64_t i = 0; i < n; i++)
        for (int l = 0; l < SMALL_IN; l++)
            for (int j = 0; j < SMALL_OUT; j++)
                sums[l * SMALL_OUT + j] += x[i * SMALL_IN + l] * e[i * SMALL_OUT + j];
    memcpy(g, sums, sizeof sums);
}

/* z = x w + b */
static inline void train_dense(int64_t n, int64_t d, int64_t k, const float *x, const float *w,
                               const float *b, float *z)
{
    if (train_is_small(d, k)) {
        train_dense_small(n, x, w, b, z);
        return;
    }
    for (int64_t i = 0; i < n; i++)
        memcpy(z + i * k, b, (size_t)k * sizeof *b);
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)n, (int)k, (int)d, 1, x, (int)d, w,
                (int)k, 1, z, (int)k);
}

static inline void train_tanh(int64_t n, float *z)
{
#pragma omp simd
    for (int64_t i = 0; i < n; i++)
        z[i] = cohort_tanhf(z[i]);
}

/* z becomes softmax(z) - onehot(y). */
static inline void train_loss(int64_t n, int64_t k, const int32_t *y, float *z, float *loss)
{
    for (int64_t i = 0; i < n; i++) {
        float top = z[i * k];
        for (int64_t j = i * k; j < i * k + k; j++)
            top = z[j] > top ? z[j] : top;
        for (int64_t j = i * k; j < i * k + k; j++)
            z[j] -= top;
        loss[i] = -z[i * k + y[i]];
    }
#pragma omp simd
    for (int64_t j = 0; j < n * k; j++)
        z[j] = cohort_expf(z[j]);
    for (int64_t i = 0; i < n; i++) {
        float sum = 0;
        for (int64_t j = i * k; j < i * k + k; j++)
            sum += z[j];
        for (int64_t j = i * k; j < i * k + k; j++)
            z[j] /= sum;
        z[i * k + y[i]] -= 1;
        loss[i] += cohort_logf(sum);
    }
}

/* g = x' e, and the same of the bias: the sum of the rows of e. */
static inline void train_gradient(int64_t n, int64_t d, int64_t k, const float *x, const float *e,
                                  float *g, float *bias)
{
    if (train_is_small(d, k))
        train_gradient_small(n, x, e, g);
    else
        cblas_sgemm(CblasRowMajor, CblasTrans, CblasNoTrans, (int)d, (int)k, (int)n, 1, x, (int)d,
                    e, (int)k, 0, g, (int)k);
    for (int64_t j = 0; j < k; j++)
        bias[j] = 0;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < k; j++)
            bias[j] += e[i * k + j];
}

/* back = (e w') tanh', where a = tanh(z) */
static inline void train_back(int64_t n, int64_t d, int64_t k, const float *e, const float *w,
                              const float *a, float *back)
{
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, (int)n, (int)d, (int)k, 1, e, (int)k, w,
                (int)k, 0, back, (int)d);
#pragma omp simd
    for (int64_t i = 0; i < n * d; i++)
        back[i] *= 1 - a[i] * a[i];
}

/* ------------------------------------------------------------------ a replica's part of a step */

/* What one replica works in: outputs of the layers, errors of them, loss of each row. */
typedef struct train_scratch {
    float *a[TRAIN_LAYERS], *e[TRAIN_LAYERS], *loss;
} train_scratch;

static inline train_scratch train_scratch_create(const train_model *m, int64_t rows)
{
    train_scratch s = { .loss = train_floats(rows) };
    for (int i = 0; i < m->layers; i++) {
        s.a[i] = train_floats(rows * m->widths[i + 1]);
        s.e[i] = train_floats(rows * m->widths[i + 1]);
    }
    return s;
}

static inline void train_scratch_destroy(train_scratch *s)
{
    free(s->loss);
    for (int i = 0; i < TRAIN_LAYERS; i++) {
        free(s->a[i]);
        free(s->e[i]);
    }
}

/* The gradient of all weights over n rows. */
static inline void train_gradients(const train_model *m, train_scratch *s, int64_t n,
                                   const float *x, const int32_t *y, const float *w, float *g)
{
    const int64_t *widths = m->widths;
    int last = m->layers - 1;
    for (int i = 0; i <= last; i++) {
        train_dense(n, widths[i], widths[i + 1], i == 0 ? x : s->a[i - 1], w + train_weight(m, i),
                    w + train_bias(m, i), s->a[i]);
        if (i < last)
            train_tanh(n * widths[i + 1], s->a[i]);
    }
    train_loss(n, widths[last + 1], y, s->a[last], s->loss);
    for (int i = last; i >= 0; i--) {
        const float *e = i == last ? s->a[last] : s->e[i];
        train_gradient(n, widths[i], widths[i + 1], i == 0 ? x : s->a[i - 1], e,
                       g + train_weight(m, i), g + train_bias(m, i));
        if (i > 0)
            train_back(n, widths[i], widths[i + 1], e, w + train_weight(m, i), s->a[i - 1],
                       s->e[i - 1]);
    }
}

#endif
