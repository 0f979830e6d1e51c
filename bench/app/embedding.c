/* SPDX-License-Identifier: BSD-3-Clause */
/* A step of learning vectors of 64 numbers from 4,096 pairs, as in examples/embedding.c: rows of a
 * table are read by ids, and what they are to change by is subtracted. */
#include "config.h"

#include "bench/app/app.h"
#include "bench/app/hand.h"

#include <cohort/math.h>

#include <string.h>

enum { AXES = 64, PAIRS = 4096 };

typedef struct pairs {
    int64_t rows;
    int64_t left[PAIRS], right[PAIRS];
    float label[PAIRS], *table;
} pairs;

static const float rate = 0.1F;

static void *make(int64_t size, size_t *out_bytes, int64_t *out_n)
{
    pairs *p = app_memory(sizeof *p);
    p->rows = size;
    p->table = app_memory((size_t)(size * AXES) * sizeof(float));
    for (int64_t i = 0; i < size * AXES; i++)
        p->table[i] = (float)app_draw(i) / (1 << 25) - 0.25F;
    for (int i = 0; i < PAIRS; i++) {
        p->left[i] = app_draw(2 * i) % size;
        p->right[i] = app_draw(2 * i + 1) % size;
        p->label[i] = (float)(i % 2);
    }
    *out_n = size * AXES;
    *out_bytes = (size_t)*out_n * sizeof(float);
    return p;
}

static void unmake(void *data)
{
    free(((pairs *)data)->table);
    free(data);
}

/* ---- OpenMP: gradients by pairs, then each thread has a part of the table. */

typedef struct loop {
    const pairs *p;
    float *table, *da, *db;
} loop;

static void *loop_open(const void *data, const char *devices)
{
    const pairs *p = data;
    size_t bytes = (size_t)(p->rows * AXES) * sizeof(float);
    loop *l = app_memory(sizeof *l);
    (void)devices;
    *l = (loop){ p, app_memory(bytes), app_memory(PAIRS * AXES * sizeof(float)),
                 app_memory(PAIRS * AXES * sizeof(float)) };
    memcpy(l->table, p->table, bytes);
    return l;
}

static void learn_pair(const float *restrict a, const float *restrict b, float label,
                       float *restrict da, float *restrict db)
{
    float product = 0;
    for (int j = 0; j < AXES; j++)
        product += a[j] * b[j];
    float off = rate * (1 / (1 + cohort_expf(-product)) - label);
    for (int j = 0; j < AXES; j++) {
        da[j] = off * b[j];
        db[j] = off * a[j];
    }
}

static void subtract_rows(float *table, int64_t first, int64_t end, const int64_t ids[PAIRS],
                          const float *rows)
{
    for (int i = 0; i < PAIRS; i++)
        if (ids[i] >= first && ids[i] < end)
#pragma omp simd
            for (int j = 0; j < AXES; j++)
                table[ids[i] * AXES + j] -= rows[i * AXES + j];
}

static void loop_step(void *side)
{
    loop *l = side;
    const pairs *p = l->p;
    const int64_t half = (p->rows + 1) / 2;
#pragma omp parallel
    {
#pragma omp for
        for (int i = 0; i < PAIRS; i++)
            learn_pair(l->table + p->left[i] * AXES, l->table + p->right[i] * AXES, p->label[i],
                       l->da + i * AXES, l->db + i * AXES);
#pragma omp for
        for (int k = 0; k < 2; k++) {
            subtract_rows(l->table, k * half, (k + 1) * half, p->left, l->da);
            subtract_rows(l->table, k * half, (k + 1) * half, p->right, l->db);
        }
    }
}

static void loop_read(void *side, float *out)
{
    const loop *l = side;
    memcpy(out, l->table, (size_t)(l->p->rows * AXES) * sizeof *out);
}

static void loop_close(void *side)
{
    loop *l = side;
    free(l->table);
    free(l->da);
    free(l->db);
    free(l);
}

/* ---- Cohort */

COHORT_ITEMS(learn, i, n,
             (int64_t n, int64_t d, float rate, const float *a COHORT_SHAPE(n, d),
              const float *b COHORT_SHAPE(n, d), const float label[n],
              COHORT_OUT float *da COHORT_SHAPE(n, d), COHORT_OUT float *db COHORT_SHAPE(n, d)),
             {
                 float product = 0;
                 for (int64_t j = i * d; j < (i + 1) * d; j++)
                     product += a[j] * b[j];
                 float off = rate * (1 / (1 + cohort_expf(-product)) - label[i]);
                 for (int64_t j = i * d; j < (i + 1) * d; j++) {
                     da[j] = off * b[j];
                     db[j] = off * a[j];
                 }
             });

typedef struct model {
    cohort_strategy *s;
    int64_t rows;
    cohort_variable *table;
    cohort_value *left, *right, *label, *a, *b, *da, *db;
} model;

static void *model_open(const void *data, const char *devices)
{
    const pairs *p = data;
    model *m = app_memory(sizeof *m);
    *m = (model){ .s = cohort_mirrored(devices), .rows = p->rows };
    m->table = cohort_variable_create(m->s, "table", COHORT_ARRAY(p->table, p->rows, AXES), NULL);
    m->left = cohort_value_split(m->s, COHORT_ARRAY(p->left, PAIRS));
    m->right = cohort_value_split(m->s, COHORT_ARRAY(p->right, PAIRS));
    m->label = cohort_value_split(m->s, COHORT_ARRAY(p->label, PAIRS));
    cohort_value **const made[] = { &m->a, &m->b, &m->da, &m->db };
    for (int i = 0; i < 4; i++)
        *made[i] = cohort_value_create(m->s);
    return m;
}

static void model_step(void *side)
{
    model *m = side;
    cohort_variable_gather(m->table, m->left, m->a);
    cohort_variable_gather(m->table, m->right, m->b);
    cohort_run(m->s, learn, rate, m->a, m->b, m->label, m->da, m->db);
    cohort_variable_scatter_sub(m->table, m->left, m->da);
    cohort_variable_scatter_sub(m->table, m->right, m->db);
}

static void model_finish(void *side)
{
    must(cohort_wait(((model *)side)->s) == COHORT_OK, "vectors");
}

static void model_read(void *side, float *out)
{
    model *m = side;
    must(cohort_variable_read(m->table, COHORT_ARRAY(out, m->rows, AXES)) == COHORT_OK, "vectors");
}

static void model_close(void *side)
{
    cohort_strategy_destroy(((model *)side)->s);
    free(side);
}

/* ---- OpenCL: as the loop, with eight parts of the table by four vectors of a row. */

static const char source[] = COHORT_SOURCE(
    kernel void learn(float rate, global const float *table, global const long *left,
                      global const long *right, global const float *label, global float *da,
                      global float *db) {
        long i = get_global_id(0);
        global const float *a = table + 64 * left[i];
        global const float *b = table + 64 * right[i];
        float product = 0;
        for (int j = 0; j < 64; j++)
            product += a[j] * b[j];
        float off = rate * (1 / (1 + exp(-product)) - label[i]);
        for (int j = 0; j < 4; j++) {
            vstore16(off * vload16(j, b), j, da + 64 * i);
            vstore16(off * vload16(j, a), j, db + 64 * i);
        }
    } kernel void subtract(long n, global float *table, global const long *ids,
                           global const float *rows) {
        for (long i = 0; i < n; i++)
            if (ids[i] % 8 == get_global_id(1)) {
                long at = 4 * ids[i] + get_global_id(0);
                vstore16(vload16(at, table) - vload16(4 * i + get_global_id(0), rows), at, table);
            }
    });

typedef struct queue {
    hand h;
    int64_t rows;
    cl_kernel learn, subtract[2];
    cl_mem table;
} queue;

static void *queue_open(const void *data, const char *devices)
{
    const pairs *p = data;
    const int64_t n = PAIRS;
    queue *q = app_memory(sizeof *q);
    (void)devices;
    *q = (queue){ .h = hand_open(source), .rows = p->rows };
    q->learn = hand_kernel(&q->h, "learn");
    q->table = hand_buffer(&q->h, (size_t)(p->rows * AXES) * sizeof(float), p->table);
    cl_mem ids[2] = { hand_buffer(&q->h, sizeof p->left, p->left),
                      hand_buffer(&q->h, sizeof p->right, p->right) };
    cl_mem label = hand_buffer(&q->h, sizeof p->label, p->label);
    HAND_ARG(q->learn, 0, rate);
    HAND_ARG(q->learn, 1, q->table);
    HAND_ARG(q->learn, 4, label);
    for (int k = 0; k < 2; k++) {
        cl_mem off = hand_buffer(&q->h, PAIRS * AXES * sizeof(float), NULL);
        HAND_ARG(q->learn, 2 + k, ids[k]);
        HAND_ARG(q->learn, 5 + k, off);
        q->subtract[k] = hand_kernel(&q->h, "subtract");
        HAND_ARG(q->subtract[k], 0, n);
        HAND_ARG(q->subtract[k], 1, q->table);
        HAND_ARG(q->subtract[k], 2, ids[k]);
        HAND_ARG(q->subtract[k], 3, off);
    }
    return q;
}

static void queue_step(void *side)
{
    queue *q = side;
    hand_launch(&q->h, q->learn, PAIRS, 1);
    hand_launch(&q->h, q->subtract[0], 4, 8);
    hand_launch(&q->h, q->subtract[1], 4, 8);
}

static void queue_finish(void *side)
{
    hand_finish(&((queue *)side)->h);
}

static void queue_read(void *side, float *out)
{
    queue *q = side;
    hand_read(&q->h, q->table, (size_t)(q->rows * AXES) * sizeof *out, out);
}

static void queue_close(void *side)
{
    hand_close(&((queue *)side)->h);
    free(side);
}

/* ---- All sides */

const app app_embedding = { "embedding",
                            { 1000, 10000, 100000 },
                            make,
                            unmake,
                            1e-5,
                            { loop_open, loop_step, NULL, loop_read, loop_close },
                            { model_open, model_step, model_finish, model_read, model_close },
                            { queue_open, queue_step, queue_finish, queue_read, queue_close } };
