/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "bench/train_cohort.h"

#include "bench/must.h"
#include "bench/train_layers.h"
#include "bench/train_replica.h"

#include <cohort/cohort.h>

#include <stdio.h>
#include <stdlib.h>

/* ------------------------------------------------------------------ functions */

/* One layer, forward: with and without tanh. */
COHORT_FUNCTION(dense,
                (int64_t n, int64_t d, int64_t k, const float x[n][d], const float w[d][k],
                 const float b[k], COHORT_OUT float z[n][k]),
                COHORT_HOST_ONLY)
{
    train_dense(n, d, k, &x[0][0], &w[0][0], b, &z[0][0]);
}

COHORT_FUNCTION(dense_tanh,
                (int64_t n, int64_t d, int64_t k, const float x[n][d], const float w[d][k],
                 const float b[k], COHORT_OUT float z[n][k]),
                COHORT_HOST_ONLY)
{
    train_dense(n, d, k, &x[0][0], &w[0][0], b, &z[0][0]);
    train_tanh(n * k, &z[0][0]);
}

COHORT_FUNCTION(loss_of,
                (int64_t n, int64_t k, const int32_t y[n], float z[n][k], COHORT_OUT float loss[n]),
                COHORT_HOST_ONLY)
{
    train_loss(n, k, y, &z[0][0], loss);
}

COHORT_FUNCTION(gradients,
                (int64_t n, int64_t d, int64_t k, const float x[n][d], const float e[n][k],
                 COHORT_OUT float g[d][k], COHORT_OUT float bias[k]),
                COHORT_HOST_ONLY)
{
    train_gradient(n, d, k, &x[0][0], &e[0][0], &g[0][0], bias);
}

COHORT_FUNCTION(back,
                (int64_t n, int64_t d, int64_t k, const float e[n][k], const float w[d][k],
                 const float a[n][d], COHORT_OUT float before[n][d]),
                COHORT_HOST_ONLY)
{
    train_back(n, d, k, &e[0][0], &w[0][0], &a[0][0], &before[0][0]);
}

/* All of them. */
typedef struct whole_of {
    const train_model *model;
    train_scratch scratch[TRAIN_MOST_REPLICAS];
} whole_of;

COHORT_FUNCTION(whole,
                (int64_t n, int64_t d, int64_t p, void *of, int32_t replica, const float x[n][d],
                 const int32_t y[n], const float w[p], COHORT_OUT float g[p]),
                COHORT_HOST_ONLY)
{
    whole_of *t = of;
    (void)d, (void)p;
    train_gradients(t->model, &t->scratch[replica], n, &x[0][0], y, w, g);
}

COHORT_ITEMS(descend, i, n, (int64_t n, float each, const float g[n], float w[n]),
             { w[i] -= each * g[i]; });

/* ------------------------------------------------------------------ Cohort */

/* One way to train: a strategy with the network on it. */
struct train_cohort {
    train_task task;
    cohort_strategy *s;
    cohort_record_fn step;
    cohort_value *batch[2];
    int next;                                           /* row of the next batch */
    cohort_variable *w[TRAIN_LAYERS], *b[TRAIN_LAYERS]; /* one body: w[0] is all */
    cohort_value *a[TRAIN_LAYERS], *e[TRAIN_LAYERS], *loss;
    cohort_value *g[2 * TRAIN_LAYERS], *total[2 * TRAIN_LAYERS];
    whole_of whole;
    cohort_input *input;
    cohort_program *program;
    int recorded; /* steps of a run of the program */
};

/* All gradients, and with sums_each the sum of each once it is there. */
static void make_gradients(cohort_strategy *s, cohort_value *const batch[], const train_cohort *t,
                           bool sums_each)
{
    int n = t->task.model->layers, last = n - 1;
    for (int i = 0; i < last; i++)
        cohort_run(s, dense_tanh, i == 0 ? batch[0] : t->a[i - 1], t->w[i], t->b[i], t->a[i]);
    cohort_run(s, dense, last == 0 ? batch[0] : t->a[last - 1], t->w[last], t->b[last], t->e[last]);
    cohort_run(s, loss_of, batch[1], t->e[last], t->loss);
    for (int i = last; i >= 0; i--) {
        cohort_run(s, gradients, i == 0 ? batch[0] : t->a[i - 1], t->e[i], t->g[2 * i],
                   t->g[2 * i + 1]);
        for (int k = 2 * i; sums_each && k <= 2 * i + 1; k++)
            cohort_reduce(COHORT_SUM, t->g[k], COHORT_NO_AXIS, t->total[k]);
        if (i > 0)
            cohort_run(s, back, t->e[i], t->w[i], t->a[i - 1], t->e[i - 1]);
    }
}

static cohort_status update_all(const train_cohort *t)
{
    cohort_status status = COHORT_OK;
    for (int i = 0; i < t->task.model->layers && status >= 0; i++) {
        cohort_update(t->w[i], descend, t->task.each, t->total[2 * i], t->w[i]);
        status = cohort_update(t->b[i], descend, t->task.each, t->total[2 * i + 1], t->b[i]);
    }
    return status;
}

static cohort_status by_layers(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    const train_cohort *t = user;
    make_gradients(s, batch, t, false);
    cohort_reduce_list(COHORT_SUM, t->g, 2 * t->task.model->layers, COHORT_NO_AXIS, t->total);
    return update_all(t);
}

static cohort_status by_layers_summed(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    make_gradients(s, batch, user, true);
    return update_all(user);
}

static cohort_status by_one_body(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    const train_cohort *t = user;
    cohort_run(s, whole, COHORT_POINTER((void *)&t->whole), COHORT_REPLICA_ID, batch[0], batch[1],
               t->w[0], t->g[0]);
    cohort_reduce(COHORT_SUM, t->g[0], COHORT_NO_AXIS, t->total[0]);
    return cohort_update(t->w[0], descend, t->task.each, t->total[0], t->w[0]);
}

/* ---- Making one. */

static cohort_variable *make_weights(const train_cohort *t, const char *kind, int layer, int64_t at,
                                     cohort_array shape)
{
    char name[16];
    float *initial = train_floats(train_weights(t->task.model));
    train_initial(t->task.model, initial);
    shape.data = initial + at;
    (void)snprintf(name, sizeof name, "%s%d", kind, layer);
    cohort_variable *made = cohort_variable_create(t->s, name, shape, NULL);
    free(initial);
    return made;
}

static void make_network(train_cohort *t)
{
    const train_model *m = t->task.model;
    float *no_data = NULL;
    if (t->step == by_one_body) {
        t->w[0] = make_weights(t, "w", 0, 0, COHORT_ARRAY(no_data, train_weights(m)));
        t->g[0] = cohort_value_create(t->s);
        t->total[0] = cohort_value_create(t->s);
        t->whole.model = m;
        for (int r = 0; r < t->task.replicas; r++)
            t->whole.scratch[r] = train_scratch_create(m, t->task.batch / t->task.replicas);
        return;
    }
    t->loss = cohort_value_create(t->s);
    for (int i = 0; i < m->layers; i++) {
        t->w[i] = make_weights(t, "w", i, train_weight(m, i),
                               COHORT_ARRAY(no_data, m->widths[i], m->widths[i + 1]));
        t->b[i] =
            make_weights(t, "b", i, train_bias(m, i), COHORT_ARRAY(no_data, m->widths[i + 1]));
        cohort_value **const made[] = { &t->a[i],         &t->e[i],         &t->g[2 * i],
                                        &t->g[2 * i + 1], &t->total[2 * i], &t->total[2 * i + 1] };
        for (size_t k = 0; k < sizeof made / sizeof *made; k++)
            *made[k] = cohort_value_create(t->s);
    }
}

static void make_input(train_cohort *t)
{
    const train_task *k = &t->task;
    cohort_array arrays[] = { COHORT_ARRAY(k->x, k->rows, k->model->widths[0]),
                              COHORT_ARRAY(k->y, k->rows) };
    cohort_spec specs[2];
    cohort_dataset *rows = cohort_dataset_batch(cohort_dataset_slices(2, arrays), k->batch, true);
    t->input = cohort_distribute_dataset(t->s, cohort_dataset_repeat(rows, COHORT_INFINITE));
    must(t->input != NULL, "input");
    int n = cohort_input_element_spec(t->input, specs, 2);
    t->program = cohort_program_record(t->s, t->step, t, specs, n);
}

train_cohort *train_cohort_create(const train_task *k, train_form form, int recorded)
{
    train_cohort *t = calloc(1, sizeof *t);
    if (t == NULL)
        abort();
    t->task = *k;
    t->step = form == TRAIN_ONE_BODY   ? by_one_body
              : form == TRAIN_SUM_EACH ? by_layers_summed
                                       : by_layers;
    t->recorded = recorded;
    t->s = cohort_strategy_create(&(cohort_strategy_options){
        .name = k->workers != NULL ? "multi-worker-mirrored" : NULL,
        .resolver = k->workers,
        .devices = k->devices,
        .replicas = k->replicas,
        .loss = k->loss,
        .rollback = k->has_no_rollback ? COHORT_ROLLBACK_OFF : COHORT_ROLLBACK_ON });
    make_network(t);
    t->batch[0] = cohort_value_split(t->s, COHORT_ARRAY(k->x, k->batch, k->model->widths[0]));
    t->batch[1] = cohort_value_split(t->s, COHORT_ARRAY(k->y, k->batch));
    if (recorded > 0)
        make_input(t);
    must(t->batch[1] != NULL && (recorded == 0 || t->program != NULL), "a network");
    return t;
}

void train_cohort_destroy(train_cohort *t)
{
    cohort_strategy_destroy(t->s);
    for (int r = 0; r < TRAIN_MOST_REPLICAS; r++)
        train_scratch_destroy(&t->whole.scratch[r]);
    free(t);
}

/* ------------------------------------------------------------------ steps */

void train_cohort_step(void *user)
{
    train_cohort *t = user;
    const train_task *k = &t->task;
    int first = train_take_batch(k, &t->next);
    int64_t columns = k->model->widths[0];
    cohort_value_set(t->batch[0], COHORT_ARRAY(k->x + first * columns, k->batch, columns));
    cohort_value_set(t->batch[1], COHORT_ARRAY(k->y + first, k->batch));
    must(t->step(t->s, t->batch, t) == COHORT_OK, "step");
}

void train_cohort_wait(void *user)
{
    must(cohort_wait(((train_cohort *)user)->s) == COHORT_OK, "wait");
}

void train_cohort_step_and_wait(void *user)
{
    train_cohort_step(user);
    train_cohort_wait(user);
}

void train_cohort_run(void *user)
{
    const train_cohort *t = user;
    must(cohort_program_run(t->program, t->input, t->recorded) == COHORT_OK, "recorded steps");
}

void train_cohort_read(train_cohort *t, float *out)
{
    const train_model *m = t->task.model;
    if (t->step == by_one_body) {
        must(!cohort_variable_read(t->w[0], COHORT_ARRAY(out, train_weights(m))), "weights");
        return;
    }
    for (int i = 0; i < m->layers; i++)
        must(!cohort_variable_read(
                 t->w[i], COHORT_ARRAY(out + train_weight(m, i), m->widths[i], m->widths[i + 1])) &&
                 !cohort_variable_read(t->b[i],
                                       COHORT_ARRAY(out + train_bias(m, i), m->widths[i + 1])),
             "weights");
}
