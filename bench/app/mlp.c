/* SPDX-License-Identifier: BSD-3-Clause */
/* What a network 256-128-16 says of rows: two products, tanh and biases. */
#include "config.h"

#include "bench/app/app.h"
#include "bench/app/hand.h"

#include <cohort/math.h>

#include <cblas.h>
#include <string.h>

enum { INPUTS = 256, HIDDEN = 128, CLASSES = 16, ROWS_AT_ONCE = 32 };

typedef struct network {
    int64_t n;
    float w1[INPUTS * HIDDEN], b1[HIDDEN], w2[HIDDEN * CLASSES], b2[CLASSES], *x;
} network;

static void fill(float *x, int64_t n, float scale)
{
    for (int64_t i = 0; i < n; i++)
        x[i] = scale * ((float)app_draw(i) / (1 << 23) - 1);
}

static void *make(int64_t size, size_t *out_bytes, int64_t *out_n)
{
    network *p = app_memory(sizeof *p);
    p->n = size;
    p->x = app_memory((size_t)(size * INPUTS) * sizeof(float));
    fill(p->x, size * INPUTS, 1);
    fill(p->w1, INPUTS * HIDDEN, 0.1F);
    fill(p->b1, HIDDEN, 0.1F);
    fill(p->w2, HIDDEN * CLASSES, 0.1F);
    fill(p->b2, CLASSES, 0.1F);
    *out_n = size * CLASSES;
    *out_bytes = (size_t)(size * (INPUTS + HIDDEN + CLASSES)) * sizeof(float);
    return p;
}

static void unmake(void *data)
{
    free(((network *)data)->x);
    free(data);
}

/* ---- OpenMP: products by BLAS, of some rows at once, whose hidden layer stays in the cache. */

typedef struct loop {
    const network *p;
    float *z;
} loop;

static void *loop_open(const void *data, const char *devices)
{
    loop *l = app_memory(sizeof *l);
    (void)devices;
    l->p = data;
    l->z = app_memory((size_t)(l->p->n * CLASSES) * sizeof *l->z);
    return l;
}

static void multiply(int n, int k, int d, const float *x, const float *w, const float *b, float *z)
{
    for (int i = 0; i < n; i++)
        memcpy(z + i * k, b, (size_t)k * sizeof *b);
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, k, d, 1, x, d, w, k, 1, z, k);
}

static void loop_step(void *side)
{
    const loop *l = side;
    const network *p = l->p;
#pragma omp parallel for
    for (int64_t first = 0; first < p->n; first += ROWS_AT_ONCE) {
        float h[ROWS_AT_ONCE * HIDDEN];
        int n = (int)(p->n - first < ROWS_AT_ONCE ? p->n - first : ROWS_AT_ONCE);
        multiply(n, HIDDEN, INPUTS, p->x + first * INPUTS, p->w1, p->b1, h);
        for (int at = 0; at < n * HIDDEN; at++)
            h[at] = cohort_tanhf(h[at]);
        multiply(n, CLASSES, HIDDEN, h, p->w2, p->b2, l->z + first * CLASSES);
    }
}

static void loop_read(void *side, float *out)
{
    const loop *l = side;
    memcpy(out, l->z, (size_t)(l->p->n * CLASSES) * sizeof *out);
}

static void loop_close(void *side)
{
    free(((loop *)side)->z);
    free(side);
}

/* ---- Cohort */

COHORT_ITEMS_2D(activate, i, n, j, k,
                (int64_t n, int64_t k, const float b[k], float *z COHORT_SHAPE(n, k)),
                { z[i * k + j] = cohort_tanhf(z[i * k + j] + b[j]); });
COHORT_ITEMS_2D(add_bias, i, n, j, k,
                (int64_t n, int64_t k, const float b[k], float *z COHORT_SHAPE(n, k)),
                { z[i * k + j] += b[j]; });

typedef struct layers {
    cohort_strategy *s;
    int64_t n;
    cohort_variable *w1, *b1, *w2, *b2;
    cohort_value *x, *h, *z;
} layers;

static void *layers_open(const void *data, const char *devices)
{
    const network *p = data;
    layers *t = app_memory(sizeof *t);
    *t = (layers){ .s = cohort_mirrored(devices), .n = p->n };
    t->w1 = cohort_variable_create(t->s, "w1", COHORT_ARRAY(p->w1, INPUTS, HIDDEN), NULL);
    t->b1 = cohort_variable_create(t->s, "b1", COHORT_ARRAY(p->b1, HIDDEN), NULL);
    t->w2 = cohort_variable_create(t->s, "w2", COHORT_ARRAY(p->w2, HIDDEN, CLASSES), NULL);
    t->b2 = cohort_variable_create(t->s, "b2", COHORT_ARRAY(p->b2, CLASSES), NULL);
    t->x = cohort_value_split(t->s, COHORT_ARRAY(p->x, p->n, INPUTS));
    t->h = cohort_value_create(t->s);
    t->z = cohort_value_create(t->s);
    return t;
}

static void layers_step(void *side)
{
    layers *t = side;
    cohort_matmul(t->s, NULL, 1, t->x, t->w1, t->h);
    cohort_run(t->s, activate, t->b1, t->h);
    cohort_matmul(t->s, NULL, 1, t->h, t->w2, t->z);
    cohort_run(t->s, add_bias, t->b2, t->z);
}

static void layers_finish(void *side)
{
    must(cohort_wait(((layers *)side)->s) == COHORT_OK, "a network");
}

static void layers_read(void *side, float *out)
{
    layers *t = side;
    must(cohort_value_read(t->z, COHORT_ARRAY(out, t->n, CLASSES)) == COHORT_OK, "a network");
}

static void layers_close(void *side)
{
    cohort_strategy_destroy(((layers *)side)->s);
    free(side);
}

/* ---- OpenCL: four rows by 16 columns in registers. */

static const char source[] =
    COHORT_SOURCE(kernel void layer(long k, long d, int is_hidden, global const float *x,
                                    global const float *w, global const float *b, global float *z) {
        long row = 4 * get_global_id(1);
        long column = 16 * get_global_id(0);
        float16 sum[4];
        for (int r = 0; r < 4; r++)
            sum[r] = vload16(0, b + column);
        for (long l = 0; l < d; l++) {
            float16 right = vload16(0, w + l * k + column);
            for (int r = 0; r < 4; r++)
                sum[r] += x[(row + r) * d + l] * right;
        }
        for (int r = 0; r < 4; r++)
            vstore16(is_hidden != 0 ? tanh(sum[r]) : sum[r], 0, z + (row + r) * k + column);
    });

typedef struct queue {
    hand h;
    int64_t n;
    cl_kernel first, second;
    cl_mem z;
} queue;

static cl_kernel layer(hand *h, int64_t k, int64_t d, int is_hidden, cl_mem x, cl_mem z,
                       const float *w, const float *b)
{
    cl_kernel kernel = hand_kernel(h, "layer");
    cl_mem weights = hand_buffer(h, (size_t)(k * d) * sizeof *w, w);
    cl_mem biases = hand_buffer(h, (size_t)k * sizeof *b, b);
    HAND_ARG(kernel, 0, k);
    HAND_ARG(kernel, 1, d);
    HAND_ARG(kernel, 2, is_hidden);
    HAND_ARG(kernel, 3, x);
    HAND_ARG(kernel, 4, weights);
    HAND_ARG(kernel, 5, biases);
    HAND_ARG(kernel, 6, z);
    return kernel;
}

static void *queue_open(const void *data, const char *devices)
{
    const network *p = data;
    queue *q = app_memory(sizeof *q);
    (void)devices;
    *q = (queue){ .h = hand_open(source), .n = p->n };
    cl_mem x = hand_buffer(&q->h, (size_t)(p->n * INPUTS) * sizeof(float), p->x);
    cl_mem h = hand_buffer(&q->h, (size_t)(p->n * HIDDEN) * sizeof(float), NULL);
    q->z = hand_buffer(&q->h, (size_t)(p->n * CLASSES) * sizeof(float), NULL);
    q->first = layer(&q->h, HIDDEN, INPUTS, 1, x, h, p->w1, p->b1);
    q->second = layer(&q->h, CLASSES, HIDDEN, 0, h, q->z, p->w2, p->b2);
    return q;
}

static void queue_step(void *side)
{
    queue *q = side;
    hand_launch(&q->h, q->first, HIDDEN / 16, (size_t)q->n / 4);
    hand_launch(&q->h, q->second, CLASSES / 16, (size_t)q->n / 4);
}

static void queue_finish(void *side)
{
    hand_finish(&((queue *)side)->h);
}

static void queue_read(void *side, float *out)
{
    queue *q = side;
    hand_read(&q->h, q->z, (size_t)(q->n * CLASSES) * sizeof *out, out);
}

static void queue_close(void *side)
{
    hand_close(&((queue *)side)->h);
    free(side);
}

/* ---- All sides */

const app app_mlp = { "MLP",
                      { 32, 1024, 8192 },
                      make,
                      unmake,
                      1e-4,
                      { loop_open, loop_step, NULL, loop_read, loop_close },
                      { layers_open, layers_step, layers_finish, layers_read, layers_close },
                      { queue_open, queue_step, queue_finish, queue_read, queue_close } };
