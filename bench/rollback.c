/* SPDX-License-Identifier: BSD-3-Clause */
/* bench/rollback: what it costs that a step can be undone, and made again: the training step of the
 * network 784-256-128-10 on 2 replicas of one thread each, recorded, at batch 32 and 256, in turns
 *
 *   no rollback       variables are written in place, and a loss ends the strategy
 *   rollback          each has a second buffer
 *   kept              the same, and each step is kept until it is over, so that one in which a
 *                     device is lost is made again; a deadline for launches is what makes parts
 *                     of the host devices that may be lost
 *   kept, loss fails  the deadline alone: bodies run on workers, and nothing is kept
 *
 * by a body that updates in place (layer by layer: built of items) and with all weights in one
 * variable. */
#include "config.h"

#include "bench/blas.h"
#include "bench/must.h"
#include "bench/rows.h"
#include "bench/train_cohort.h"
#include "bench/turns.h"

#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 8192, RECORDED = 100 };

typedef struct way {
    const char *name;
    bool has_no_rollback, may_be_lost;
    cohort_loss loss;
} way;

static const way ways[] = { { "no rollback", true, false, COHORT_LOSS_FAIL },
                            { "rollback", false, false, COHORT_LOSS_FAIL },
                            { "a deadline, loss fails", false, true, COHORT_LOSS_FAIL },
                            { "a deadline, steps are kept", false, true, COHORT_LOSS_MOVE } };
enum { WAYS = sizeof ways / sizeof *ways };

static train_cohort *open_way(const train_task *k, train_form form, const way *w)
{
    train_task task = *k;
    task.has_no_rollback = w->has_no_rollback;
    task.loss = w->loss;
    must(!w->may_be_lost || setenv("COHORT_TIMEOUT_LAUNCH", "60", 1) == 0, "a deadline");
    train_cohort *t = train_cohort_create(&task, form, turns_are_tiny() ? 2 : RECORDED);
    must(unsetenv("COHORT_TIMEOUT_LAUNCH") == 0, "no deadline");
    return t;
}

static void measure(const train_task *k, train_form form, const char *what)
{
    char row[64];
    train_cohort *trainers[WAYS];
    turns_side sides[WAYS];
    for (int i = 0; i < WAYS; i++) {
        trainers[i] = open_way(k, form, &ways[i]);
        sides[i] = (turns_side){ ways[i].name,         what,
                                 train_cohort_run,     train_cohort_wait,
                                 .bench = trainers[i], .steps = turns_are_tiny() ? 2 : RECORDED };
    }
    (void)snprintf(row, sizeof row, "%s, batch %d", k->model->name, k->batch);
    turns_row(row, sides, WAYS);
    for (int i = 0; i < WAYS; i++)
        train_cohort_destroy(trainers[i]);
}

int main(int argc, char **argv)
{
    static const int batches[] = { 32, 256 };
    const train_model *m = &train_models[0];
    const int rows = turns_are_tiny() ? 512 : ROWS;
    (void)argc;
    blas_begin(argv);
    int32_t *y = train_labels(rows);
    float *x = train_rows(rows, m->widths[0]);
    turns_table("what can be undone, and made again");
    for (size_t b = 0; b < sizeof batches / sizeof *batches; b++) {
        train_task k = { .devices = "host/2", .replicas = 2, .model = m, .x = x, .y = y };
        k.rows = rows;
        k.batch = batches[b];
        k.each = 0.01f / (float)k.batch;
        measure(&k, TRAIN_LAYER_BY_LAYER, "layer by layer");
        measure(&k, TRAIN_ONE_BODY, "one body");
    }
    free(x);
    free(y);
    return 0;
}
