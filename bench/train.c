/* SPDX-License-Identifier: BSD-3-Clause */
/* bench/train: a training step (forward, backward, sum over two replicas, descent) of three
 * networks on random data, two replicas of one thread each:
 *
 *   mlp        784-256-128-10      softmax    784-10      logistic   16-2
 *
 * at batch 32, 256 and 1024, the batches in order from 8,192 rows, by hand (bench/train_hand.h) and
 * through Cohort:
 *
 *   layer by layer   a run for each part of a layer, one reduction of the list of gradients, an
 *                    update for each matrix and bias
 *   one body         forward and backward in one function, all weights in one variable
 *
 * each as calls, with a wait at the end of a turn; as calls with a wait after each step; and
 * recorded, 100 steps a run, from an input. All use the same arithmetic; before they are timed
 * their weights are compared, to the last bit.
 *
 * And the price of replicas: the first network in one body, 16, 128 and 512 rows cut into 1 to 16
 * replicas on one device, beside one replica that has all rows. */
#include "config.h"

#include "bench/rows.h"
#include "bench/train_hand.h"
#include "bench/turns.h"

#include <cohort/cohort.h>

#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 8192, MOST_BATCH = 1024, RECORDED = 100, FORMS = 2, MOST_REPLICAS = 16 };

static const train_model models[] = {
    { "mlp 784-256-128-10", 3, { 784, 256, 128, 10 } },
    { "softmax 784-10", 1, { 784, 10 } },
    { "logistic 16-2", 1, { 16, 2 } },
};
static const int batches[] = { 32, 256, MOST_BATCH };

/* OpenBLAS alone has them. */
extern void openblas_set_num_threads(int threads) __attribute__((weak));
extern char *openblas_get_corename(void) __attribute__((weak));

/* What a side of a row trains on. */
typedef struct task {
    const char *devices;
    int replicas;
    const train_model *model;
    const float *x;
    const int32_t *y;
    int batch, rows;
    float each;
} task;

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
    train_scratch scratch[MOST_REPLICAS];
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
typedef struct trainer {
    const task *task;
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
} trainer;

static void must(bool is_good, const char *what)
{
    if (is_good)
        return;
    fprintf(stderr, "train: %s: %s\n", what, cohort_error_text());
    exit(1);
}

static cohort_status by_layers(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    const trainer *t = user;
    int n = t->task->model->layers, last = n - 1;
    for (int i = 0; i < last; i++)
        cohort_run(s, dense_tanh, i == 0 ? batch[0] : t->a[i - 1], t->w[i], t->b[i], t->a[i]);
    cohort_run(s, dense, last == 0 ? batch[0] : t->a[last - 1], t->w[last], t->b[last], t->e[last]);
    cohort_run(s, loss_of, batch[1], t->e[last], t->loss);
    for (int i = last; i >= 0; i--) {
        cohort_run(s, gradients, i == 0 ? batch[0] : t->a[i - 1], t->e[i], t->g[2 * i],
                   t->g[2 * i + 1]);
        if (i > 0)
            cohort_run(s, back, t->e[i], t->w[i], t->a[i - 1], t->e[i - 1]);
    }
    cohort_status status = cohort_reduce_list(COHORT_SUM, t->g, 2 * n, COHORT_NO_AXIS, t->total);
    for (int i = 0; i < n && status >= 0; i++) {
        cohort_update(t->w[i], descend, t->task->each, t->total[2 * i], t->w[i]);
        status = cohort_update(t->b[i], descend, t->task->each, t->total[2 * i + 1], t->b[i]);
    }
    return status;
}

static cohort_status by_one_body(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    const trainer *t = user;
    cohort_run(s, whole, COHORT_POINTER((void *)&t->whole), COHORT_REPLICA_ID, batch[0], batch[1],
               t->w[0], t->g[0]);
    cohort_reduce(COHORT_SUM, t->g[0], COHORT_NO_AXIS, t->total[0]);
    return cohort_update(t->w[0], descend, t->task->each, t->total[0], t->w[0]);
}

static const struct form {
    const char *name;
    cohort_record_fn step;
} forms[FORMS] = { { "layer by layer", by_layers }, { "one body", by_one_body } };

/* ---- Making one. */

static cohort_variable *make_weights(const trainer *t, const char *kind, int layer, int64_t at,
                                     cohort_array shape)
{
    char name[16];
    float *initial = train_floats(train_weights(t->task->model));
    train_initial(t->task->model, initial);
    shape.data = initial + at;
    (void)snprintf(name, sizeof name, "%s%d", kind, layer);
    cohort_variable *made = cohort_variable_create(t->s, name, shape, NULL);
    free(initial);
    return made;
}

static void make_network(trainer *t)
{
    const train_model *m = t->task->model;
    float *no_data = NULL;
    if (t->step == by_one_body) {
        t->w[0] = make_weights(t, "w", 0, 0, COHORT_ARRAY(no_data, train_weights(m)));
        t->g[0] = cohort_value_create(t->s);
        t->total[0] = cohort_value_create(t->s);
        t->whole.model = m;
        for (int r = 0; r < t->task->replicas; r++)
            t->whole.scratch[r] = train_scratch_create(m, t->task->batch / t->task->replicas);
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

static void make_input(trainer *t)
{
    const task *k = t->task;
    cohort_array arrays[] = { COHORT_ARRAY(k->x, k->rows, k->model->widths[0]),
                              COHORT_ARRAY(k->y, k->rows) };
    cohort_spec specs[2];
    cohort_dataset *rows = cohort_dataset_batch(cohort_dataset_slices(2, arrays), k->batch, true);
    t->input = cohort_distribute_dataset(t->s, cohort_dataset_repeat(rows, COHORT_INFINITE));
    must(t->input != NULL, "input");
    int n = cohort_input_element_spec(t->input, specs, 2);
    t->recorded = turns_are_tiny() ? 2 : RECORDED;
    t->program = cohort_program_record(t->s, t->step, t, specs, n);
}

static trainer *trainer_create(const task *k, cohort_record_fn step, bool is_recorded)
{
    trainer *t = calloc(1, sizeof *t);
    if (t == NULL)
        abort();
    t->task = k;
    t->step = step;
    t->s = cohort_strategy_create(
        &(cohort_strategy_options){ .devices = k->devices, .replicas = k->replicas });
    make_network(t);
    t->batch[0] = cohort_value_split(t->s, COHORT_ARRAY(k->x, k->batch, k->model->widths[0]));
    t->batch[1] = cohort_value_split(t->s, COHORT_ARRAY(k->y, k->batch));
    if (is_recorded)
        make_input(t);
    must(t->batch[1] != NULL && (!is_recorded || t->program != NULL), "a network");
    return t;
}

static void trainer_destroy(trainer *t)
{
    cohort_strategy_destroy(t->s);
    for (int r = 0; r < MOST_REPLICAS; r++)
        train_scratch_destroy(&t->whole.scratch[r]);
    free(t);
}

/* ------------------------------------------------------------------ what is timed */

static int take_batch(const task *k, int *next)
{
    int first = *next;
    *next = first + 2 * k->batch > k->rows ? 0 : first + k->batch;
    return first;
}

static void step_by_calls(void *user)
{
    trainer *t = user;
    const task *k = t->task;
    int first = take_batch(k, &t->next);
    int64_t columns = k->model->widths[0];
    cohort_value_set(t->batch[0], COHORT_ARRAY(k->x + first * columns, k->batch, columns));
    cohort_value_set(t->batch[1], COHORT_ARRAY(k->y + first, k->batch));
    must(t->step(t->s, t->batch, t) == COHORT_OK, "step");
}

static void finish_calls(void *user)
{
    must(cohort_wait(((trainer *)user)->s) == COHORT_OK, "wait");
}

static void step_and_wait(void *user)
{
    step_by_calls(user);
    finish_calls(user);
}

static void run_recorded(void *user)
{
    const trainer *t = user;
    must(cohort_program_run(t->program, t->input, t->recorded) == COHORT_OK, "recorded steps");
}

typedef struct hand {
    const task *task;
    train_hand net;
    int next;
} hand;

static void step_by_hand(void *user)
{
    hand *t = user;
    const task *k = t->task;
    int first = take_batch(k, &t->next);
    train_hand_step(&t->net, k->batch, k->x + first * k->model->widths[0], k->y + first);
}

/* ------------------------------------------------------------------ results */

static void read_weights(trainer *t, float *out)
{
    const train_model *m = t->task->model;
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

/* As many steps as a recorded run has, by hand and so, from the same weights on. */
static void check(const task *k, const char *who, trainer *t)
{
    size_t bytes = (size_t)train_weights(k->model) * sizeof(float);
    hand by_hand = { k, train_hand_create(k->model, k->batch, k->each, false), 0 };
    float *found = malloc(bytes);
    if (found == NULL)
        abort();
    int steps = turns_are_tiny() ? 2 : RECORDED;
    for (int i = 0; i < steps; i++) {
        step_by_hand(&by_hand);
        if (t->program == NULL)
            step_by_calls(t);
    }
    if (t->program != NULL)
        run_recorded(t);
    read_weights(t, found);
    if (memcmp(found, by_hand.net.w[0], bytes) != 0) {
        fprintf(stderr, "train: %s, %s: the weights are not those by hand\n", k->model->name, who);
        exit(1);
    }
    free(found);
    train_hand_destroy(&by_hand.net);
}

/* ------------------------------------------------------------------ rows */

static void measure(const task *k)
{
    enum { HANDS = 2, WAYS = 3, SIDES = HANDS + WAYS * FORMS };
    static const char *const ways[WAYS] = { "recorded", "calls", "a wait a step" };
    static char names[SIDES][64], how[100];
    static const char *const hands[HANDS] = { "by hand", "by hand, one shared copy" };
    char row[64];
    hand by_hand[HANDS];
    trainer *trainers[SIDES] = { NULL };
    turns_side sides[SIDES];
    (void)snprintf(how, sizeof how, "2 replicas of 1 thread, OpenBLAS %s",
                   openblas_get_corename != NULL ? openblas_get_corename() : "");
    for (int i = 0; i < HANDS; i++) {
        by_hand[i] = (hand){ k, train_hand_create(k->model, k->batch, k->each, i == 0), 0 };
        sides[i] = (turns_side){ hands[i], how, step_by_hand, .bench = &by_hand[i] };
        sides[i].is_limit = true;
    }
    for (int i = HANDS; i < SIDES; i++) {
        const struct form *form = &forms[(i - HANDS) / WAYS];
        int way = (i - HANDS) % WAYS;
        trainers[i] = trainer_create(k, form->step, way == 0);
        (void)snprintf(names[i], sizeof names[i], "cohort, %s, %s", form->name, ways[way]);
        check(k, names[i], trainers[i]);
        sides[i] = (turns_side){ names[i], how, .bench = trainers[i], .finish = finish_calls };
        sides[i].call = way == 0 ? run_recorded : way == 1 ? step_by_calls : step_and_wait;
        sides[i].steps = way == 0 ? trainers[i]->recorded : 1;
    }
    (void)snprintf(row, sizeof row, "%s, batch %d", k->model->name, k->batch);
    turns_row(row, sides, SIDES);
    for (int i = 0; i < HANDS; i++)
        train_hand_destroy(&by_hand[i].net);
    for (int i = HANDS; i < SIDES; i++)
        trainer_destroy(trainers[i]);
}

/* k: of one replica. */
static void measure_replicas(const task *k)
{
    enum { SIDES = 5 };
    static char names[SIDES][32];
    char row[64];
    task tasks[SIDES];
    trainer *trainers[SIDES];
    turns_side sides[SIDES];
    for (int i = 0; i < SIDES; i++) {
        tasks[i] = *k;
        tasks[i].replicas = 1 << i;
        trainers[i] = trainer_create(&tasks[i], by_one_body, true);
        (void)snprintf(names[i], sizeof names[i], "cohort, R = %d", tasks[i].replicas);
        sides[i] = (turns_side){
            names[i],     "host, one body, recorded", run_recorded,
            finish_calls, .bench = trainers[i],       .steps = trainers[i]->recorded
        };
    }
    (void)snprintf(row, sizeof row, "%s, %d rows", k->model->name, k->batch);
    turns_row(row, sides, SIDES);
    for (int i = 0; i < SIDES; i++)
        trainer_destroy(trainers[i]);
}

static float *make_rows(int rows, int64_t columns)
{
    uint64_t random = 1;
    float *x = train_floats(rows * columns);
    for (int64_t i = 0; i < rows * columns; i++) {
        random = random * 6364136223846793005U + 1442695040888963407U;
        x[i] = (float)(int32_t)(random >> 32) / 2147483648.0f;
    }
    return x;
}

static void measure_model(const train_model *m, const int32_t *y, int rows)
{
    float *x = make_rows(rows, m->widths[0]);
    for (size_t b = 0; b < sizeof batches / sizeof *batches; b++)
        measure(&(task){ "host/2", TRAIN_REPLICAS, m, x, y, batches[b], rows,
                         0.01f / (float)batches[b] });
    free(x);
}

static void measure_price(const train_model *m, const int32_t *y, int rows)
{
    static const int cut[] = { 16, 128, 512 };
    float *x = make_rows(rows, m->widths[0]);
    turns_table("the price of replicas");
    for (size_t b = 0; b < sizeof cut / sizeof *cut; b++)
        measure_replicas(&(task){ "host", 1, m, x, y, cut[b], rows, 0.01f / (float)cut[b] });
    free(x);
}

int main(void)
{
    if (openblas_set_num_threads != NULL)
        openblas_set_num_threads(1);
    int rows = turns_are_tiny() ? 2 * MOST_BATCH : ROWS;
    int32_t *y = malloc((size_t)rows * sizeof *y);
    if (y == NULL)
        return 1;
    /* Labels that all networks have: the last one has two. */
    for (int j = 0; j < rows; j++)
        y[j] = (int32_t)((j * 2654435761U) >> 7) % 2;
    turns_table(ROWS_TRAINING);
    for (size_t i = 0; i < sizeof models / sizeof *models; i++)
        measure_model(&models[i], y, rows);
    measure_price(&models[0], y, rows);
    free(y);
    return 0;
}
