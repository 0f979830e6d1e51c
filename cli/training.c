/* SPDX-License-Identifier: BSD-3-Clause */
/* A training: epochs over shuffled rows, steps of one batch each, then a test. All random numbers
 * come from one seed in one order, so that two trainings differ in nothing but the devices. */
#include "config.h"

#include "cli/training.h"

#include "cli/replay.h"

#include <stdlib.h>

/* What a training needs on its way. */
typedef struct course {
    training *out;
    const samples *data;
    const training_plan *plan;
    progress *shown;
    int64_t train, test;
    uint64_t random;
    int32_t *order; /* all rows, shuffled once: train, then test */
    float *x;       /* the rows of an epoch, in its order */
    int32_t *y;
    int64_t *rows_of_replica;
    struct nn nn;
    replay replay; /* where steps are recorded */
} course;

/* A part that was allocated is freed by training_run and training_free, also when another was
 * not. */
static bool allocate(course *c)
{
    int replicas = cohort_strategy_num_replicas(c->nn.strategy),
        devices = cohort_strategy_devices(c->nn.strategy, NULL, 0);
    size_t rows = (size_t)c->data->rows;
    c->order = malloc(rows * sizeof *c->order);
    c->x = malloc(rows * (size_t)c->data->features * sizeof *c->x);
    c->y = malloc(rows * sizeof *c->y);
    c->rows_of_replica = calloc((size_t)replicas, sizeof *c->rows_of_replica);
    c->out->loss = calloc((size_t)c->plan->epochs, sizeof *c->out->loss);
    c->out->device = calloc((size_t)devices, sizeof *c->out->device);
    c->out->devices = devices;
    return c->order && c->x && c->y && c->rows_of_replica && c->out->loss && c->out->device;
}

static void split(course *c)
{
    c->train = samples_training_rows(c->data);
    c->test = c->data->rows - c->train;
    samples_split(c->data, &c->random, c->order);
}

/* Asked of the value, which knows how a batch was divided. */
static void count_rows(course *c)
{
    int first, n = cohort_strategy_local_replicas(c->nn.strategy, &first);
    for (int r = first; r < first + n; r++)
        c->rows_of_replica[r] += cohort_value_rows(c->nn.x, r);
}

static int64_t steps_of_epoch(const course *c)
{
    return (c->train + c->plan->batch - 1) / c->plan->batch;
}

/* The last batch has what is left; the network is built for any number of rows. */
static bool train_batches(course *c, int64_t epoch)
{
    int64_t step = epoch * steps_of_epoch(c);
    for (int64_t first = 0; first < c->train; first += c->plan->batch) {
        int64_t rows = c->train - first < c->plan->batch ? c->train - first : c->plan->batch;
        if (!nn_step(&c->nn, &c->x[first * c->data->features], &c->y[first], rows, c->plan->rate,
                     c->plan->decay))
            return false;
        count_rows(c);
        progress_step(c->shown, epoch + 1, ++step);
    }
    return true;
}

/* What count_rows counts, of the batches that a replay had. */
static void count_shares(course *c, int64_t rows)
{
    int replicas = cohort_strategy_num_replicas(c->nn.strategy);
    for (int r = 0; r < replicas; r++)
        c->rows_of_replica[r] += rows / replicas + (r < rows % replicas);
}

static void count_batches(course *c)
{
    for (int64_t first = 0; first < c->train; first += c->plan->batch)
        count_shares(c, c->train - first < c->plan->batch ? c->train - first : c->plan->batch);
}

static bool replay_batches(course *c, int64_t epoch)
{
    int64_t step = epoch * steps_of_epoch(c), end = step + steps_of_epoch(c), done;
    cohort_status status = replay_begin(&c->replay);
    while (status == COHORT_OK && step < end) {
        status = replay_run(&c->replay, &done);
        progress_step(c->shown, epoch + 1, step += done);
    }
    count_batches(c);
    return status >= 0;
}

/* The batches of an epoch are borrowed pieces of x and y, which do not change before all of them
 * were read. */
static bool train_epoch(course *c, int64_t epoch)
{
    double loss, accuracy;
    random_shuffle(c->order, c->train, &c->random);
    nn_gather(c->data->x, c->data->features, c->data->y, c->order, c->train, c->x, c->y);
    bool is_trained =
        c->plan->steps_per_run > 0 ? replay_batches(c, epoch) : train_batches(c, epoch);
    if (!is_trained || !nn_take(c->nn.mean_loss, &loss) || !nn_take(c->nn.accuracy, &accuracy) ||
        cohort_wait(c->nn.strategy) < 0)
        return false;
    c->out->loss[epoch] = c->out->final_loss = loss;
    progress_epoch(c->shown, epoch + 1, loss, accuracy);
    return true;
}

static bool read_weights(course *c)
{
    c->out->n_weights = nn_weights(&c->nn);
    c->out->weights = malloc((size_t)c->out->n_weights * sizeof *c->out->weights);
    return c->out->weights != NULL && nn_read(&c->nn, c->out->weights);
}

/* x and y are used again for the test rows, so that all reading is waited for before they are
 * freed. */
static bool test(course *c)
{
    nn_gather(c->data->x, c->data->features, c->data->y, &c->order[c->train], c->test, c->x, c->y);
    return nn_evaluate(&c->nn, c->x, c->y, c->test, &c->out->test_accuracy) && read_weights(c) &&
           cohort_wait(c->nn.strategy) >= 0;
}

/* Devices host contiguous replicas, in order. */
static bool describe_devices(course *c)
{
    const cohort_device **list = calloc((size_t)c->out->devices, sizeof *list);
    if (list == NULL)
        return false;
    int r;
    (void)cohort_strategy_local_replicas(c->nn.strategy, &r);
    cohort_strategy_devices(c->nn.strategy, list, c->out->devices);
    for (int d = 0; d < c->out->devices; d++) {
        training_device *device = &c->out->device[d];
        *device = (training_device){ cohort_device_id(list[d]),
                                     cohort_strategy_hosted(c->nn.strategy, d), 0 };
        for (int end = r + device->replicas; r < end; r++)
            device->rows += c->rows_of_replica[r];
    }
    free(list);
    return true;
}

static bool open_replay(course *c)
{
    const replay_rows rows = { c->x, c->y, c->train, c->plan->batch };
    return replay_open(&c->replay, &c->nn, &rows, c->plan->rate, c->plan->decay);
}

/* The time of the training alone: neither making the network nor testing it is part of it. */
static bool follow(course *c)
{
    split(c);
    if (!nn_create(&c->nn, c->nn.strategy, c->data->features, c->data->classes, &c->random))
        return false;
    double start = progress_clock();
    if (c->plan->steps_per_run > 0 && !open_replay(c))
        return false;
    for (int64_t epoch = 0; epoch < c->plan->epochs; epoch++)
        if (!train_epoch(c, epoch))
            return false;
    c->out->seconds = progress_clock() - start;
    return test(c) && describe_devices(c);
}

bool training_run(training *out, cohort_strategy *strategy, const samples *data,
                  const training_plan *plan, progress *shown)
{
    course c = { .out = out,
                 .data = data,
                 .plan = plan,
                 .shown = shown,
                 .random = plan->seed,
                 .nn = { .strategy = strategy } };
    bool is_good = allocate(&c) && follow(&c);
    cohort_wait(strategy); /* also after a failure: devices may still read what is freed here */
    free(c.order);
    free(c.x);
    free(c.y);
    free(c.rows_of_replica);
    replay_free(&c.replay);
    return is_good;
}

void training_free(training *t)
{
    free(t->loss);
    free(t->weights);
    free(t->device);
}
