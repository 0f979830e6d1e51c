/* SPDX-License-Identifier: BSD-3-Clause */
/* How many steps points of the plane take to leave a circle, at most 256; not symmetric to an axis,
 * so that lines differ in what they take. */
#include "config.h"

#include "bench/app/app.h"
#include "bench/app/hand.h"

#include <string.h>

#define LANES 16
#define MOST 256

typedef struct view {
    int64_t n, m; /* lines and points of a line, a multiple of LANES */
} view;

static void *make(int64_t size, size_t *out_bytes, int64_t *out_n)
{
    view *v = app_memory(sizeof *v);
    *v = (view){ size, size };
    *out_n = size * size;
    *out_bytes = (size_t)*out_n * sizeof(int32_t);
    return v;
}

/* ---- OpenMP: 16 points at once, until the last of them has left; lines are dealt out. */

typedef struct loop {
    view v;
    int32_t *steps;
} loop;

static void *loop_open(const void *data, const char *devices)
{
    const view *v = data;
    loop *l = app_memory(sizeof *l);
    (void)devices;
    *l = (loop){ *v, app_memory((size_t)(v->n * v->m) * sizeof(int32_t)) };
    return l;
}

static void escape(float b, int64_t j, int64_t m, int32_t *restrict steps)
{
    float a[LANES], u[LANES] = { 0 }, w[LANES] = { 0 };
    int32_t count[LANES] = { 0 };
    for (int k = 0; k < LANES; k++)
        a[k] = -2 + 2.5f * (float)(j + k) / (float)m;
    for (int step = 0, inside = 1; step < MOST && inside != 0; step++) {
        inside = 0;
#pragma omp simd reduction(| : inside)
        for (int k = 0; k < LANES; k++) {
            float uu = u[k] * u[k], ww = w[k] * w[k];
            int is_in = uu + ww < 4;
            float across = 2 * u[k] * w[k] + b, along = uu - ww + a[k];
            w[k] = is_in ? across : w[k];
            u[k] = is_in ? along : u[k];
            count[k] += is_in;
            inside |= is_in;
        }
    }
    memcpy(steps, count, sizeof count);
}

static void loop_step(void *side)
{
    const loop *l = side;
    int64_t n = l->v.n, m = l->v.m;
#pragma omp parallel for schedule(dynamic)
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < m; j += LANES)
            escape(-0.5f + 1.75f * (float)i / (float)n, j, m, l->steps + i * m + j);
}

static void loop_read(void *side, float *out)
{
    const loop *l = side;
    for (int64_t at = 0; at < l->v.n * l->v.m; at++)
        out[at] = (float)l->steps[at];
}

static void loop_close(void *side)
{
    free(((loop *)side)->steps);
    free(side);
}

/* ---- Cohort: an item is 16 points. */

COHORT_ITEMS_2D(escapes, i, n, j, m,
                (int64_t n, int64_t m, int64_t first, int64_t all,
                 COHORT_OUT int32_t *steps COHORT_SHAPE(n, 16 * m)),
                {
                    float b = -0.5f + 1.75f * (float)(first + i) / (float)all;
                    float a[LANES];
                    float u[LANES] = { 0 };
                    float w[LANES] = { 0 };
                    int32_t count[LANES] = { 0 };
                    int inside = 1;
                    for (int k = 0; k < LANES; k++)
                        a[k] = -2 + 2.5f * (float)(16 * j + k) / (float)(16 * m);
                    for (int step = 0; step < MOST && inside != 0; step++) {
                        inside = 0;
                        for (int k = 0; k < LANES; k++) {
                            float uu = u[k] * u[k];
                            float ww = w[k] * w[k];
                            int is_in = uu + ww < 4;
                            float across = 2 * u[k] * w[k] + b;
                            float along = uu - ww + a[k];
                            w[k] = is_in ? across : w[k];
                            u[k] = is_in ? along : u[k];
                            count[k] += is_in;
                            inside |= is_in;
                        }
                    }
                    for (int k = 0; k < LANES; k++)
                        steps[(i * m + j) * 16 + k] = count[k];
                });

typedef struct sheet {
    cohort_strategy *s;
    view v;
    cohort_value *steps;
} sheet;

static void *sheet_open(const void *data, const char *devices)
{
    sheet *t = app_memory(sizeof *t);
    t->s = cohort_mirrored(devices);
    t->v = *(const view *)data;
    t->steps = cohort_value_create(t->s);
    return t;
}

static void sheet_step(void *side)
{
    sheet *t = side;
    cohort_run(t->s, escapes, COHORT_FIRST_ROW, t->v.n, t->steps,
               COHORT_NAMED(n, COHORT_SHARE(t->v.n)), COHORT_NAMED(m, t->v.m / LANES));
}

static void sheet_finish(void *side)
{
    must(cohort_wait(((sheet *)side)->s) == COHORT_OK, "points");
}

static void sheet_read(void *side, float *out)
{
    sheet *t = side;
    int64_t n = t->v.n * t->v.m;
    int32_t *steps = app_memory((size_t)n * sizeof *steps);
    must(cohort_value_read(t->steps, COHORT_ARRAY(steps, t->v.n, t->v.m)) == COHORT_OK, "points");
    for (int64_t at = 0; at < n; at++)
        out[at] = (float)steps[at];
    free(steps);
}

static void sheet_close(void *side)
{
    cohort_strategy_destroy(((sheet *)side)->s);
    free(side);
}

/* ---- OpenCL: vectors of 16 points. */

static const char source[] = COHORT_SOURCE(kernel void escapes(long n, long m, global int *steps) {
    long i = get_global_id(1);
    long j = 16 * get_global_id(0);
    int16 place = (int16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15) + (int)j;
    float16 a = -2 + 2.5f * convert_float16(place) / (float)m;
    float b = -0.5f + 1.75f * (float)i / (float)n;
    float16 u = 0;
    float16 w = 0;
    int16 count = 0;
    for (int step = 0; step < 256; step++) {
        float16 uu = u * u;
        float16 ww = w * w;
        int16 is_in = uu + ww < (float16)4;
        if (!any(is_in))
            break;
        w = select(w, 2 * u * w + b, is_in);
        u = select(u, uu - ww + a, is_in);
        count -= is_in;
    }
    vstore16(count, 0, steps + i * m + j);
});

typedef struct queue {
    hand h;
    view v;
    cl_kernel escapes;
    cl_mem steps;
} queue;

static void *queue_open(const void *data, const char *devices)
{
    queue *q = app_memory(sizeof *q);
    (void)devices;
    *q = (queue){ .h = hand_open(source), .v = *(const view *)data };
    q->escapes = hand_kernel(&q->h, "escapes");
    q->steps = hand_buffer(&q->h, (size_t)(q->v.n * q->v.m) * sizeof(int32_t), NULL);
    HAND_ARG(q->escapes, 0, q->v.n);
    HAND_ARG(q->escapes, 1, q->v.m);
    HAND_ARG(q->escapes, 2, q->steps);
    return q;
}

static void queue_step(void *side)
{
    queue *q = side;
    hand_launch(&q->h, q->escapes, (size_t)(q->v.m / LANES), (size_t)q->v.n);
}

static void queue_finish(void *side)
{
    hand_finish(&((queue *)side)->h);
}

static void queue_read(void *side, float *out)
{
    queue *q = side;
    int64_t n = q->v.n * q->v.m;
    int32_t *steps = app_memory((size_t)n * sizeof *steps);
    hand_read(&q->h, q->steps, (size_t)n * sizeof *steps, steps);
    for (int64_t at = 0; at < n; at++)
        out[at] = (float)steps[at];
    free(steps);
}

static void queue_close(void *side)
{
    hand_close(&((queue *)side)->h);
    free(side);
}

/* ---- All sides */

const app app_mandelbrot = { "Mandelbrot",
                             { 64, 256, 1024, 2048 },
                             make,
                             free,
                             0,
                             { loop_open, loop_step, NULL, loop_read, loop_close },
                             { sheet_open, sheet_step, sheet_finish, sheet_read, sheet_close },
                             { queue_open, queue_step, queue_finish, queue_read, queue_close } };
