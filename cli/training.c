/* SPDX-License-Identifier: BSD-3-Clause */
/* A training: epochs over shuffled rows, steps of one batch each, after each a validation. All
 * random numbers come from one seed in one order, so that two trainings differ in nothing but the
 * devices. */
#include "config.h"

#include "cli/training.h"

#include "cli/course.h"

#include <stdlib.h>
#include <time.h>

enum { MOST_LOGGED = 100000000 }; /* rows of steps, so that products fit */

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
    c->out->epoch = calloc((size_t)c->plan->epochs, sizeof *c->out->epoch);
    c->out->device = calloc((size_t)devices, sizeof *c->out->device);
    c->out->devices = devices;
    return c->order && c->x && c->y && c->rows_of_replica && c->out->epoch && c->out->device;
}

/* The rows to test with lie behind those of an epoch. Takes the dataset of their numbers. */
static bool gather_tests(course *c, cohort_dataset *test)
{
    cohort_array numbers[1];
    c->test = cohort_dataset_cardinality(test);
    c->test_x = &c->x[c->train * c->data->features];
    c->test_y = &c->y[c->train];
    cohort_iterator *it = cohort_dataset_iterate(cohort_dataset_batch(test, c->test, true));
    bool is_good = it != NULL && cohort_iterator_next(it, numbers) == COHORT_OK;
    if (is_good)
        nn_gather(c->data->x, c->data->features, c->data->y, numbers[0].data, c->test, c->test_x,
                  c->test_y);
    cohort_iterator_destroy(it);
    return is_good;
}

/* Only an epoch shuffles again, and only the rows to train with. */
static bool split(course *c)
{
    cohort_dataset *part[2];
    samples_split(c->data, &c->random, c->order);
    if (samples_parts(c->data, c->order, part) < 0)
        return false;
    c->train = cohort_dataset_cardinality(part[0]);
    cohort_dataset_destroy(part[0]);
    return gather_tests(c, part[1]);
}

/* Asked of the value, which knows how a batch was divided; of replicas of other processes it does
 * not, and they get what is left, as evenly as the batch was divided. */
static void count_rows(course *c, int64_t rows)
{
    int first, n = cohort_strategy_local_replicas(c->nn.strategy, &first),
               all = cohort_strategy_num_replicas(c->nn.strategy);
    for (int r = 0; r < all; r++)
        c->rows_of_replica[r] += r >= first && r < first + n ? cohort_value_rows(c->nn.x, r)
                                                             : rows / all + (r < rows % all);
}

void course_gather(course *c)
{
    nn_gather(c->data->x, c->data->features, c->data->y, c->order, c->train, c->x, c->y);
}

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* ------------------------------------------------------------------ figures of steps */

/* Metrics of their own, so that those of the epoch stay what they are. */
static bool open_steps(course *c)
{
    int64_t each = c->plan->log_steps, n = (course_steps_of_epoch(c) + each - 1) / each;
    c->step_loss = cohort_metric_create(c->nn.strategy, "mean", "step loss");
    c->step_accuracy = cohort_metric_create(c->nn.strategy, "accuracy", "step accuracy");
    if (c->step_loss == NULL || c->step_accuracy == NULL)
        return false;
    if (n <= MOST_LOGGED / c->plan->epochs) {
        c->out->most_steps = n * c->plan->epochs;
        c->out->steps = calloc((size_t)c->out->most_steps, sizeof *c->out->steps);
    }
    if (c->out->steps == NULL)
        (void)cohort_error_set(COHORT_ENOMEM, "out of memory for the figures of the steps");
    return c->out->steps != NULL;
}

/* step: of all epochs, from 1. Waits, when it is the last of those that are kept together. */
static bool count_step(course *c, int64_t epoch, int64_t step)
{
    training_steps kept = { .epoch = epoch + 1, .step = step };
    int64_t in_epoch = step - epoch * course_steps_of_epoch(c);
    if (cohort_metric_update(c->step_loss, c->nn.loss, NULL) != COHORT_OK ||
        cohort_metric_update(c->step_accuracy, c->nn.z, c->nn.y) != COHORT_OK)
        return false;
    if (in_epoch % c->plan->log_steps != 0 && in_epoch != course_steps_of_epoch(c))
        return true;
    if (!nn_take(c->step_loss, &kept.training.loss) ||
        !nn_take(c->step_accuracy, &kept.training.accuracy))
        return false;
    kept.time = seconds_now();
    c->out->steps[c->out->n_steps++] = kept;
    return true;
}

/* ------------------------------------------------------------------ epochs */

static int64_t rows_of_step(const course *c, int64_t in_epoch)
{
    int64_t left = c->train - in_epoch * c->plan->batch;
    return left < c->plan->batch ? left : c->plan->batch;
}

/* What may be kept in the middle of an epoch: at its end it is counted first. */
static bool keep_inside(course *c)
{
    return c->step % course_steps_of_epoch(c) == 0 || course_keep(c);
}

/* The last batch has what is left; the network is built for any number of rows. */
static bool train_batches(course *c, int64_t epoch)
{
    int64_t steps = course_steps_of_epoch(c);
    for (int64_t i = c->step - epoch * steps; i < steps; i++) {
        int64_t first = i * c->plan->batch;
        if (!nn_step(&c->nn, &c->x[first * c->data->features], &c->y[first], rows_of_step(c, i),
                     c->plan->rate, c->plan->decay))
            return false;
        if (c->plan->balances && cohort_strategy_balance(c->nn.strategy) < 0)
            return false;
        count_rows(c, rows_of_step(c, i));
        progress_step(c->shown, epoch + 1, ++c->step);
        if (c->plan->log_steps > 0 && !count_step(c, epoch, c->step))
            return false;
        if (!keep_inside(c))
            return false;
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

static void count_replayed(course *c, int64_t epoch, int64_t done)
{
    for (int64_t i = 0; i < done; i++)
        count_shares(c, rows_of_step(c, c->step++ - epoch * course_steps_of_epoch(c)));
    progress_step(c->shown, epoch + 1, c->step);
}

/* A replay that was restored is where it was, in the middle of an epoch. */
static bool replay_batches(course *c, int64_t epoch)
{
    int64_t end = (epoch + 1) * course_steps_of_epoch(c), done;
    bool is_inside = c->step % course_steps_of_epoch(c) != 0;
    cohort_status status = is_inside ? COHORT_OK : replay_begin(&c->replay);
    while (status == COHORT_OK && c->step < end) {
        if (c->plan->balances && cohort_strategy_balance(c->nn.strategy) < 0)
            return false;
        status = replay_run(&c->replay, &done);
        count_replayed(c, epoch, done);
        if (status >= 0 && !keep_inside(c))
            return false;
    }
    return status >= 0;
}

/* A device was lost in calls that are made one by one, and the others go on: they are to be made
 * again. Recorded steps do that themselves. */
static bool has_lost(course *c)
{
    cohort_status status = cohort_strategy_status(c->nn.strategy);
    return (status == COHORT_ELOST || status == COHORT_ETIMEDOUT) &&
           cohort_strategy_recover(c->nn.strategy) >= 0;
}

/* The rows are borrowed until the figures are taken, which waits. Nothing of it changes a
 * weight. */
static bool validate_once(course *c, figures *out)
{
    struct nn *nn = &c->nn;
    return nn_forward(nn, c->test_x, c->test_y, c->test) &&
           cohort_run(nn->strategy, cross_entropy, nn->z, nn->y, nn->e, nn->loss) == COHORT_OK &&
           nn_count(nn) && nn_take(nn->mean_loss, &out->loss) &&
           nn_take(nn->accuracy, &out->accuracy);
}

static bool validate(course *c, figures *out)
{
    return validate_once(c, out) ||
           (has_lost(c) && cohort_metric_reset(c->nn.mean_loss) >= 0 &&
            cohort_metric_reset(c->nn.accuracy) >= 0 && validate_once(c, out));
}

static bool take(course *c, cohort_metric *metric, double *out)
{
    return nn_take(metric, out) || (has_lost(c) && nn_take(metric, out));
}

/* An epoch that was stopped in the middle has its rows already. */
static bool train_rows(course *c, int64_t epoch)
{
    c->start = progress_clock();
    if (c->step % course_steps_of_epoch(c) == 0) {
        random_shuffle(c->order, c->train, &c->random);
        course_gather(c);
    }
    return c->plan->steps_per_run > 0 ? replay_batches(c, epoch) : train_batches(c, epoch);
}

/* The batches of an epoch are borrowed pieces of x and y, which do not change before all of them
 * were read. The time of validation is no time of training. */
static bool train_epoch(course *c, int64_t epoch)
{
    training_epoch *out = &c->out->epoch[epoch];
    if (!train_rows(c, epoch) || !take(c, c->nn.mean_loss, &out->training.loss) ||
        !take(c, c->nn.accuracy, &out->training.accuracy) || cohort_wait(c->nn.strategy) < 0)
        return false;
    c->out->seconds += progress_clock() - c->start;
    out->validation = (figures){ NAN, NAN };
    if (c->plan->validates && !validate(c, &out->validation))
        return false;
    out->time = seconds_now();
    progress_epoch(c->shown, epoch + 1, out->training, out->validation);
    return course_keep(c);
}

/* ------------------------------------------------------------------ the end */

static bool read_weights(course *c)
{
    c->out->n_weights = nn_weights(&c->nn);
    c->out->weights = malloc((size_t)c->out->n_weights * sizeof *c->out->weights);
    return c->out->weights != NULL && nn_read(&c->nn, c->out->weights);
}

/* As the metric accuracy predicts: the first class with the highest score, which a NaN never is. A
 * row of nothing else has no prediction, and is not counted. */
static void count_predictions(course *c, const float *scores)
{
    int64_t k = c->data->classes;
    for (int64_t i = 0; i < c->test; i++) {
        int64_t best = -1;
        for (int64_t j = 0; j < k; j++)
            if (!isnan(scores[i * k + j]) && (best < 0 || scores[i * k + j] > scores[i * k + best]))
                best = j;
        if (best >= 0)
            c->out->confusion[c->test_y[i] * k + best]++;
    }
}

/* z still has the scores of the last validation, where there was one: a training that was over
 * before is only shown. */
static bool read_confusion(course *c)
{
    bool is_over = c->out->from_step == c->plan->epochs * course_steps_of_epoch(c);
    if (is_over && !nn_forward(&c->nn, c->test_x, c->test_y, c->test))
        return false;
    int64_t k = c->data->classes;
    cohort_value *all = cohort_value_create(c->nn.strategy);
    float *scores = malloc((size_t)c->test * (size_t)k * sizeof *scores);
    c->out->confusion = calloc((size_t)k * (size_t)k, sizeof *c->out->confusion);
    bool has_memory = scores != NULL && c->out->confusion != NULL;
    if (!has_memory)
        (void)cohort_error_set(COHORT_ENOMEM, "out of memory for the scores of the test rows");
    bool is_read = has_memory && all != NULL && cohort_gather(c->nn.z, 0, all) == COHORT_OK &&
                   cohort_value_read(all, COHORT_ARRAY(scores, c->test, k)) == COHORT_OK;
    if (is_read)
        count_predictions(c, scores);
    free(scores);
    return is_read;
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

static bool follow(course *c)
{
    if (!split(c))
        return false;
    c->out->steps_per_epoch = course_steps_of_epoch(c);
    if (!nn_create(&c->nn, c->nn.strategy, c->data->features, c->data->classes, &c->random) ||
        (c->plan->log_steps > 0 && !open_steps(c)))
        return false;
    if ((c->plan->steps_per_run > 0 && !open_replay(c)) || !course_begin(c))
        return false;
    for (int64_t epoch = c->step / c->out->steps_per_epoch; epoch < c->plan->epochs; epoch++)
        if (!train_epoch(c, epoch))
            return false;
    return (!c->plan->validates || read_confusion(c)) && read_weights(c) && describe_devices(c) &&
           course_end(c);
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
    out->skipped = cohort_strategy_skipped(strategy, NULL);
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
    free(t->epoch);
    free(t->steps);
    free(t->confusion);
    free(t->weights);
    free(t->device);
}
