/* SPDX-License-Identifier: BSD-3-Clause */
/* The training step through Cohort: a strategy with a network of bench/train_model.h on it, whose
 * steps are called one by one or recorded. What fails ends the program with a sentence. */
#ifndef COHORT_BENCH_TRAIN_COHORT_H
#define COHORT_BENCH_TRAIN_COHORT_H

#include "bench/train_model.h"

#include <cohort/cluster.h>
#include <cohort/strategy.h>

#include <stdbool.h>

enum { TRAIN_MOST_REPLICAS = 16 };

/* What a side of a row trains on: batches in order from these rows.
 * each     learning rate divided by the rows of a batch
 * workers  that share the replicas; NULL: this process has all
 * loss     of a device; all zero: that of a strategy that says nothing */
typedef struct train_task {
    const char *devices;
    int replicas;
    const train_model *model;
    const float *x;
    const int32_t *y;
    int batch, rows;
    float each;
    bool has_no_rollback;
    cohort_resolver *workers;
    cohort_loss loss;
} train_task;

/* The first row of the next batch. */
static inline int train_take_batch(const train_task *k, int *next)
{
    int first = *next;
    *next = first + 2 * k->batch > k->rows ? 0 : first + k->batch;
    return first;
}

/* The gradients of all layers as one list; the whole step as one body; each gradient by itself,
 * once it is there. */
typedef enum train_form { TRAIN_LAYER_BY_LAYER, TRAIN_ONE_BODY, TRAIN_SUM_EACH } train_form;

typedef struct train_cohort train_cohort;

/* recorded: steps of a run of the recorded step, whose batches come from an input; 0: it is not
 * recorded. task: lent. */
train_cohort *train_cohort_create(const train_task *task, train_form form, int recorded);
void train_cohort_destroy(train_cohort *t);

/* `t` is a train_cohort: what turns time. step makes the calls of one step, wait ends them, run
 * replays a run of recorded ones. */
void train_cohort_step(void *t);
void train_cohort_wait(void *t);
void train_cohort_step_and_wait(void *t);
void train_cohort_run(void *t);

/* All weights, in the order of the model. Waits. */
void train_cohort_read(train_cohort *t, float *out);

#endif
