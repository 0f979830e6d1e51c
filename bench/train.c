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
 * recorded, 100 steps a run, from an input, with and without rollback. All use the same arithmetic;
 * before they are timed their weights are compared, to the last bit.
 *
 * And the price of replicas: the first network in one body, 16, 128 and 512 rows cut into 1 to 16
 * replicas on one device, beside one replica that has all rows.
 *
 * And the start: a process from nothing to its first finished step of softmax at batch 32.
 * usage: train [--first hand | --first cohort], which is such a process. */
#include "config.h"

#include "bench/blas.h"
#include "bench/rows.h"
#include "bench/train_cohort.h"
#include "bench/train_hand.h"
#include "bench/turns.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROWS = 8192, MOST_BATCH = 1024, RECORDED = 100, FORMS = 2 };

static const int batches[] = { 32, 256, MOST_BATCH };
static const char *const forms[FORMS] = { "layer by layer", "one body" };

/* Steps of a run of recorded ones. */
static int recorded_steps(void)
{
    return turns_are_tiny() ? 2 : RECORDED;
}

typedef struct hand {
    const train_task *task;
    train_hand net;
    int next;
} hand;

static void step_by_hand(void *user)
{
    hand *t = user;
    const train_task *k = t->task;
    int first = train_take_batch(k, &t->next);
    train_hand_step(&t->net, k->batch, k->x + first * k->model->widths[0], k->y + first);
}

/* ------------------------------------------------------------------ results */

/* As many steps as a recorded run has, by hand and so, from the same weights on. */
static void check(const train_task *k, const char *who, train_cohort *t, bool is_recorded)
{
    size_t bytes = (size_t)train_weights(k->model) * sizeof(float);
    hand by_hand = { k, train_hand_create(k->model, k->batch, k->each, TRAIN_HAND_SHARED), 0 };
    float *found = malloc(bytes);
    if (found == NULL)
        abort();
    for (int i = 0; i < recorded_steps(); i++) {
        step_by_hand(&by_hand);
        if (!is_recorded)
            train_cohort_step(t);
    }
    if (is_recorded)
        train_cohort_run(t);
    train_cohort_read(t, found);
    if (memcmp(found, by_hand.net.w[0], bytes) != 0) {
        fprintf(stderr, "train: %s, %s: the weights are not those by hand\n", k->model->name, who);
        exit(1);
    }
    free(found);
    train_hand_destroy(&by_hand.net);
}

/* ------------------------------------------------------------------ rows */

static void measure(const train_task *k)
{
    enum { HANDS = 3, WAYS = 4, SIDES = HANDS + WAYS * FORMS };
    static const char *const ways[WAYS] = { "recorded", "recorded, no rollback", "calls",
                                            "a wait a step" };
    static char names[SIDES][64], how[100];
    static const char *const hands[HANDS] = { "by hand", "by hand, one shared copy",
                                              "by hand, one shared copy, sums stored" };
    static const train_hand_kind kinds[HANDS] = { TRAIN_HAND_MIRRORED, TRAIN_HAND_SHARED,
                                                  TRAIN_HAND_SHARED_SUMS };
    char row[64];
    hand by_hand[HANDS];
    train_cohort *trainers[SIDES] = { NULL };
    turns_side sides[SIDES];
    (void)snprintf(how, sizeof how, "2 replicas of 1 thread, %s", blas_name());
    for (int i = 0; i < HANDS; i++) {
        by_hand[i] = (hand){ k, train_hand_create(k->model, k->batch, k->each, kinds[i]), 0 };
        sides[i] = (turns_side){ hands[i], how, step_by_hand, .bench = &by_hand[i] };
        sides[i].is_limit = kinds[i] != TRAIN_HAND_SHARED_SUMS;
    }
    for (int i = HANDS; i < SIDES; i++) {
        int form = (i - HANDS) / WAYS, way = (i - HANDS) % WAYS;
        int recorded = way < 2 ? recorded_steps() : 0;
        train_task task = *k;
        task.has_no_rollback = way == 1;
        trainers[i] = train_cohort_create(&task, (train_form)form, recorded);
        (void)snprintf(names[i], sizeof names[i], "cohort, %s, %s", forms[form], ways[way]);
        check(k, names[i], trainers[i], recorded > 0);
        sides[i] = (turns_side){ names[i], how, .bench = trainers[i], .finish = train_cohort_wait };
        sides[i].call = recorded > 0 ? train_cohort_run
                        : way == 2   ? train_cohort_step
                                     : train_cohort_step_and_wait;
        sides[i].steps = recorded;
    }
    (void)snprintf(row, sizeof row, "%s, batch %d", k->model->name, k->batch);
    turns_row(row, sides, SIDES);
    for (int i = 0; i < HANDS; i++)
        train_hand_destroy(&by_hand[i].net);
    for (int i = HANDS; i < SIDES; i++)
        train_cohort_destroy(trainers[i]);
}

/* k: of one replica. */
static void measure_replicas(const train_task *k)
{
    enum { SIDES = 5 };
    static char names[SIDES][32];
    char row[64];
    train_task tasks[SIDES];
    train_cohort *trainers[SIDES];
    turns_side sides[SIDES];
    for (int i = 0; i < SIDES; i++) {
        tasks[i] = *k;
        tasks[i].replicas = 1 << i;
        trainers[i] = train_cohort_create(&tasks[i], TRAIN_ONE_BODY, recorded_steps());
        (void)snprintf(names[i], sizeof names[i], "cohort, R = %d", tasks[i].replicas);
        sides[i] = (turns_side){
            names[i],          "host, one body, recorded", train_cohort_run,
            train_cohort_wait, .bench = trainers[i],       .steps = recorded_steps()
        };
    }
    (void)snprintf(row, sizeof row, "%s, %d rows", k->model->name, k->batch);
    turns_row(row, sides, SIDES);
    for (int i = 0; i < SIDES; i++)
        train_cohort_destroy(trainers[i]);
}

static void measure_model(const train_model *m, const int32_t *y, int rows)
{
    float *x = train_rows(rows, m->widths[0]);
    for (size_t b = 0; b < sizeof batches / sizeof *batches; b++)
        measure(&(train_task){ "host/2", TRAIN_REPLICAS, m, x, y, batches[b], rows,
                               0.01f / (float)batches[b], false, NULL, COHORT_LOSS_MOVE });
    free(x);
}

static void measure_price(const train_model *m, const int32_t *y, int rows)
{
    static const int cut[] = { 16, 128, 512 };
    float *x = train_rows(rows, m->widths[0]);
    turns_table("the price of replicas");
    for (size_t b = 0; b < sizeof cut / sizeof *cut; b++)
        measure_replicas(&(train_task){ "host", 1, m, x, y, cut[b], rows, 0.01f / (float)cut[b],
                                        false, NULL, COHORT_LOSS_MOVE });
    free(x);
}

/* ------------------------------------------------------------------ the start */

static void take_first_step(bool is_by_hand)
{
    const train_model *m = &train_models[1];
    static int32_t y[MOST_BATCH];
    float *x = train_rows(batches[0], m->widths[0]);
    train_task k = { "host/2", TRAIN_REPLICAS,  m, x, y, batches[0], batches[0], 0.01f, false,
                     NULL,     COHORT_LOSS_MOVE };
    if (is_by_hand) {
        hand t = { &k, train_hand_create(m, k.batch, k.each, TRAIN_HAND_MIRRORED), 0 };
        step_by_hand(&t);
        train_hand_destroy(&t.net);
    } else {
        train_cohort *t = train_cohort_create(&k, TRAIN_LAYER_BY_LAYER, 0);
        train_cohort_step_and_wait(t);
        train_cohort_destroy(t);
    }
    free(x);
}

/* plugins: what COHORT_PLUGINS is to be; NULL: as it is. */
static void start(const char *who, const char *plugins)
{
    int status = 0;
    fflush(NULL);
    pid_t id = fork();
    if (id == 0) {
        if (plugins != NULL)
            (void)setenv("COHORT_PLUGINS", plugins, 1);
        (void)execl("/proc/self/exe", "train", "--first", who, (char *)NULL);
        _exit(127);
    }
    if (id < 0 || waitpid(id, &status, 0) != id || status != 0) {
        fprintf(stderr, "train: a process for the first step: %s\n", strerror(errno));
        exit(1);
    }
}

static void start_by_hand(void *user)
{
    (void)user;
    start("hand", NULL);
}

static void start_cohort(void *user)
{
    (void)user;
    start("cohort", NULL);
}

static void start_cohort_host(void *user)
{
    (void)user;
    start("cohort", "host");
}

static void measure_start(void)
{
    turns_side sides[] = {
        { "by hand", "", start_by_hand, .is_limit = true },
        { "cohort", "host/2, all plugins may load", .call = start_cohort },
        { "cohort, COHORT_PLUGINS=host", "host/2", .call = start_cohort_host },
    };
    turns_table(ROWS_START);
    turns_row(ROWS_FIRST_STEP, sides, sizeof sides / sizeof *sides);
}

int main(int argc, char **argv)
{
    blas_begin(argv);
    if (argc == 3 && strcmp(argv[1], "--first") == 0) {
        take_first_step(strcmp(argv[2], "hand") == 0);
        return 0;
    }
    int rows = turns_are_tiny() ? 2 * MOST_BATCH : ROWS;
    int32_t *y = train_labels(rows);
    turns_table(ROWS_TRAINING);
    for (size_t i = 0; i < TRAIN_MODELS; i++)
        measure_model(&train_models[i], y, rows);
    measure_price(&train_models[0], y, rows);
    measure_start();
    free(y);
    return 0;
}
