/* SPDX-License-Identifier: BSD-3-Clause */
/* A product of a sparse matrix in compressed rows by a vector: five points of a grid, float64. */
#include "config.h"

#include "bench/app/app.h"
#include "bench/app/hand.h"

typedef struct matrix {
    int64_t n, m;
    int32_t *start, *column;
    double *entry, *x;
} matrix;

static void add_entry(matrix *a, int64_t column, double entry)
{
    a->column[a->m] = (int32_t)column;
    a->entry[a->m++] = entry;
}

/* Of a grid of size * size points. */
static void *make(int64_t size, size_t *out_bytes, int64_t *out_n)
{
    matrix *a = app_memory(sizeof *a);
    a->n = size * size;
    a->start = app_memory((size_t)(a->n + 1) * sizeof(int32_t));
    a->column = app_memory((size_t)(5 * a->n) * sizeof(int32_t));
    a->entry = app_memory((size_t)(5 * a->n) * sizeof(double));
    a->x = app_memory((size_t)a->n * sizeof(double));
    for (int64_t i = 0; i < a->n; i++) {
        if (i >= size)
            add_entry(a, i - size, -1);
        if (i % size > 0)
            add_entry(a, i - 1, -1);
        add_entry(a, i, 4);
        if (i % size < size - 1)
            add_entry(a, i + 1, -1);
        if (i < a->n - size)
            add_entry(a, i + size, -1);
        a->start[i + 1] = (int32_t)a->m;
        a->x[i] = (double)app_draw(i) / (1 << 24);
    }
    *out_n = a->n;
    *out_bytes = (size_t)a->m * (sizeof(int32_t) + sizeof(double)) + 2 * (size_t)a->n * 8;
    return a;
}

static void unmake(void *data)
{
    matrix *a = data;
    free(a->start);
    free(a->column);
    free(a->entry);
    free(a->x);
    free(a);
}

/* ---- OpenMP */

typedef struct loop {
    const matrix *a;
    double *y;
} loop;

static void *loop_open(const void *data, const char *devices)
{
    loop *l = app_memory(sizeof *l);
    (void)devices;
    l->a = data;
    l->y = app_memory((size_t)l->a->n * sizeof *l->y);
    return l;
}

static void loop_step(void *side)
{
    const loop *l = side;
    const int32_t *start = l->a->start, *column = l->a->column;
    const double *entry = l->a->entry, *x = l->a->x;
    double *y = l->y;
#pragma omp parallel for
    for (int64_t i = 0; i < l->a->n; i++) {
        double sum = 0;
        for (int32_t k = start[i]; k < start[i + 1]; k++)
            sum += entry[k] * x[column[k]];
        y[i] = sum;
    }
}

static void loop_read(void *side, float *out)
{
    const loop *l = side;
    for (int64_t i = 0; i < l->a->n; i++)
        out[i] = (float)l->y[i];
}

static void loop_close(void *side)
{
    free(((loop *)side)->y);
    free(side);
}

/* ---- Cohort */

COHORT_ITEMS(multiply, i, rows,
             (int64_t rows, int64_t m, int64_t n, const int32_t *start COHORT_SHAPE(rows + 1),
              const int32_t column[m], const double entry[m], const double x[n],
              COHORT_OUT double y[rows]),
             {
                 double sum = 0;
                 for (int32_t k = start[i]; k < start[i + 1]; k++)
                     sum += entry[k] * x[column[k]];
                 y[i] = sum;
             });

typedef struct rows {
    cohort_strategy *s;
    int64_t n;
    cohort_value *start, *column, *entry, *x, *y;
} rows;

static void *rows_open(const void *data, const char *devices)
{
    const matrix *a = data;
    cohort_array offsets = COHORT_ARRAY(a->start, a->n + 1);
    rows *t = app_memory(sizeof *t);
    *t = (rows){ .s = cohort_mirrored(devices), .n = a->n };
    t->start = cohort_value_split_offsets(t->s, offsets, NULL);
    t->column = cohort_value_split_entries(t->s, COHORT_ARRAY(a->column, a->m), offsets, NULL);
    t->entry = cohort_value_split_entries(t->s, COHORT_ARRAY(a->entry, a->m), offsets, NULL);
    t->x = cohort_value_plain(t->s, COHORT_ARRAY(a->x, a->n));
    t->y = cohort_value_create(t->s);
    return t;
}

static void rows_step(void *side)
{
    rows *t = side;
    cohort_run(t->s, multiply, t->start, t->column, t->entry, t->x, t->y,
               COHORT_NAMED(rows, COHORT_SHARE(t->n)));
}

static void rows_finish(void *side)
{
    must(cohort_wait(((rows *)side)->s) == COHORT_OK, "a product");
}

static void rows_read(void *side, float *out)
{
    rows *t = side;
    double *y = app_memory((size_t)t->n * sizeof *y);
    must(cohort_value_read(t->y, COHORT_ARRAY(y, t->n)) == COHORT_OK, "a product");
    for (int64_t i = 0; i < t->n; i++)
        out[i] = (float)y[i];
    free(y);
}

static void rows_close(void *side)
{
    cohort_strategy_destroy(((rows *)side)->s);
    free(side);
}

/* ---- OpenCL */

static const char source[] = COHORT_SOURCE(
    kernel void multiply(global const int *start, global const int *column,
                         global const double *entry, global const double *x, global double *y) {
        long i = get_global_id(0);
        double sum = 0;
        for (int k = start[i]; k < start[i + 1]; k++)
            sum += entry[k] * x[column[k]];
        y[i] = sum;
    });

typedef struct queue {
    hand h;
    int64_t n;
    cl_kernel multiply;
    cl_mem y;
} queue;

static void *queue_open(const void *data, const char *devices)
{
    const matrix *a = data;
    queue *q = app_memory(sizeof *q);
    (void)devices;
    *q = (queue){ .h = hand_open(source), .n = a->n };
    q->multiply = hand_kernel(&q->h, "multiply");
    cl_mem start = hand_buffer(&q->h, (size_t)(a->n + 1) * sizeof(int32_t), a->start);
    cl_mem column = hand_buffer(&q->h, (size_t)a->m * sizeof(int32_t), a->column);
    cl_mem entry = hand_buffer(&q->h, (size_t)a->m * sizeof(double), a->entry);
    cl_mem x = hand_buffer(&q->h, (size_t)a->n * sizeof(double), a->x);
    q->y = hand_buffer(&q->h, (size_t)a->n * sizeof(double), NULL);
    HAND_ARG(q->multiply, 0, start);
    HAND_ARG(q->multiply, 1, column);
    HAND_ARG(q->multiply, 2, entry);
    HAND_ARG(q->multiply, 3, x);
    HAND_ARG(q->multiply, 4, q->y);
    return q;
}

static void queue_step(void *side)
{
    queue *q = side;
    hand_launch(&q->h, q->multiply, (size_t)q->n, 1);
}

static void queue_finish(void *side)
{
    hand_finish(&((queue *)side)->h);
}

static void queue_read(void *side, float *out)
{
    queue *q = side;
    double *y = app_memory((size_t)q->n * sizeof *y);
    hand_read(&q->h, q->y, (size_t)q->n * sizeof *y, y);
    for (int64_t i = 0; i < q->n; i++)
        out[i] = (float)y[i];
    free(y);
}

static void queue_close(void *side)
{
    hand_close(&((queue *)side)->h);
    free(side);
}

/* ---- All sides */

const app app_csr = { "CSR product",
                      { 30, 120, 470, 1300 },
                      make,
                      unmake,
                      0,
                      { loop_open, loop_step, NULL, loop_read, loop_close },
                      { rows_open, rows_step, rows_finish, rows_read, rows_close },
                      { queue_open, queue_step, queue_finish, queue_read, queue_close } };
