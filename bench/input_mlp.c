/* SPDX-License-Identifier: BSD-3-Clause */
/* bench/input_mlp: what input costs a training step. A network 784-256-128-10 (tanh, cross-entropy,
 * plain descent) on two replicas of one thread each, matrices by a BLAS with one thread; its steps
 * with
 *
 *   ready    the batch that is there, again and again
 *   slices   rows of 784 float32 and labels, shuffled in a buffer as large as the data
 *   npy      the same from two .npy files in order
 *
 * in turns. Datasets repeat for ever, so a turn begins in the middle of one. A row has the time of
 * a step, and the part of it that waited in cohort_input_next (cohort_input_waits), beside the
 * ready one.
 */
#include "config.h"

#include "bench/blas.h"
#include "bench/turns.h"
#include "examples/nn.h"

#include <cohort/cohort.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROWS = 20000, LAYERS = 3, TURNS = 9, TINY_TURNS = 2, MANNERS = 3, WARM = 20, SEED = 7 };
static const int64_t widths[LAYERS + 1] = { 784, 256, 128, 10 };
static const int batches[] = { 32, 256, 1024 };
static const char *const manners[MANNERS] = { "ready", "slices", "npy" };
static const double rate = 0.01;

typedef struct mlp {
    cohort_strategy *s;
    cohort_variable *w[LAYERS], *b[LAYERS];
    cohort_value *in[2];                         /* rows, labels */
    cohort_value *a[LAYERS], *e[LAYERS], *loss;  /* outputs of the layers, and their errors */
    cohort_value *g[LAYERS], *total[2 * LAYERS]; /* gradients of w per replica, and all summed */
} mlp;

typedef struct bench {
    mlp net;
    float (*x)[784];
    int32_t *y;
    char folder[256];
} bench;

static void fail(const char *what, const char *why)
{
    fprintf(stderr, "input_mlp: %s: %s\n", what, why);
    exit(1);
}

static void must(bool is_good, const char *what)
{
    if (!is_good)
        fail(what, cohort_error_text());
}

/* ------------------------------------------------------------------ the network */

static const cohort_matmul_options of_layer = { 0 };
static const cohort_matmul_options of_gradient = { .transpose_a = true };
static const cohort_matmul_options of_back = { .transpose_b = true };

static cohort_variable *make_weights(cohort_strategy *s, const char *kind, int layer,
                                     cohort_array shape, uint64_t *random)
{
    char name[16];
    int64_t n = shape.shape[0] * (shape.rank == 2 ? shape.shape[1] : 1);
    float *initial = calloc((size_t)n, sizeof *initial);
    if (initial == NULL)
        fail("memory", strerror(errno));
    for (int64_t i = 0; shape.rank == 2 && i < n; i++)
        initial[i] = random_uniform(random, sqrtf(6.0f / (float)(shape.shape[0] + shape.shape[1])));
    shape.data = initial;
    snprintf(name, sizeof name, "%s%d", kind, layer);
    cohort_variable *variable = cohort_variable_create(s, name, shape, NULL);
    free(initial);
    return variable;
}

static void make_network(mlp *m)
{
    uint64_t random = SEED;
    m->s = cohort_mirrored("host/2");
    must(m->s != NULL, "devices");
    for (int i = 0; i < LAYERS; i++) {
        m->w[i] = make_weights(m->s, "w", i, COHORT_ARRAY((float *)NULL, widths[i], widths[i + 1]),
                               &random);
        m->b[i] = make_weights(m->s, "b", i, COHORT_ARRAY((float *)NULL, widths[i + 1]), &random);
        cohort_value **made[] = { &m->a[i], &m->e[i], &m->g[i], &m->total[i],
                                  &m->total[LAYERS + i] };
        for (size_t k = 0; k < sizeof made / sizeof *made; k++)
            must((*made[k] = cohort_value_create(m->s)) != NULL, "values");
    }
    m->in[0] = cohort_value_create(m->s);
    m->in[1] = cohort_value_create(m->s);
    m->loss = cohort_value_create(m->s);
    must(m->loss != NULL, "values");
}

static void forward(mlp *m)
{
    for (int i = 0; i < LAYERS; i++) {
        must(!cohort_matmul(m->s, &of_layer, 1, i == 0 ? m->in[0] : m->a[i - 1], m->w[i], m->a[i]),
             "layer");
        must(!cohort_run(m->s, i + 1 < LAYERS ? activate : add_bias, m->b[i], m->a[i]), "biases");
    }
    must(!cohort_run(m->s, cross_entropy, m->a[LAYERS - 1], m->in[1], m->e[LAYERS - 1], m->loss),
         "cross_entropy");
}

static void backward(mlp *m)
{
    for (int i = LAYERS - 1; i >= 0; i--) {
        must(!cohort_matmul(m->s, &of_gradient, 1, i == 0 ? m->in[0] : m->a[i - 1], m->e[i],
                            m->g[i]),
             "gradient");
        if (i > 0)
            must(!cohort_matmul(m->s, &of_back, 1, m->e[i], m->w[i], m->e[i - 1]) &&
                     !cohort_run(m->s, activate_back, m->a[i - 1], m->e[i - 1]),
                 "back");
    }
}

static void descend(mlp *m, double each)
{
    for (int i = 0; i < LAYERS; i++)
        must(!cohort_reduce(COHORT_SUM, m->g[i], COHORT_NO_AXIS, m->total[i]) &&
                 !cohort_reduce(COHORT_SUM, m->e[i], 0, m->total[LAYERS + i]) &&
                 !cohort_update(m->w[i], sgd, each, m->total[i], m->w[i]) &&
                 !cohort_update(m->b[i], sgd, each, m->total[LAYERS + i], m->b[i]),
             "descend");
}

/* ------------------------------------------------------------------ data */

static const char *path_of(const bench *t, const char *name)
{
    static char paths[2][300];
    static int next;
    next = !next;
    snprintf(paths[next], sizeof paths[next], "%s/%s", t->folder, name);
    return paths[next];
}

static void make_data(bench *t)
{
    const char *parent = getenv("TMPDIR");
    uint64_t random = SEED;
    t->x = malloc(sizeof(float[ROWS][784]));
    t->y = malloc(ROWS * sizeof *t->y);
    snprintf(t->folder, sizeof t->folder, "%s/cohort-bench-XXXXXX",
             parent != NULL ? parent : "/tmp");
    if (t->x == NULL || t->y == NULL || mkdtemp(t->folder) == NULL)
        fail("data", strerror(errno));
    for (int i = 0; i < ROWS; i++) {
        for (int j = 0; j < 784; j++)
            t->x[i][j] = random_uniform(&random, 1);
        t->y[i] = i % 10;
    }
    must(!cohort_npy_save(path_of(t, "x.npy"), COHORT_ARRAY(&t->x[0][0], ROWS, 784)) &&
             !cohort_npy_save(path_of(t, "y.npy"), COHORT_ARRAY(t->y, ROWS)),
         t->folder);
}

static void remove_data(bench *t)
{
    (void)unlink(path_of(t, "x.npy"));
    (void)unlink(path_of(t, "y.npy"));
    (void)rmdir(t->folder);
    free(t->x);
    free(t->y);
}

static cohort_input *make_input(bench *t, int manner, int batch)
{
    cohort_dataset *d;
    if (manner == 1)
        d = cohort_dataset_shuffle(
            cohort_dataset_slices(2, (cohort_array[]){ COHORT_ARRAY(&t->x[0][0], ROWS, 784),
                                                       COHORT_ARRAY(t->y, ROWS) }),
            ROWS, SEED);
    else
        d = cohort_dataset_zip(
            (cohort_dataset *[]){ cohort_dataset_npy(COHORT_FILES(path_of(t, "x.npy"))),
                                  cohort_dataset_npy(COHORT_FILES(path_of(t, "y.npy"))) },
            2);
    d = cohort_dataset_batch(cohort_dataset_repeat(d, COHORT_INFINITE), batch, true);
    cohort_input *input = cohort_distribute_dataset(t->net.s, d);
    must(input != NULL, manners[manner]);
    return input;
}

/* ------------------------------------------------------------------ turns */

/* input NULL: the batch of the step before again. Seconds of a step, and of those the wait. */
static double time_steps(mlp *m, cohort_input *input, int batch, int steps, double *out_wait)
{
    int64_t before = 0, after = 0;
    double start = turns_now();
    if (input != NULL)
        cohort_input_waits(input, NULL, &before, NULL);
    for (int i = 0; i < steps; i++) {
        must(input == NULL || cohort_input_next(input, m->in) == COHORT_OK, "next");
        forward(m);
        backward(m);
        descend(m, rate / batch);
    }
    must(!cohort_wait(m->s), "wait");
    if (input != NULL)
        cohort_input_waits(input, NULL, &after, NULL);
    *out_wait = (double)(after - before) * 1e-9 / steps;
    return (turns_now() - start) / steps;
}

static void measure(bench *t, int batch)
{
    mlp *m = &t->net;
    double times[MANNERS][TURNS], waits[MANNERS][TURNS], wait;
    cohort_input *inputs[MANNERS] = { NULL, make_input(t, 1, batch), make_input(t, 2, batch) };
    double seconds = turns_are_tiny() ? 0 : turns_are_quick() ? 0.1 : 0.5;
    int turns = turns_are_tiny() ? TINY_TURNS : TURNS;
    int warm = turns_are_tiny() ? 1 : WARM;
    int steps = (int)(seconds / time_steps(m, inputs[1], batch, warm, &wait)) + 1;
    for (int turn = 0; turn < turns; turn++)
        for (int i = 0; i < MANNERS; i++) {
            if (i > 0)
                /* the threads that slept find their cores */
                (void)time_steps(m, inputs[i], batch, warm, &wait);
            times[i][turn] = time_steps(m, inputs[i], batch, steps, &waits[i][turn]);
        }
    char row[32];
    (void)snprintf(row, sizeof row, "batch %d", batch);
    double ready = turns_median(times[0], turns);
    for (int i = 0; i < MANNERS; i++) {
        turns_put(row, manners[i], "cohort, host/2", "s", times[i], turns, ready);
        if (i > 0)
            turns_put(row, manners[i], "of it waited for input", "s", waits[i], turns, ready);
    }
    for (int i = 1; i < MANNERS; i++)
        cohort_input_destroy(inputs[i]);
}

int main(int argc, char **argv)
{
    static bench t;
    (void)argc;
    blas_begin(argv);
    make_data(&t);
    make_network(&t.net);
    turns_table("input of a training step");
    for (size_t i = 0; i < sizeof batches / sizeof *batches; i++)
        measure(&t, batches[i]);
    cohort_strategy_destroy(t.net.s);
    remove_data(&t);
    return 0;
}
