/* SPDX-License-Identifier: BSD-3-Clause */
/* Bodies that attract one another, as in examples/nbody.c. */
#include "config.h"

#include "bench/app/app.h"
#include "bench/app/hand.h"

#include <math.h>
#include <string.h>

typedef struct cloud {
    int64_t n;
    float *x;
} cloud;

static const float dt = 0.005F, soft = 0.01F;

static void *make(int64_t size, size_t *out_bytes, int64_t *out_n)
{
    cloud *c = app_memory(sizeof *c);
    *c = (cloud){ size, app_memory((size_t)(3 * size) * sizeof(float)) };
    for (int64_t i = 0; i < 3 * size; i++)
        c->x[i] = (float)app_draw(i) / (1 << 23) - 1;
    *out_n = 3 * size;
    *out_bytes = 6 * (size_t)size * sizeof(float);
    return c;
}

static void unmake(void *data)
{
    free(((cloud *)data)->x);
    free(data);
}

/* ---- OpenMP: bodies in groups of 16, a lane of a vector each. */

enum { LANES = 16 };

typedef struct loop {
    int64_t n;
    float *x, *v;
} loop;

static void *loop_open(const void *data, const char *devices)
{
    const cloud *c = data;
    size_t bytes = (size_t)(3 * c->n) * sizeof(float);
    loop *l = app_memory(sizeof *l);
    (void)devices;
    *l = (loop){ c->n, app_memory(bytes), app_memory(bytes) };
    memcpy(l->x, c->x, bytes);
    return l;
}

static void kick_group(const float *restrict x, float *restrict v, int64_t first, int64_t n)
{
    float a[LANES], b[LANES], c[LANES], u[LANES] = { 0 }, w[LANES] = { 0 }, z[LANES] = { 0 };
    for (int k = 0; k < LANES; k++) {
        a[k] = x[3 * (first + k)];
        b[k] = x[3 * (first + k) + 1];
        c[k] = x[3 * (first + k) + 2];
    }
    for (int64_t j = 0; j < n; j++)
#pragma omp simd
        for (int k = 0; k < LANES; k++) {
            float dx = x[3 * j] - a[k], dy = x[3 * j + 1] - b[k], dz = x[3 * j + 2] - c[k];
            float square = dx * dx + dy * dy + dz * dz + soft;
            float force = 1 / (square * sqrtf(square));
            u[k] += force * dx;
            w[k] += force * dy;
            z[k] += force * dz;
        }
    for (int k = 0; k < LANES; k++) {
        v[3 * (first + k)] += dt / (float)n * u[k];
        v[3 * (first + k) + 1] += dt / (float)n * w[k];
        v[3 * (first + k) + 2] += dt / (float)n * z[k];
    }
}

static void loop_step(void *side)
{
    loop *l = side;
#pragma omp parallel
    {
#pragma omp for
        for (int64_t i = 0; i < l->n; i += LANES)
            kick_group(l->x, l->v, i, l->n);
#pragma omp for simd
        for (int64_t i = 0; i < 3 * l->n; i++)
            l->x[i] += dt * l->v[i];
    }
}

static void loop_read(void *side, float *out)
{
    memcpy(out, ((loop *)side)->x, (size_t)(3 * ((loop *)side)->n) * sizeof *out);
}

static void loop_close(void *side)
{
    free(((loop *)side)->x);
    free(((loop *)side)->v);
    free(side);
}

/* ---- Cohort: an item is a group. */

COHORT_ITEMS(kick, g, n / 16,
             (int64_t n, int64_t m, float dt, float soft, const float *x COHORT_SHAPE(n, 3),
              const float *all COHORT_SHAPE(m, 3), float *v COHORT_SHAPE(n, 3)),
             {
                 float a[16];
                 float b[16];
                 float c[16];
                 float u[16];
                 float w[16];
                 float z[16];
                 for (int k = 0; k < 16; k++) {
                     int64_t i = 16 * g + k < n ? 16 * g + k : n - 1;
                     a[k] = x[3 * i];
                     b[k] = x[3 * i + 1];
                     c[k] = x[3 * i + 2];
                     u[k] = 0;
                     w[k] = 0;
                     z[k] = 0;
                 }
                 for (int64_t j = 0; j < m; j++)
                     for (int k = 0; k < 16; k++) {
                         float dx = all[3 * j] - a[k];
                         float dy = all[3 * j + 1] - b[k];
                         float dz = all[3 * j + 2] - c[k];
                         float square = dx * dx + dy * dy + dz * dz + soft;
                         float force = 1 / (square * sqrtf(square));
                         u[k] += force * dx;
                         w[k] += force * dy;
                         z[k] += force * dz;
                     }
                 for (int k = 0; k < 16 && 16 * g + k < n; k++) {
                     v[3 * (16 * g + k)] += dt / (float)m * u[k];
                     v[3 * (16 * g + k) + 1] += dt / (float)m * w[k];
                     v[3 * (16 * g + k) + 2] += dt / (float)m * z[k];
                 }
             });
COHORT_ITEMS(drift, i, n, (int64_t n, float dt, const float v[n], float x[n]),
             { x[i] += dt * v[i]; });

typedef struct space {
    cohort_strategy *s;
    int64_t n;
    float *first, *rest; /* what values are made of */
    cohort_value *x, *v, *all;
} space;

static void *space_open(const void *data, const char *devices)
{
    const cloud *c = data;
    size_t bytes = (size_t)(3 * c->n) * sizeof(float);
    space *t = app_memory(sizeof *t);
    *t = (space){ cohort_mirrored(devices), c->n, app_memory(bytes), app_memory(bytes), 0, 0, 0 };
    memcpy(t->first, c->x, bytes);
    t->x = cohort_value_split(t->s, COHORT_ARRAY(t->first, c->n, 3));
    t->v = cohort_value_split(t->s, COHORT_ARRAY(t->rest, c->n, 3));
    t->all = cohort_value_create(t->s);
    return t;
}

static void space_step(void *side)
{
    space *t = side;
    cohort_gather(t->x, 0, t->all);
    cohort_run(t->s, kick, dt, soft, t->x, t->all, t->v);
    cohort_run(t->s, drift, dt, t->v, t->x);
}

static void space_finish(void *side)
{
    must(cohort_wait(((space *)side)->s) == COHORT_OK, "bodies");
}

static void space_read(void *side, float *out)
{
    space *t = side;
    must(cohort_value_read(t->x, COHORT_ARRAY(out, t->n, 3)) == COHORT_OK, "bodies");
}

static void space_close(void *side)
{
    space *t = side;
    cohort_strategy_destroy(t->s);
    free(t->first);
    free(t->rest);
    free(t);
}

/* ---- OpenCL */

static const char source[] = COHORT_SOURCE(
    kernel void kick(long m, float dt, float soft, global const float *x, global float *v) {
        long i = get_global_id(0);
        float a = x[3 * i], b = x[3 * i + 1], c = x[3 * i + 2], u = 0, w = 0, z = 0;
        for (long j = 0; j < m; j++) {
            float dx = x[3 * j] - a, dy = x[3 * j + 1] - b, dz = x[3 * j + 2] - c;
            float square = dx * dx + dy * dy + dz * dz + soft;
            float force = 1 / (square * sqrt(square));
            u += force * dx;
            w += force * dy;
            z += force * dz;
        }
        v[3 * i] += dt / m * u;
        v[3 * i + 1] += dt / m * w;
        v[3 * i + 2] += dt / m * z;
    } kernel void drift(float dt, global const float *v, global float *x) {
        long i = get_global_id(0);
        x[i] += dt * v[i];
    });

typedef struct queue {
    hand h;
    int64_t n;
    cl_kernel kick, drift;
    cl_mem x, v;
} queue;

static void *queue_open(const void *data, const char *devices)
{
    const cloud *c = data;
    size_t bytes = (size_t)(3 * c->n) * sizeof(float);
    float *zeros = app_memory(bytes);
    queue *q = app_memory(sizeof *q);
    (void)devices;
    *q = (queue){ .h = hand_open(source), .n = c->n };
    q->kick = hand_kernel(&q->h, "kick");
    q->drift = hand_kernel(&q->h, "drift");
    q->x = hand_buffer(&q->h, bytes, c->x);
    q->v = hand_buffer(&q->h, bytes, zeros);
    HAND_ARG(q->kick, 0, q->n);
    HAND_ARG(q->kick, 1, dt);
    HAND_ARG(q->kick, 2, soft);
    HAND_ARG(q->kick, 3, q->x);
    HAND_ARG(q->kick, 4, q->v);
    HAND_ARG(q->drift, 0, dt);
    HAND_ARG(q->drift, 1, q->v);
    HAND_ARG(q->drift, 2, q->x);
    free(zeros);
    return q;
}

static void queue_step(void *side)
{
    queue *q = side;
    hand_launch(&q->h, q->kick, (size_t)q->n, 1);
    hand_launch(&q->h, q->drift, (size_t)(3 * q->n), 1);
}

static void queue_finish(void *side)
{
    hand_finish(&((queue *)side)->h);
}

static void queue_read(void *side, float *out)
{
    queue *q = side;
    hand_read(&q->h, q->x, (size_t)(3 * q->n) * sizeof *out, out);
}

static void queue_close(void *side)
{
    hand_close(&((queue *)side)->h);
    free(side);
}

/* ---- All sides */

const app app_nbody = { "n-body",
                        { 512, 4096, 16384 },
                        make,
                        unmake,
                        1e-4,
                        { loop_open, loop_step, NULL, loop_read, loop_close },
                        { space_open, space_step, space_finish, space_read, space_close },
                        { queue_open, queue_step, queue_finish, queue_read, queue_close } };
