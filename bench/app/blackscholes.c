/* SPDX-License-Identifier: BSD-3-Clause */
/* Prices of European options by the formula of Black and Scholes, as in examples/blackscholes.c. */
#include "config.h"

#include "bench/app/app.h"
#include "bench/app/hand.h"

#include <cohort/math.h>

#include <math.h>
#include <string.h>

typedef struct market {
    int64_t n;
    float *strike;
} market;

static const float spot = 100, rate = 0.05F, sigma = 0.2F, years = 1;

static void *make(int64_t size, size_t *out_bytes, int64_t *out_n)
{
    market *m = app_memory(sizeof *m);
    *m = (market){ size, app_memory((size_t)size * sizeof(float)) };
    for (int64_t i = 0; i < size; i++)
        m->strike[i] = 50 + 100 * (float)i / (float)size;
    *out_n = 2 * size;
    *out_bytes = 3 * (size_t)size * sizeof(float);
    return m;
}

static void unmake(void *data)
{
    free(((market *)data)->strike);
    free(data);
}

/* ---- OpenMP: cohort_expf and cohort_logf become vector code in a loop, those of libm do not. */

typedef struct loop {
    const market *m;
    float *call, *put;
} loop;

static void *loop_open(const void *data, const char *devices)
{
    const market *m = data;
    loop *l = app_memory(sizeof *l);
    (void)devices;
    *l = (loop){ m, app_memory((size_t)m->n * 4), app_memory((size_t)m->n * 4) };
    return l;
}

static inline float below(float d)
{
    float x = d < 0 ? -d : d;
    float u = 1 / (1 + 0.2316419f * x);
    float sum = 1.781477937f + u * (-1.821255978f + u * 1.330274429f);
    float tail = u * (0.319381530f + u * (-0.356563782f + u * sum));
    tail = tail * 0.39894228f * cohort_expf(-x * x / 2);
    return d < 0 ? tail : 1 - tail;
}

static void loop_step(void *side)
{
    loop *l = side;
    const float *strike = l->m->strike;
    float *call = l->call, *put = l->put;
    const float deviation = sigma * sqrtf(years), discount = cohort_expf(-rate * years);
#pragma omp parallel for simd
    for (int64_t i = 0; i < l->m->n; i++) {
        float d = (cohort_logf(spot / strike[i]) + (rate + sigma * sigma / 2) * years) / deviation;
        float later = strike[i] * discount;
        call[i] = spot * below(d) - later * below(d - deviation);
        put[i] = call[i] + later - spot;
    }
}

static void loop_read(void *side, float *out)
{
    const loop *l = side;
    memcpy(out, l->call, (size_t)l->m->n * sizeof *out);
    memcpy(out + l->m->n, l->put, (size_t)l->m->n * sizeof *out);
}

static void loop_close(void *side)
{
    loop *l = side;
    free(l->call);
    free(l->put);
    free(l);
}

/* ---- Cohort */

COHORT_HELPER(float, chance, (float d), {
    float x = d < 0 ? -d : d;
    float u = 1 / (1 + 0.2316419f * x);
    float sum = 1.781477937f + u * (-1.821255978f + u * 1.330274429f);
    float tail = u * (0.319381530f + u * (-0.356563782f + u * sum));
    tail = tail * 0.39894228f * cohort_expf(-x * x / 2);
    return d < 0 ? tail : 1 - tail;
});
COHORT_ITEMS(price, i, n,
             (int64_t n, float s, float r, float sigma, float t, const float strike[n],
              COHORT_OUT float call[n], COHORT_OUT float put[n]),
             {
                 float deviation = sigma * sqrtf(t);
                 float d = (cohort_logf(s / strike[i]) + (r + sigma * sigma / 2) * t) / deviation;
                 float later = strike[i] * cohort_expf(-r * t);
                 call[i] = s * chance(d) - later * chance(d - deviation);
                 put[i] = call[i] + later - s;
             });

typedef struct desk {
    cohort_strategy *s;
    int64_t n;
    cohort_value *strike, *call, *put;
} desk;

static void *desk_open(const void *data, const char *devices)
{
    const market *m = data;
    desk *t = app_memory(sizeof *t);
    *t = (desk){ .s = cohort_mirrored(devices), .n = m->n };
    t->strike = cohort_value_split(t->s, COHORT_ARRAY(m->strike, m->n));
    t->call = cohort_value_create(t->s);
    t->put = cohort_value_create(t->s);
    return t;
}

static void desk_step(void *side)
{
    desk *t = side;
    cohort_run(t->s, price, spot, rate, sigma, years, t->strike, t->call, t->put);
}

static void desk_finish(void *side)
{
    must(cohort_wait(((desk *)side)->s) == COHORT_OK, "prices");
}

static void desk_read(void *side, float *out)
{
    desk *t = side;
    must(cohort_value_read(t->call, COHORT_ARRAY(out, t->n)) == COHORT_OK &&
             cohort_value_read(t->put, COHORT_ARRAY(out + t->n, t->n)) == COHORT_OK,
         "prices");
}

static void desk_close(void *side)
{
    cohort_strategy_destroy(((desk *)side)->s);
    free(side);
}

/* ---- OpenCL: exp and log are those of the device. */

static const char text[] = COHORT_SOURCE(
    float below(float d) {
        float x = d < 0 ? -d : d;
        float u = 1 / (1 + 0.2316419f * x);
        float sum = 1.781477937f + u * (-1.821255978f + u * 1.330274429f);
        float tail = u * (0.319381530f + u * (-0.356563782f + u * sum));
        tail = tail * 0.39894228f * exp(-x * x / 2);
        return d < 0 ? tail : 1 - tail;
    } kernel void price(float s, float r, float sigma, float t, global const float *strike,
                        global float *call, global float *put) {
        long i = get_global_id(0);
        float deviation = sigma * sqrt(t);
        float d = (log(s / strike[i]) + (r + sigma * sigma / 2) * t) / deviation;
        float later = strike[i] * exp(-r * t);
        call[i] = s * below(d) - later * below(d - deviation);
        put[i] = call[i] + later - s;
    });

typedef struct queue {
    hand h;
    int64_t n;
    cl_kernel price;
    cl_mem call, put;
} queue;

static void *queue_open(const void *data, const char *devices)
{
    const market *m = data;
    size_t bytes = (size_t)m->n * sizeof(float);
    queue *q = app_memory(sizeof *q);
    (void)devices;
    *q = (queue){ .h = hand_open(text), .n = m->n };
    q->price = hand_kernel(&q->h, "price");
    cl_mem strike = hand_buffer(&q->h, bytes, m->strike);
    q->call = hand_buffer(&q->h, bytes, NULL);
    q->put = hand_buffer(&q->h, bytes, NULL);
    HAND_ARG(q->price, 0, spot);
    HAND_ARG(q->price, 1, rate);
    HAND_ARG(q->price, 2, sigma);
    HAND_ARG(q->price, 3, years);
    HAND_ARG(q->price, 4, strike);
    HAND_ARG(q->price, 5, q->call);
    HAND_ARG(q->price, 6, q->put);
    return q;
}

static void queue_step(void *side)
{
    queue *q = side;
    hand_launch(&q->h, q->price, (size_t)q->n, 1);
}

static void queue_finish(void *side)
{
    hand_finish(&((queue *)side)->h);
}

static void queue_read(void *side, float *out)
{
    queue *q = side;
    hand_read(&q->h, q->call, (size_t)q->n * sizeof *out, out);
    hand_read(&q->h, q->put, (size_t)q->n * sizeof *out, out + q->n);
}

static void queue_close(void *side)
{
    hand_close(&((queue *)side)->h);
    free(side);
}

/* ---- All sides */

const app app_blackscholes = { "Black-Scholes",
                               { 1 << 12, 1 << 17, 1 << 20, 1 << 22 },
                               make,
                               unmake,
                               1e-4,
                               { loop_open, loop_step, NULL, loop_read, loop_close },
                               { desk_open, desk_step, desk_finish, desk_read, desk_close },
                               { queue_open, queue_step, queue_finish, queue_read, queue_close } };
