/* SPDX-License-Identifier: BSD-3-Clause */
/* How often each byte stands in a text. */
#include "config.h"

#include "bench/app/app.h"
#include "bench/app/hand.h"

#include <string.h>

enum { BINS = 256 };

typedef struct text {
    int64_t n;
    uint8_t *bytes;
} text;

static void *make(int64_t size, size_t *out_bytes, int64_t *out_n)
{
    text *t = app_memory(sizeof *t);
    *t = (text){ size, app_memory((size_t)size) };
    for (int64_t i = 0; i < size; i++)
        t->bytes[i] = (uint8_t)(app_draw(i) % 96 + 32);
    *out_n = BINS;
    *out_bytes = (size_t)size;
    return t;
}

static void unmake(void *data)
{
    free(((text *)data)->bytes);
    free(data);
}

/* ---- OpenMP: four tables a thread, so that the same byte again does not wait for itself. */

typedef struct loop {
    const text *t;
    int32_t hits[4 * BINS];
} loop;

static void *loop_open(const void *data, const char *devices)
{
    loop *l = app_memory(sizeof *l);
    (void)devices;
    l->t = data;
    return l;
}

static void loop_step(void *side)
{
    loop *l = side;
    const uint8_t *x = l->t->bytes;
    const int64_t n = l->t->n;
    int32_t hits[4 * BINS] = { 0 };
#pragma omp parallel for reduction(+ : hits)
    for (int64_t i = 0; i < n / 4; i++) {
        hits[x[4 * i]]++;
        hits[BINS + x[4 * i + 1]]++;
        hits[2 * BINS + x[4 * i + 2]]++;
        hits[3 * BINS + x[4 * i + 3]]++;
    }
    for (int64_t i = n / 4 * 4; i < n; i++)
        hits[x[i]]++;
    memcpy(l->hits, hits, sizeof hits);
}

static void loop_read(void *side, float *out)
{
    for (int b = 0; b < BINS; b++) {
        out[b] = 0;
        for (int k = 0; k < 4; k++)
            out[b] += (float)((loop *)side)->hits[k * BINS + b];
    }
}

/* ---- Cohort: an item is four bytes, which have four tables. */

COHORT_ITEMS_ARRAY_SUMS(count, i, n / 4, (int64_t n, const uint8_t x[n]),
                        ((COHORT_SUM, int32_t, hits, 4, 256)), {
                            for (int64_t k = 4 * i; k < n && n < 4 * i + 4; k++)
                                hits[x[k]]++;
                            if (n < 4 * i + 4)
                                continue;
                            hits[x[4 * i]]++;
                            hits[256 + x[4 * i + 1]]++;
                            hits[512 + x[4 * i + 2]]++;
                            hits[768 + x[4 * i + 3]]++;
                        });

typedef struct page {
    cohort_strategy *s;
    cohort_value *bytes, *blocks, *hits;
} page;

static void *page_open(const void *data, const char *devices)
{
    const text *t = data;
    page *p = app_memory(sizeof *p);
    p->s = cohort_mirrored(devices);
    p->bytes = cohort_value_split(p->s, COHORT_ARRAY(t->bytes, t->n));
    p->blocks = cohort_value_create(p->s);
    p->hits = cohort_value_create(p->s);
    return p;
}

static void page_step(void *side)
{
    page *p = side;
    cohort_run(p->s, count, p->bytes, p->blocks);
    cohort_reduce(COHORT_SUM, p->blocks, 0, p->hits);
}

static void page_finish(void *side)
{
    must(cohort_wait(((page *)side)->s) == COHORT_OK, "counts");
}

static void page_read(void *side, float *out)
{
    int32_t hits[4][BINS];
    must(cohort_value_read(((page *)side)->hits, COHORT_ARRAY(hits[0], 4, BINS)) == COHORT_OK,
         "counts");
    for (int b = 0; b < BINS; b++)
        out[b] = (float)(hits[0][b] + hits[1][b] + hits[2][b] + hits[3][b]);
}

static void page_close(void *side)
{
    cohort_strategy_destroy(((page *)side)->s);
    free(side);
}

/* ---- OpenCL: an item does a part with tables of its own; then items add up what each has. */

static const char source[] = COHORT_SOURCE(
    kernel void count(long n, long length, global const uchar *x, global int *parts) {
        int hits[4 * 256];
        long first = length * get_global_id(0);
        for (int b = 0; b < 4 * 256; b++)
            hits[b] = 0;
        for (long i = first; i < n && i < first + length; i += 4) {
            hits[x[i]]++;
            hits[256 + x[i + 1]]++;
            hits[512 + x[i + 2]]++;
            hits[768 + x[i + 3]]++;
        }
        for (int b = 0; b < 256; b++)
            parts[get_global_id(0) * 256 + b] =
                hits[b] + hits[256 + b] + hits[512 + b] + hits[768 + b];
    } kernel void add(long n, global const int *parts, global int *hits) {
        int sum = 0;
        for (long k = 0; k < n; k++)
            sum += parts[k * 256 + get_global_id(0)];
        hits[get_global_id(0)] = sum;
    });

typedef struct queue {
    hand h;
    cl_kernel count, add;
    cl_mem hits;
} queue;

static const int64_t parts = 16;

static void *queue_open(const void *data, const char *devices)
{
    const text *t = data;
    const int64_t length = (t->n / parts + 3) / 4 * 4;
    queue *q = app_memory(sizeof *q);
    (void)devices;
    *q = (queue){ .h = hand_open(source) };
    q->count = hand_kernel(&q->h, "count");
    q->add = hand_kernel(&q->h, "add");
    cl_mem bytes = hand_buffer(&q->h, (size_t)t->n, t->bytes);
    cl_mem tables = hand_buffer(&q->h, (size_t)parts * BINS * sizeof(int32_t), NULL);
    q->hits = hand_buffer(&q->h, BINS * sizeof(int32_t), NULL);
    HAND_ARG(q->count, 0, t->n);
    HAND_ARG(q->count, 1, length);
    HAND_ARG(q->count, 2, bytes);
    HAND_ARG(q->count, 3, tables);
    HAND_ARG(q->add, 0, parts);
    HAND_ARG(q->add, 1, tables);
    HAND_ARG(q->add, 2, q->hits);
    return q;
}

static void queue_step(void *side)
{
    queue *q = side;
    hand_launch(&q->h, q->count, (size_t)parts, 1);
    hand_launch(&q->h, q->add, BINS, 1);
}

static void queue_finish(void *side)
{
    hand_finish(&((queue *)side)->h);
}

static void queue_read(void *side, float *out)
{
    int32_t hits[BINS];
    hand_read(&((queue *)side)->h, ((queue *)side)->hits, sizeof hits, hits);
    for (int b = 0; b < BINS; b++)
        out[b] = (float)hits[b];
}

static void queue_close(void *side)
{
    hand_close(&((queue *)side)->h);
    free(side);
}

/* ---- All sides */

const app app_histogram = { "histogram",
                            { 1 << 16, 1 << 20, 1 << 24, 1 << 26 },
                            make,
                            unmake,
                            0,
                            { loop_open, loop_step, NULL, loop_read, free },
                            { page_open, page_step, page_finish, page_read, page_close },
                            { queue_open, queue_step, queue_finish, queue_read, queue_close } };
