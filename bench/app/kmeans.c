/* SPDX-License-Identifier: BSD-3-Clause */
/* A step of Lloyd's k-means: 8 centres of 16 coordinates. */
#include "config.h"

#include "bench/app/app.h"
#include "bench/app/hand.h"

#include <math.h>
#include <string.h>

#define AXES 16
#define CENTRES 8

typedef struct points {
    int64_t n;
    float *x, centres[CENTRES * AXES];
} points;

static void *make(int64_t size, size_t *out_bytes, int64_t *out_n)
{
    points *p = app_memory(sizeof *p);
    p->n = size;
    p->x = app_memory((size_t)(size * AXES) * sizeof(float));
    for (int64_t i = 0; i < size * AXES; i++)
        p->x[i] = (float)app_draw(i) / (1 << 24) + (float)(i / AXES % CENTRES == i % AXES);
    for (int c = 0; c < CENTRES; c++)
        for (int j = 0; j < AXES; j++)
            p->centres[c * AXES + j] = p->x[c * AXES + j];
    *out_n = CENTRES * AXES;
    *out_bytes = (size_t)(size * AXES) * sizeof(float);
    return p;
}

static void unmake(void *data)
{
    free(((points *)data)->x);
    free(data);
}

/* ---- OpenMP: distances to all centres at once, each in a lane. */

typedef struct loop {
    const points *p;
    float centres[CENTRES * AXES];
} loop;

static void *loop_open(const void *data, const char *devices)
{
    loop *l = app_memory(sizeof *l);
    (void)devices;
    l->p = data;
    memcpy(l->centres, l->p->centres, sizeof l->centres);
    return l;
}

static inline int nearest(const float x[AXES], float turned[AXES][CENTRES])
{
    float square[CENTRES] = { 0 }, least = INFINITY;
    int best = 0;
    for (int j = 0; j < AXES; j++)
#pragma omp simd
        for (int c = 0; c < CENTRES; c++)
            square[c] += (x[j] - turned[j][c]) * (x[j] - turned[j][c]);
    for (int c = 0; c < CENTRES; c++) {
        best = square[c] < least ? c : best;
        least = square[c] < least ? square[c] : least;
    }
    return best;
}

static void loop_step(void *side)
{
    loop *l = side;
    float turned[AXES][CENTRES], sum[CENTRES * AXES] = { 0 }, number[CENTRES] = { 0 };
    const float *x = l->p->x;
    for (int at = 0; at < CENTRES * AXES; at++)
        turned[at % AXES][at / AXES] = l->centres[at];
#pragma omp parallel for reduction(+ : sum, number)
    for (int64_t i = 0; i < l->p->n; i++) {
        int best = nearest(x + i * AXES, turned);
        for (int j = 0; j < AXES; j++)
            sum[best * AXES + j] += x[i * AXES + j];
        number[best]++;
    }
    for (int at = 0; at < CENTRES * AXES; at++)
        l->centres[at] = number[at / AXES] > 0 ? sum[at] / number[at / AXES] : l->centres[at];
}

static void loop_read(void *side, float *out)
{
    memcpy(out, ((loop *)side)->centres, CENTRES * AXES * sizeof *out);
}

/* ---- Cohort: centres stand turned, so that distances to all of them are a vector. */

COHORT_ITEMS_ARRAY_SUMS(assign, i, n,
                        (int64_t n, const float *x COHORT_SHAPE(n, 16),
                         const float *turned COHORT_SHAPE(16, 8)),
                        ((COHORT_SUM, float, sum, 8, 16), (COHORT_SUM, float, number, 8)), {
                            float square[CENTRES];
                            float least = INFINITY;
                            int best = 0;
                            for (int c = 0; c < CENTRES; c++) {
                                float sum_of_axes = 0;
                                for (int j = 0; j < AXES; j++) {
                                    float off = x[i * AXES + j] - turned[j * CENTRES + c];
                                    sum_of_axes += off * off;
                                }
                                square[c] = sum_of_axes;
                            }
                            for (int c = 0; c < CENTRES; c++) {
                                best = square[c] < least ? c : best;
                                least = square[c] < least ? square[c] : least;
                            }
                            for (int j = 0; j < AXES; j++)
                                sum[best * AXES + j] += x[i * AXES + j];
                            number[best] += 1;
                        });
COHORT_ITEMS_2D(move, j, d, c, k,
                (int64_t d, int64_t k, const float *sum COHORT_SHAPE(k, d), const float number[k],
                 float *turned COHORT_SHAPE(d, k)),
                {
                    turned[j * k + c] =
                        number[c] > 0 ? sum[c * d + j] / number[c] : turned[j * k + c];
                });

typedef struct field {
    cohort_strategy *s;
    cohort_value *x, *sums, *numbers, *sum, *number;
    cohort_variable *turned;
} field;

static void *field_open(const void *data, const char *devices)
{
    const points *p = data;
    float turned[AXES * CENTRES];
    field *t = app_memory(sizeof *t);
    t->s = cohort_mirrored(devices);
    for (int at = 0; at < CENTRES * AXES; at++)
        turned[at % AXES * CENTRES + at / AXES] = p->centres[at];
    t->x = cohort_value_split(t->s, COHORT_ARRAY(p->x, p->n, AXES));
    t->turned = cohort_variable_create(t->s, "centres", COHORT_ARRAY(turned, AXES, CENTRES), NULL);
    t->sums = cohort_value_create(t->s);
    t->numbers = cohort_value_create(t->s);
    t->sum = cohort_value_create(t->s);
    t->number = cohort_value_create(t->s);
    return t;
}

static void field_step(void *side)
{
    field *t = side;
    cohort_run(t->s, assign, t->x, t->turned, t->sums, t->numbers);
    cohort_reduce(COHORT_SUM, t->sums, 0, t->sum);
    cohort_reduce(COHORT_SUM, t->numbers, 0, t->number);
    cohort_update(t->turned, move, t->sum, t->number, t->turned);
}

static void field_finish(void *side)
{
    must(cohort_wait(((field *)side)->s) == COHORT_OK, "k-means");
}

static void field_read(void *side, float *out)
{
    float turned[AXES * CENTRES];
    cohort_array view = COHORT_ARRAY(turned, AXES, CENTRES);
    must(cohort_variable_read(((field *)side)->turned, view) == COHORT_OK, "k-means");
    for (int at = 0; at < CENTRES * AXES; at++)
        out[at] = turned[at % AXES * CENTRES + at / AXES];
}

static void field_close(void *side)
{
    cohort_strategy_destroy(((field *)side)->s);
    free(side);
}

/* ---- OpenCL: an item does 1,024 points; then one adds up what each has. */

static const char source[] = COHORT_SOURCE(
    kernel void assign(long n, global const float *x, constant float *turned, global float *parts) {
        float sum[8 * 17];
        long g = get_global_id(0);
        for (int at = 0; at < 8 * 17; at++)
            sum[at] = 0;
        for (long i = 1024 * g; i < n && i < 1024 * (g + 1); i++) {
            float8 square = 0;
            for (int j = 0; j < 16; j++) {
                float8 off = x[i * 16 + j] - vload8(j, turned);
                square += off * off;
            }
            float of[8];
            float least = INFINITY;
            int best = 0;
            vstore8(square, 0, of);
            for (int c = 0; c < 8; c++) {
                best = of[c] < least ? c : best;
                least = of[c] < least ? of[c] : least;
            }
            for (int j = 0; j < 16; j++)
                sum[best * 17 + j] += x[i * 16 + j];
            sum[best * 17 + 16] += 1;
        }
        for (int at = 0; at < 8 * 17; at++)
            parts[g * 8 * 17 + at] = sum[at];
    } kernel void move(long n, global const float *parts, global float *turned) {
        int c = get_global_id(0);
        float sum[17];
        for (int j = 0; j < 17; j++)
            sum[j] = 0;
        for (long g = 0; g < n; g++)
            for (int j = 0; j < 17; j++)
                sum[j] += parts[g * 8 * 17 + c * 17 + j];
        for (int j = 0; j < 16; j++)
            turned[j * 8 + c] = sum[16] > 0 ? sum[j] / sum[16] : turned[j * 8 + c];
    });

typedef struct queue {
    hand h;
    int64_t parts;
    cl_kernel assign, move;
    cl_mem turned;
} queue;

static void *queue_open(const void *data, const char *devices)
{
    const points *p = data;
    float turned[AXES * CENTRES];
    queue *q = app_memory(sizeof *q);
    (void)devices;
    for (int at = 0; at < CENTRES * AXES; at++)
        turned[at % AXES * CENTRES + at / AXES] = p->centres[at];
    *q = (queue){ .h = hand_open(source), .parts = (p->n + 1023) / 1024 };
    q->assign = hand_kernel(&q->h, "assign");
    q->move = hand_kernel(&q->h, "move");
    cl_mem x = hand_buffer(&q->h, (size_t)(p->n * AXES) * sizeof(float), p->x);
    cl_mem parts = hand_buffer(&q->h, (size_t)q->parts * 8 * 17 * sizeof(float), NULL);
    q->turned = hand_buffer(&q->h, sizeof turned, turned);
    HAND_ARG(q->assign, 0, p->n);
    HAND_ARG(q->assign, 1, x);
    HAND_ARG(q->assign, 2, q->turned);
    HAND_ARG(q->assign, 3, parts);
    HAND_ARG(q->move, 0, q->parts);
    HAND_ARG(q->move, 1, parts);
    HAND_ARG(q->move, 2, q->turned);
    return q;
}

static void queue_step(void *side)
{
    queue *q = side;
    hand_launch(&q->h, q->assign, (size_t)q->parts, 1);
    hand_launch(&q->h, q->move, CENTRES, 1);
}

static void queue_finish(void *side)
{
    hand_finish(&((queue *)side)->h);
}

static void queue_read(void *side, float *out)
{
    float turned[AXES * CENTRES];
    hand_read(&((queue *)side)->h, ((queue *)side)->turned, sizeof turned, turned);
    for (int at = 0; at < CENTRES * AXES; at++)
        out[at] = turned[at % AXES * CENTRES + at / AXES];
}

static void queue_close(void *side)
{
    hand_close(&((queue *)side)->h);
    free(side);
}

/* ---- All sides */

const app app_kmeans = { "k-means",
                         { 1 << 10, 1 << 14, 1 << 18, 1 << 20 },
                         make,
                         unmake,
                         1e-3,
                         { loop_open, loop_step, NULL, loop_read, free },
                         { field_open, field_step, field_finish, field_read, field_close },
                         { queue_open, queue_step, queue_finish, queue_read, queue_close } };
