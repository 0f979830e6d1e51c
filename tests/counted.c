/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls whose instructions tests/counts.t counts: each case makes its call, and waits for it,
 * CALLS times inside `counted`, which is all that callgrind looks at. On one device that its caller
 * runs, so that no thread spins and the numbers are the same each time.
 *
 * usage: counted, which prints the names of the cases in their order, and the calls of each */
#include "config.h"

#include <cohort/cohort.h>

#include <stdio.h>
#include <stdlib.h>

enum { CALLS = 50, WARM = 20, REPLICAS = 2, N = 64, MOST = 16, LIST = 100 };

/* ------------------------------------------------------------------ functions */

COHORT_FUNCTION(nothing, (void), COHORT_HOST_ONLY)
{
}

COHORT_FUNCTION(four,
                (int64_t n, int64_t k, const float x[n], const float y[n], const float w[k],
                 COHORT_OUT float z[n]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        z[i] = x[i] * y[i] + w[i % k];
}

COHORT_FUNCTION(numbers,
                (int64_t a, int64_t b, int64_t c, int64_t d, int64_t e, int64_t f, int64_t g,
                 int64_t h, double i, double j, double k, double l, double m, double n, double o,
                 double p),
                COHORT_HOST_ONLY)
{
    (void)a, (void)b, (void)c, (void)d, (void)e, (void)f, (void)g, (void)h;
    (void)i, (void)j, (void)k, (void)l, (void)m, (void)n, (void)o, (void)p;
}

COHORT_FUNCTION(readers,
                (int64_t size, const float a[size], const float b[size], const float c[size],
                 const float d[size], const float e[size], const float f[size], const float g[size],
                 const float h[size], const float i[size], const float j[size], const float k[size],
                 const float l[size], const float m[size], const float n[size], const float o[size],
                 const float p[size]),
                COHORT_HOST_ONLY)
{
    (void)size, (void)a, (void)b, (void)c, (void)d, (void)e, (void)f, (void)g, (void)h;
    (void)i, (void)j, (void)k, (void)l, (void)m, (void)n, (void)o, (void)p;
}

COHORT_FUNCTION(writers,
                (int64_t size, COHORT_OUT float a[size], COHORT_OUT float b[size],
                 COHORT_OUT float c[size], COHORT_OUT float d[size], COHORT_OUT float e[size],
                 COHORT_OUT float f[size], COHORT_OUT float g[size], COHORT_OUT float h[size],
                 COHORT_OUT float i[size], COHORT_OUT float j[size], COHORT_OUT float k[size],
                 COHORT_OUT float l[size], COHORT_OUT float m[size], COHORT_OUT float n[size],
                 COHORT_OUT float o[size], COHORT_OUT float p[size]),
                COHORT_HOST_ONLY)
{
    (void)size;
    float *const all[MOST] = { a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p };
    for (int at = 0; at < MOST; at++)
        all[at][0] = 1;
}

COHORT_ITEMS(descend, i, n, (int64_t n, float rate, const float g[n], float w[n]),
             { w[i] -= rate * g[i]; });

/* ------------------------------------------------------------------ cases */

/* What the calls work on. */
typedef struct calls {
    cohort_strategy *s;
    cohort_value *x, *y, *z, *sum, *one;
    cohort_value *values[LIST], *sums[LIST], *outputs[MOST];
    cohort_variable *w, *weights[MOST];
    cohort_metric *mean;
    cohort_program *program;
} calls;

static cohort_status run_four(const calls *t)
{
    return cohort_run(t->s, four, t->x, t->y, t->w, t->z);
}

static cohort_status empty_run(const calls *t)
{
    return cohort_run(t->s, nothing);
}

static cohort_status run_numbers(const calls *t)
{
    return cohort_run(t->s, numbers, 1, 2, 3, 4, 5, 6, 7, 8, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0,
                      8.0);
}

static cohort_status run_variables(const calls *t)
{
    cohort_variable *const *w = t->weights;
    return cohort_run(t->s, readers, w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8], w[9],
                      w[10], w[11], w[12], w[13], w[14], w[15]);
}

static cohort_status run_values(const calls *t)
{
    return cohort_run(t->s, readers, COHORT_VALUES(t->values, MOST));
}

static cohort_status run_outputs(const calls *t)
{
    return cohort_run(t->s, writers, COHORT_VALUES(t->outputs, MOST), COHORT_NAMED(size, N));
}

static cohort_status update(const calls *t)
{
    return cohort_update(t->w, descend, 0.5, t->sum, t->w);
}

static cohort_status reduce(const calls *t)
{
    return cohort_reduce(COHORT_SUM, t->z, COHORT_NO_AXIS, t->sum);
}

static cohort_status reduce_two(const calls *t)
{
    return cohort_reduce_list(COHORT_SUM, t->values, 2, COHORT_NO_AXIS, t->sums);
}

static cohort_status reduce_hundred(const calls *t)
{
    return cohort_reduce_list(COHORT_SUM, t->values, LIST, COHORT_NO_AXIS, t->sums);
}

static cohort_status step(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    const calls *t = user;
    (void)s, (void)batch;
    run_four(t);
    reduce(t);
    return update(t);
}

static cohort_status called_step(const calls *t)
{
    return step(t->s, NULL, (void *)t);
}

static cohort_status recorded_step(const calls *t)
{
    return cohort_program_run(t->program, NULL, 1);
}

static cohort_status add_up(cohort_replica *me, void *user)
{
    const calls *t = user;
    return cohort_all_reduce(me, COHORT_SUM, (cohort_value *[]){ t->one }, 1);
}

static cohort_status step_function(const calls *t)
{
    return cohort_for_each_replica(t->s, add_up, (void *)t);
}

static cohort_status metric_update(const calls *t)
{
    return cohort_metric_update(t->mean, t->z, NULL);
}

typedef struct counted_case {
    const char *name;
    cohort_status (*call)(const calls *t);
    int replicas;
} counted_case;

/* A step function of one replica: with two on one device their threads would hand a baton on. */
static const counted_case cases[] = {
    { "empty-run", empty_run, REPLICAS },
    { "run-4-arrays", run_four, REPLICAS },
    { "run-16-numbers", run_numbers, REPLICAS },
    { "run-16-variables", run_variables, REPLICAS },
    { "run-16-values", run_values, REPLICAS },
    { "run-16-outputs", run_outputs, REPLICAS },
    { "update", update, REPLICAS },
    { "reduce", reduce, REPLICAS },
    { "reduce-list-2", reduce_two, REPLICAS },
    { "reduce-list-100", reduce_hundred, REPLICAS },
    { "called-step", called_step, REPLICAS },
    { "recorded-step", recorded_step, REPLICAS },
    { "step-function", step_function, 1 },
    { "metric-update", metric_update, REPLICAS },
};

/* ------------------------------------------------------------------ counting */

static bool call(const counted_case *c, const calls *t, int times)
{
    cohort_status status = COHORT_OK;
    for (int i = 0; i < times && status >= 0; i++) {
        status = c->call(t);
        if (status >= 0)
            status = cohort_wait(t->s);
    }
    return status >= 0;
}

/* By this name callgrind knows it. */
__attribute__((noinline)) bool counted(const counted_case *c, const calls *t);
bool counted(const counted_case *c, const calls *t)
{
    return call(c, t, CALLS);
}

static bool open_calls(calls *t, int replicas)
{
    static float data[REPLICAS * N];
    float *no_data = NULL;
    char name[16];
    *t = (calls){ .s = cohort_strategy_create(
                      &(cohort_strategy_options){ .devices = "host", .replicas = replicas }) };
    t->x = cohort_value_split(t->s, COHORT_ARRAY(data, replicas * N));
    t->y = cohort_value_split(t->s, COHORT_ARRAY(data, replicas * N));
    t->z = cohort_value_create(t->s);
    t->sum = cohort_value_create(t->s);
    t->one = cohort_value_split(t->s, COHORT_ARRAY(data, replicas));
    for (int i = 0; i < LIST; i++) {
        t->values[i] = cohort_value_split(t->s, COHORT_ARRAY(data, replicas * N));
        t->sums[i] = cohort_value_create(t->s);
    }
    t->w = cohort_variable_create(t->s, "w", COHORT_ARRAY(no_data, N), NULL);
    for (int i = 0; i < MOST; i++) {
        (void)snprintf(name, sizeof name, "w%d", i);
        t->weights[i] = cohort_variable_create(t->s, name, COHORT_ARRAY(no_data, N), NULL);
        t->outputs[i] = cohort_value_create(t->s);
    }
    t->mean = cohort_metric_create(t->s, "mean", "mean");
    t->program = cohort_program_record(t->s, step, t, NULL, 0);
    return t->program != NULL && run_four(t) == COHORT_OK && reduce(t) == COHORT_OK;
}

int main(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        calls t;
        if (!open_calls(&t, cases[i].replicas) || !call(&cases[i], &t, WARM) ||
            !counted(&cases[i], &t)) {
            fprintf(stderr, "counted: %s: %s\n", cases[i].name, cohort_error_text());
            return 1;
        }
        printf("%s %d\n", cases[i].name, CALLS);
        cohort_strategy_destroy(t.s);
    }
    return 0;
}
