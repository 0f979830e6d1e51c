/* SPDX-License-Identifier: BSD-3-Clause */
/* Heat on a plate whose rim is kept at 0, five points, explicit Euler. */
#include "config.h"

#include "bench/app/app.h"
#include "bench/app/hand.h"

#include <string.h>

typedef struct plate {
    int64_t n, m;
    float *first;
} plate;

static const float rate = 0.2F;

static void *make(int64_t size, size_t *out_bytes, int64_t *out_n)
{
    plate *p = app_memory(sizeof *p);
    *p = (plate){ size, 2 * size, app_memory((size_t)(2 * size * size) * sizeof(float)) };
    for (int64_t i = 0; i < p->n * p->m; i++)
        p->first[i] = (float)(i % 101);
    *out_n = p->n * p->m;
    *out_bytes = 2 * (size_t)*out_n * sizeof(float);
    return p;
}

static void unmake(void *data)
{
    free(((plate *)data)->first);
    free(data);
}

/* ---- OpenMP: the first and the last column stand outside of the loop, which is vector code so. */

typedef struct loop {
    int64_t n, m;
    float *now, *next, *zeros;
} loop;

static void *loop_open(const void *data, const char *devices)
{
    const plate *p = data;
    size_t bytes = (size_t)(p->n * p->m) * sizeof(float);
    loop *l = app_memory(sizeof *l);
    (void)devices;
    *l = (loop){ p->n, p->m, app_memory(bytes), app_memory(bytes), app_memory((size_t)p->m * 4) };
    memcpy(l->now, p->first, bytes);
    return l;
}

static void spread_row(const float *up, const float *row, const float *down, float *next, int64_t m)
{
    next[0] = row[0] + rate * (up[0] + down[0] + 0 + row[1] - 4 * row[0]);
#pragma omp simd
    for (int64_t j = 1; j < m - 1; j++)
        next[j] = row[j] + rate * (up[j] + down[j] + row[j - 1] + row[j + 1] - 4 * row[j]);
    next[m - 1] = row[m - 1] + rate * (up[m - 1] + down[m - 1] + row[m - 2] + 0 - 4 * row[m - 1]);
}

static void loop_step(void *side)
{
    loop *l = side;
    int64_t n = l->n, m = l->m;
#pragma omp parallel for
    for (int64_t i = 0; i < n; i++) {
        const float *row = l->now + i * m;
        spread_row(i > 0 ? row - m : l->zeros, row, i < n - 1 ? row + m : l->zeros, l->next + i * m,
                   m);
    }
    float *before = l->now;
    l->now = l->next;
    l->next = before;
}

static void loop_read(void *side, float *out)
{
    const loop *l = side;
    memcpy(out, l->now, (size_t)(l->n * l->m) * sizeof *out);
}

static void loop_close(void *side)
{
    loop *l = side;
    free(l->now);
    free(l->next);
    free(l->zeros);
    free(l);
}

/* ---- Cohort: rows above and below are read in any case, so that PoCL, too, makes vector code. */

COHORT_ITEMS_2D(spread, i, n, j, m,
                (int64_t n, int64_t m, int64_t h, float rate, const float *t COHORT_SHAPE(n, m),
                 const float *edge COHORT_SHAPE(2 * h, m),
                 COHORT_OUT float *next COHORT_SHAPE(n, m)),
                {
                    float here = t[i * m + j];
                    float above = t[(i > 0 ? i - 1 : i) * m + j];
                    float below = t[(i < n - 1 ? i + 1 : i) * m + j];
                    float first = edge[(h - 1) * m + j];
                    float last = edge[h * m + j];
                    float up = i > 0 ? above : first;
                    float down = i < n - 1 ? below : last;
                    float left = j > 0 ? t[i * m + j - 1] : 0;
                    float right = j < m - 1 ? t[i * m + j + 1] : 0;
                    next[i * m + j] = here + rate * (up + down + left + right - 4 * here);
                });

typedef struct sheet {
    cohort_strategy *s;
    int64_t n, m;
    cohort_value *now, *next, *edge;
} sheet;

static void *sheet_open(const void *data, const char *devices)
{
    const plate *p = data;
    sheet *t = app_memory(sizeof *t);
    *t = (sheet){ .s = cohort_mirrored(devices), .n = p->n, .m = p->m };
    t->now = cohort_value_split(t->s, COHORT_ARRAY(p->first, p->n, p->m));
    t->next = cohort_value_create(t->s);
    t->edge = cohort_value_create(t->s);
    return t;
}

static void sheet_step(void *side)
{
    sheet *t = side;
    cohort_halo(t->now, 1, COHORT_EDGE_ZERO, t->edge);
    cohort_run(t->s, spread, rate, t->now, t->edge, t->next);
    cohort_value *before = t->now;
    t->now = t->next;
    t->next = before;
}

static void sheet_finish(void *side)
{
    must(cohort_wait(((sheet *)side)->s) == COHORT_OK, "heat");
}

static void sheet_read(void *side, float *out)
{
    sheet *t = side;
    must(cohort_value_read(t->now, COHORT_ARRAY(out, t->n, t->m)) == COHORT_OK, "heat");
}

static void sheet_close(void *side)
{
    cohort_strategy_destroy(((sheet *)side)->s);
    free(side);
}

/* ---- OpenCL */

static const char source[] = COHORT_SOURCE(
    kernel void spread(long n, long m, float rate, global const float *t, global float *next) {
        long i = get_global_id(1);
        long j = get_global_id(0);
        float here = t[i * m + j];
        float up = i > 0 ? t[(i - 1) * m + j] : 0;
        float down = i < n - 1 ? t[(i + 1) * m + j] : 0;
        float left = j > 0 ? t[i * m + j - 1] : 0;
        float right = j < m - 1 ? t[i * m + j + 1] : 0;
        next[i * m + j] = here + rate * (up + down + left + right - 4 * here);
    });

typedef struct grid {
    hand h;
    int64_t n, m;
    cl_kernel spread;
    cl_mem now, next;
} grid;

static void *grid_open(const void *data, const char *devices)
{
    const plate *p = data;
    size_t bytes = (size_t)(p->n * p->m) * sizeof(float);
    grid *g = app_memory(sizeof *g);
    (void)devices;
    *g = (grid){ .h = hand_open(source), .n = p->n, .m = p->m };
    g->spread = hand_kernel(&g->h, "spread");
    g->now = hand_buffer(&g->h, bytes, p->first);
    g->next = hand_buffer(&g->h, bytes, NULL);
    HAND_ARG(g->spread, 0, g->n);
    HAND_ARG(g->spread, 1, g->m);
    HAND_ARG(g->spread, 2, rate);
    return g;
}

static void grid_step(void *side)
{
    grid *g = side;
    HAND_ARG(g->spread, 3, g->now);
    HAND_ARG(g->spread, 4, g->next);
    hand_launch(&g->h, g->spread, (size_t)g->m, (size_t)g->n);
    cl_mem before = g->now;
    g->now = g->next;
    g->next = before;
}

static void grid_finish(void *side)
{
    hand_finish(&((grid *)side)->h);
}

static void grid_read(void *side, float *out)
{
    grid *g = side;
    hand_read(&g->h, g->now, (size_t)(g->n * g->m) * sizeof *out, out);
}

static void grid_close(void *side)
{
    grid *g = side;
    hand_close(&g->h);
    free(g);
}

/* ---- All sides */

const app app_heat = { "heat",
                       { 90, 256, 1024, 2048 },
                       make,
                       unmake,
                       0,
                       { loop_open, loop_step, NULL, loop_read, loop_close },
                       { sheet_open, sheet_step, sheet_finish, sheet_read, sheet_close },
                       { grid_open, grid_step, grid_finish, grid_read, grid_close } };
