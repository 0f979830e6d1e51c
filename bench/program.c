/* SPDX-License-Identifier: BSD-3-Clause */
/* bench/program: steps recorded as a program, 100 per run, beside the same calls one by one, each
 * side with one wait at the end.
 *
 *   tiny       a chain of 8 functions of 16 float32
 *   softmax    a regression 64-10 at batch 32, from an input of rows in memory: three runs, a
 *              reduction, an update, a metric
 *   mlp        the network 64-64-10 of the demo at batch 32: eight runs, four reductions and
 *              updates, two metrics
 *   all_reduce the mean of a float64 of each replica, by a step function that is traced, beside a
 *              recorded cohort_reduce, which leaves one number where this leaves one on each
 *              replica
 *   merge_call the same cohort_reduce in the function of a merge call, traced, beside it
 *
 * bench/turns.h says how; "cohort" is the recorded side. */
#include "config.h"

#include "bench/turns.h"
#include "examples/nn.h"

#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 1437, BATCH = 32, TINY = 16, CHAIN = 8 };

static int n_steps = 100; /* of a run */

/* ------------------------------------------------------------------ the steps */

typedef struct bench {
    cohort_strategy *s;
    cohort_record_fn step;
    cohort_input *input; /* NULL: the step has none */
    cohort_value *batch[2];
    cohort_program *program;
    bool has_failed;

    cohort_value *links[CHAIN + 1]; /* of tiny */
    cohort_variable *w, *b;         /* of softmax */
    cohort_value *z, *e, *loss, *g, *total;
    cohort_metric *mean;
    struct nn_recorded mlp;
    cohort_program *reduces; /* beside all_reduce */
} bench;

COHORT_FUNCTION(link, (int64_t n, const float x[n], COHORT_OUT float y[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = 0.5F * x[i] + 1;
}

static cohort_status tiny(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    const bench *t = user;
    cohort_status status = COHORT_OK;
    (void)batch;
    for (int i = 0; i < CHAIN && status >= 0; i++)
        status = cohort_run(s, link, t->links[i], t->links[i + 1]);
    return status;
}

static cohort_status softmax(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    const bench *t = user;
    cohort_matmul(s, &nn_product, 1, batch[0], t->w, t->z);
    cohort_run(s, add_bias, t->b, t->z);
    cohort_run(s, cross_entropy, t->z, batch[1], t->e, t->loss);
    cohort_matmul(s, &nn_gradient, 1, batch[0], t->e, t->g);
    cohort_reduce(COHORT_SUM, t->g, COHORT_NO_AXIS, t->total);
    cohort_metric_update(t->mean, t->loss, NULL);
    return cohort_update(t->w, sgd, 1e-3, t->total, t->w);
}

static cohort_status mlp(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    return nn_record_step(s, batch, &((bench *)user)->mlp);
}

/* ------------------------------------------------------------------ making them */

static void open_tiny(bench *t)
{
    static float x[4 * TINY];
    t->links[0] = cohort_value_split(t->s, COHORT_ARRAY(x, 4 * TINY));
    for (int i = 1; i <= CHAIN; i++)
        t->links[i] = cohort_value_create(t->s);
}

static cohort_input *open_input(cohort_strategy *s)
{
    static float x[ROWS * NN_PIXELS];
    static int32_t y[ROWS];
    uint64_t random = 1;
    for (int i = 0; i < ROWS * NN_PIXELS; i++)
        x[i] = random_uniform(&random, 1);
    for (int i = 0; i < ROWS; i++)
        y[i] = i % NN_CLASSES;
    cohort_array arrays[] = { COHORT_ARRAY(x, ROWS, NN_PIXELS), COHORT_ARRAY(y, ROWS) };
    cohort_dataset *rows = cohort_make_numpy_dataset(s, 2, arrays, 0);
    return cohort_distribute_dataset(
        s, cohort_dataset_repeat(cohort_dataset_batch(rows, BATCH, false), -1));
}

static void open_softmax(bench *t)
{
    t->input = open_input(t->s);
    t->w =
        cohort_variable_create(t->s, "w", COHORT_ARRAY((float *)NULL, NN_PIXELS, NN_CLASSES), NULL);
    t->b = cohort_variable_create(t->s, "b", COHORT_ARRAY((float *)NULL, NN_CLASSES), NULL);
    t->mean = cohort_metric_create(t->s, "mean", "loss");
    cohort_value **const made[] = { &t->z, &t->e, &t->loss, &t->g, &t->total };
    for (size_t i = 0; i < sizeof made / sizeof *made; i++)
        *made[i] = cohort_value_create(t->s);
}

static void open_mlp(bench *t)
{
    static float rates[BATCH + 1];
    uint64_t random = 2;
    t->input = open_input(t->s);
    nn_rates(rates, BATCH, 1e-3);
    (void)nn_create(&t->mlp.nn, t->s, NN_PIXELS, NN_CLASSES, &random);
    t->mlp.decay = 0.9;
    t->mlp.rates = cohort_value_plain(t->s, COHORT_ARRAY(rates, BATCH + 1));
}

/* ------------------------------------------------------------------ both ways */

static void replay(void *user)
{
    bench *t = user;
    t->has_failed |= cohort_program_run(t->program, t->input, n_steps) != COHORT_OK;
    t->has_failed |= cohort_wait(t->s) < 0;
}

static void call(void *user)
{
    bench *t = user;
    cohort_status status = COHORT_OK;
    for (int i = 0; i < n_steps && status == COHORT_OK; i++) {
        status = t->input != NULL ? cohort_input_next(t->input, t->batch) : COHORT_OK;
        if (status == COHORT_OK)
            status = t->step(t->s, t->batch, t);
    }
    t->has_failed |= status != COHORT_OK || cohort_wait(t->s) < 0;
}

static bool compare(const char *name, const char *devices, cohort_record_fn step,
                    void (*open)(bench *t), int calls)
{
    cohort_spec specs[2];
    char title[100];
    bench t = { .s = cohort_mirrored(devices), .step = step };
    open(&t);
    t.batch[0] = cohort_value_create(t.s);
    t.batch[1] = cohort_value_create(t.s);
    int n = t.input != NULL ? cohort_input_element_spec(t.input, specs, 2) : 0;
    t.program = cohort_program_record(t.s, step, &t, specs, n);
    (void)snprintf(title, sizeof title, "%d steps of %s, %s", n_steps, name, devices);
    bool is_good = t.program != NULL;
    if (is_good)
        (void)turns_compare(title, "call by call", replay, call, &t, calls);
    is_good = is_good && !t.has_failed;
    if (!is_good)
        fprintf(stderr, "program: %s: %s\n", title, cohort_error_text());
    cohort_strategy_destroy(t.s);
    return is_good;
}

/* ------------------------------------------------------------------ a traced step function */

static cohort_status mean_of_all(cohort_replica *me, void *user)
{
    return cohort_all_reduce(me, COHORT_MEAN, &((bench *)user)->z, 1);
}

static cohort_status reduce_for_all(cohort_strategy *s, void *const user[], int n)
{
    const bench *t = user[0];
    (void)s, (void)n;
    return cohort_reduce(COHORT_MEAN, t->z, COHORT_NO_AXIS, t->g);
}

static cohort_status meet(cohort_replica *me, void *user)
{
    return cohort_merge_call(me, reduce_for_all, user);
}

static cohort_status merge_call(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    (void)batch;
    return cohort_for_each_replica(s, meet, user);
}

static cohort_status all_reduce(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    (void)batch;
    return cohort_for_each_replica(s, mean_of_all, user);
}

static cohort_status reduce(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    const bench *t = user;
    (void)s, (void)batch;
    return cohort_reduce(COHORT_MEAN, t->e, COHORT_NO_AXIS, t->total);
}

static void replay_reduce(void *user)
{
    bench *t = user;
    t->has_failed |= cohort_program_run(t->reduces, NULL, n_steps) != COHORT_OK;
    t->has_failed |= cohort_wait(t->s) < 0;
}

static bool compare_traced(const char *name, cohort_record_fn step, int32_t replicas, int calls)
{
    static double x[64];
    char title[100];
    bench t = { .s = cohort_strategy_create(
                    &(cohort_strategy_options){ .devices = "host/2", .replicas = replicas }) };
    t.z = cohort_value_split(t.s, COHORT_ARRAY(x, replicas));
    t.e = cohort_value_split(t.s, COHORT_ARRAY(x, replicas));
    t.total = cohort_value_create(t.s);
    t.g = cohort_value_create(t.s);
    t.program = cohort_program_record(t.s, step, &t, NULL, 0);
    t.reduces = cohort_program_record(t.s, reduce, &t, NULL, 0);
    (void)snprintf(title, sizeof title, "%d steps of %s, %d replicas on host/2", n_steps, name,
                   (int)replicas);
    if (t.program != NULL && t.reduces != NULL)
        (void)turns_compare(title, "cohort_reduce", replay, replay_reduce, &t, calls);
    bool is_good = t.program != NULL && t.reduces != NULL && !t.has_failed;
    if (!is_good)
        fprintf(stderr, "program: %s: %s\n", title, cohort_error_text());
    cohort_strategy_destroy(t.s);
    return is_good;
}

int main(void)
{
    static const char *const places[] = { "host", "host/2" };
    bool is_good = true;
    n_steps = turns_are_tiny() ? 2 : n_steps;
    turns_table("recorded steps");
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        is_good = compare("tiny, 8 functions", places[i], tiny, open_tiny, 20) &&
                  compare("softmax, batch 32", places[i], softmax, open_softmax, 5) &&
                  compare("mlp, batch 32", places[i], mlp, open_mlp, 1) && is_good;
    for (int32_t replicas = 2; replicas <= 64; replicas *= 32)
        is_good = compare_traced("all_reduce", all_reduce, replicas, 20) &&
                  compare_traced("merge_call", merge_call, replicas, 20) && is_good;
    return is_good ? 0 : 1;
}
