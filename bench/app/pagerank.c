/* SPDX-License-Identifier: BSD-3-Clause */
/* A step of PageRank, as in examples/pagerank.c: 16 drawn links to each page. */
#include "config.h"

#include "bench/app/app.h"
#include "bench/app/hand.h"

#include <string.h>

enum { LINKS = 16 };

typedef struct web {
    int64_t n, m;
    int32_t *start, *from;
    float *share, *rank;
} web;

static void *make(int64_t size, size_t *out_bytes, int64_t *out_n)
{
    web *w = app_memory(sizeof *w);
    *w = (web){ size,
                size * LINKS,
                app_memory((size_t)(size + 1) * sizeof(int32_t)),
                app_memory((size_t)(size * LINKS) * sizeof(int32_t)),
                app_memory((size_t)(size * LINKS) * sizeof(float)),
                app_memory((size_t)size * sizeof(float)) };
    for (int64_t k = 0; k < w->m; k++)
        w->from[k] = (int32_t)(app_draw(k) % size);
    for (int64_t k = 0; k < w->m; k++)
        w->share[k] = 1.0F / LINKS;
    for (int64_t i = 0; i <= size; i++)
        w->start[i] = (int32_t)(i * LINKS);
    for (int64_t i = 0; i < size; i++)
        w->rank[i] = 1;
    *out_n = size;
    *out_bytes = (size_t)(size * (2 * LINKS + 3)) * 4;
    return w;
}

static void unmake(void *data)
{
    web *w = data;
    free(w->start);
    free(w->from);
    free(w->share);
    free(w->rank);
    free(w);
}

/* ---- OpenMP */

typedef struct loop {
    const web *w;
    float *now, *next;
} loop;

static void *loop_open(const void *data, const char *devices)
{
    const web *w = data;
    size_t bytes = (size_t)w->n * sizeof(float);
    loop *l = app_memory(sizeof *l);
    (void)devices;
    *l = (loop){ w, app_memory(bytes), app_memory(bytes) };
    memcpy(l->now, w->rank, bytes);
    return l;
}

static void loop_step(void *side)
{
    loop *l = side;
    const int32_t *start = l->w->start, *from = l->w->from;
    const float *share = l->w->share, *now = l->now;
    float *next = l->next;
#pragma omp parallel for
    for (int64_t i = 0; i < l->w->n; i++) {
        float sum = 0;
        for (int32_t k = start[i]; k < start[i + 1]; k++)
            sum += share[k] * now[from[k]];
        next[i] = 0.85f * sum + 0.15f;
    }
    l->next = l->now;
    l->now = next;
}

static void loop_read(void *side, float *out)
{
    memcpy(out, ((loop *)side)->now, (size_t)((loop *)side)->w->n * sizeof *out);
}

static void loop_close(void *side)
{
    free(((loop *)side)->now);
    free(((loop *)side)->next);
    free(side);
}

/* ---- Cohort */

COHORT_ITEMS(flow, i, rows,
             (int64_t rows, int64_t m, int64_t n, const int32_t *start COHORT_SHAPE(rows + 1),
              const int32_t from[m], const float share[m], const float now[n],
              COHORT_OUT float next[rows]),
             {
                 float sum = 0;
                 for (int32_t k = start[i]; k < start[i + 1]; k++)
                     sum += share[k] * now[from[k]];
                 next[i] = 0.85f * sum + 0.15f;
             });

typedef struct graph {
    cohort_strategy *s;
    int64_t n;
    cohort_value *start, *from, *share, *now, *next;
} graph;

static void *graph_open(const void *data, const char *devices)
{
    const web *w = data;
    cohort_array offsets = COHORT_ARRAY(w->start, w->n + 1);
    graph *g = app_memory(sizeof *g);
    *g = (graph){ .s = cohort_mirrored(devices), .n = w->n };
    g->start = cohort_value_split_offsets(g->s, offsets, NULL);
    g->from = cohort_value_split_entries(g->s, COHORT_ARRAY(w->from, w->m), offsets, NULL);
    g->share = cohort_value_split_entries(g->s, COHORT_ARRAY(w->share, w->m), offsets, NULL);
    g->now = cohort_value_plain(g->s, COHORT_ARRAY(w->rank, w->n));
    g->next = cohort_value_create(g->s);
    return g;
}

static void graph_step(void *side)
{
    graph *g = side;
    cohort_run(g->s, flow, g->start, g->from, g->share, g->now, g->next,
               COHORT_NAMED(rows, COHORT_SHARE(g->n)));
    cohort_gather(g->next, 0, g->now);
}

static void graph_finish(void *side)
{
    must(cohort_wait(((graph *)side)->s) == COHORT_OK, "pages");
}

static void graph_read(void *side, float *out)
{
    graph *g = side;
    must(cohort_value_read(g->now, COHORT_ARRAY(out, g->n)) == COHORT_OK, "pages");
}

static void graph_close(void *side)
{
    cohort_strategy_destroy(((graph *)side)->s);
    free(side);
}

/* ---- OpenCL */

static const char source[] = COHORT_SOURCE(
    kernel void flow(global const int *start, global const int *from, global const float *share,
                     global const float *now, global float *next) {
        long i = get_global_id(0);
        float sum = 0;
        for (int k = start[i]; k < start[i + 1]; k++)
            sum += share[k] * now[from[k]];
        next[i] = 0.85f * sum + 0.15f;
    });

typedef struct queue {
    hand h;
    int64_t n;
    cl_kernel flow;
    cl_mem now, next;
} queue;

static void *queue_open(const void *data, const char *devices)
{
    const web *w = data;
    size_t bytes = (size_t)w->n * sizeof(float);
    queue *q = app_memory(sizeof *q);
    (void)devices;
    *q = (queue){ .h = hand_open(source), .n = w->n };
    q->flow = hand_kernel(&q->h, "flow");
    cl_mem start = hand_buffer(&q->h, (size_t)(w->n + 1) * sizeof(int32_t), w->start);
    cl_mem from = hand_buffer(&q->h, (size_t)w->m * sizeof(int32_t), w->from);
    cl_mem share = hand_buffer(&q->h, (size_t)w->m * sizeof(float), w->share);
    q->now = hand_buffer(&q->h, bytes, w->rank);
    q->next = hand_buffer(&q->h, bytes, NULL);
    HAND_ARG(q->flow, 0, start);
    HAND_ARG(q->flow, 1, from);
    HAND_ARG(q->flow, 2, share);
    return q;
}

static void queue_step(void *side)
{
    queue *q = side;
    HAND_ARG(q->flow, 3, q->now);
    HAND_ARG(q->flow, 4, q->next);
    hand_launch(&q->h, q->flow, (size_t)q->n, 1);
    cl_mem before = q->now;
    q->now = q->next;
    q->next = before;
}

static void queue_finish(void *side)
{
    hand_finish(&((queue *)side)->h);
}

static void queue_read(void *side, float *out)
{
    queue *q = side;
    hand_read(&q->h, q->now, (size_t)q->n * sizeof *out, out);
}

static void queue_close(void *side)
{
    hand_close(&((queue *)side)->h);
    free(side);
}

/* ---- All sides */

const app app_pagerank = { "PageRank",
                           { 500, 8000, 64000, 500000 },
                           make,
                           unmake,
                           0,
                           { loop_open, loop_step, NULL, loop_read, loop_close },
                           { graph_open, graph_step, graph_finish, graph_read, graph_close },
                           { queue_open, queue_step, queue_finish, queue_read, queue_close } };
