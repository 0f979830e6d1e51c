/* SPDX-License-Identifier: BSD-3-Clause */
/* Parameter server training with a coordinator, as in the tutorial of TensorFlow: the chief
 * schedules steps, whichever worker is free makes the next one, and weights live on the servers.
 *
 *     cohort launch --jobs chief=1,worker=3,ps=1 coordinator [EPOCHS]
 *
 * The model learns a rule about four numbers from examples. Each worker makes its own in an order
 * of its own, and records its step as a program; only 16 bytes go to a worker for a step, and as
 * many come back. Where a worker is lost and the others live on (mpirun --enable-recovery of Open
 * MPI), they do its steps. */
#include "random.h"

#include <cohort/cohort.h>
#include <cohort/math.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INPUTS = 4, ROWS = 4096, BATCH = 64, STEPS = 50, EPOCHS = 4 };

/* Of a batch: a step against the weights, the last of which is a bias, and the loss. */
COHORT_FUNCTION(descend,
                (int64_t n, int64_t d, float rate, const float *x COHORT_SHAPE(n, d),
                 const float y[n], const float *w COHORT_SHAPE(d + 1),
                 COHORT_OUT float *dw COHORT_SHAPE(d + 1), COHORT_OUT float loss[1]),
                COHORT_HOST_ONLY)
{
    memset(dw, 0, (size_t)(d + 1) * sizeof *dw);
    loss[0] = 0;
    for (int64_t i = 0; i < n; i++) {
        float z = w[d];
        for (int64_t j = 0; j < d; j++)
            z += w[j] * x[i * d + j];
        float p = 1 / (1 + cohort_expf(-z)), off = rate * (p - y[i]);
        loss[0] -= cohort_logf((y[i] > 0 ? p : 1 - p) + 1e-7f);
        for (int64_t j = 0; j < d; j++)
            dw[j] += off * x[i * d + j];
        dw[d] += off;
    }
}

/* What each process has: the weights are on the servers, all else is its own. */
struct model {
    cohort_strategy *strategy;
    cohort_variable *w;
    cohort_input *input;
    cohort_program *step;
    cohort_value *each_dw, *each_loss, *dw, *loss;
    int worker;
};

static cohort_status record_step(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    struct model *m = user;
    cohort_run(s, descend, 1.0f / BATCH, batch[0], batch[1], m->w, m->each_dw, m->each_loss);
    cohort_reduce(COHORT_SUM, m->each_dw, COHORT_NO_AXIS, m->dw);
    cohort_reduce(COHORT_SUM, m->each_loss, COHORT_NO_AXIS, m->loss);
    return cohort_variable_assign_sub(m->w, m->dw);
}

/* ------------------------------------------------------------------ what workers run */

static float label_of(const float x[INPUTS])
{
    return x[0] + 2 * x[1] - x[2] > 0.25f ? 1 : 0;
}

static cohort_dataset *make_rows(int worker)
{
    static float x[ROWS][INPUTS], y[ROWS];
    uint64_t random = (uint64_t)worker + 1;
    for (int i = 0; i < ROWS; i++) {
        for (int j = 0; j < INPUTS; j++)
            x[i][j] = random_uniform(&random, 1);
        y[i] = label_of(x[i]);
    }
    const cohort_array parts[] = { COHORT_ARRAY(&x[0][0], ROWS, INPUTS), COHORT_ARRAY(y, ROWS) };
    cohort_dataset *rows = cohort_dataset_shuffle(cohort_dataset_slices(2, parts), ROWS, 7);
    return cohort_dataset_repeat(cohort_dataset_batch(rows, BATCH, true), COHORT_INFINITE);
}

/* Once on each worker: its dataset, and its step. */
static cohort_status prepare(cohort_strategy *s, const void *argument, void *result, void *user)
{
    struct model *m = user;
    cohort_spec spec[2];
    (void)argument;
    m->input = cohort_distribute_dataset(s, make_rows(m->worker));
    int n = cohort_input_element_spec(m->input, spec, 2);
    m->step = cohort_program_record(s, record_step, m, spec, n);
    *(int64_t *)result = ROWS;
    return m->step != NULL ? COHORT_OK : COHORT_EINVAL;
}

struct task {
    int64_t epoch, step;
};

struct outcome {
    double loss;
    int64_t worker;
};

static cohort_status train(cohort_strategy *s, const void *argument, void *result, void *user)
{
    const struct task *task = argument;
    struct outcome *outcome = result;
    struct model *m = user;
    (void)s;
    (void)task; /* a batch is the next one of the worker's dataset, whichever step it is for */
    cohort_status status = cohort_program_run(m->step, m->input, 1);
    if (status != COHORT_OK)
        return status;
    outcome->loss = cohort_value_scalar(m->loss) / BATCH;
    outcome->worker = m->worker;
    return COHORT_OK;
}

static const cohort_worker_function prepare_worker = { .name = "prepare",
                                                       .run = prepare,
                                                       .result_bytes = sizeof(int64_t) };
static const cohort_worker_function train_step = { .name = "train",
                                                   .run = train,
                                                   .argument_bytes = sizeof(struct task),
                                                   .result_bytes = sizeof(struct outcome) };
static const cohort_worker_function *const functions[] = { &prepare_worker, &train_step, NULL };

/* ------------------------------------------------------------------ the chief */

/* The losses of an epoch come in the order of its steps, whoever made them. */
static bool train_epoch(cohort_coordinator *c, int64_t epoch, double *out_loss)
{
    cohort_remote_value *steps[STEPS];
    bool is_good = true;
    for (int64_t i = 0; i < STEPS; i++)
        steps[i] = cohort_coordinator_schedule(c, &train_step,
                                               &(struct task){ .epoch = epoch, .step = i });
    is_good = cohort_coordinator_join(c) == COHORT_OK;
    *out_loss = 0;
    for (int i = 0; i < STEPS && is_good; i++) {
        struct outcome outcome;
        is_good = cohort_remote_value_fetch(steps[i], &outcome, sizeof outcome) == COHORT_OK;
        *out_loss += is_good ? outcome.loss / STEPS : 0;
        cohort_remote_value_destroy(steps[i]);
    }
    return is_good;
}

static double accuracy_of(const struct model *m)
{
    float w[INPUTS + 1], x[INPUTS];
    uint64_t random = 99;
    int right = 0;
    if (cohort_variable_read(m->w, COHORT_ARRAY(w, INPUTS + 1)) < 0)
        return -1;
    for (int i = 0; i < ROWS; i++) {
        float z = w[INPUTS];
        for (int j = 0; j < INPUTS; j++)
            z += w[j] * (x[j] = random_uniform(&random, 1));
        right += (z > 0) == (label_of(x) > 0);
    }
    return (double)right / ROWS;
}

static int coordinate(const struct model *m, int epochs)
{
    cohort_coordinator *c = cohort_coordinator_create(m->strategy, NULL);
    cohort_remote_value *rows = cohort_coordinator_schedule_per_worker(c, &prepare_worker, NULL);
    bool is_good = rows != NULL;
    double loss = 0, first = 0;
    for (int e = 0; e < epochs && is_good; e++) {
        is_good = train_epoch(c, e, &loss);
        first = e == 0 ? loss : first;
        if (is_good)
            printf("epoch %d: loss %.3f, on %d workers\n", e, loss,
                   cohort_coordinator_num_workers(c));
    }
    double accuracy = is_good ? accuracy_of(m) : -1;
    if (accuracy < 0)
        return fprintf(stderr, "coordinator: %s\n", cohort_error_text()), 1;
    printf("accuracy %.3f after %lld updates\n", accuracy,
           (long long)cohort_variable_updates(m->w));
    cohort_coordinator_destroy(c);
    return accuracy > 0.9 && loss <= first ? 0 : 1;
}

/* ------------------------------------------------------------------ all of them */

static bool make_model(struct model *m, cohort_resolver *cluster)
{
    const float zeros[INPUTS + 1] = { 0 };
    *m = (struct model){ .strategy = cohort_parameter_server(cluster, NULL),
                         .worker = cohort_resolver_task_id(cluster) };
    m->w = cohort_variable_create(m->strategy, "w", COHORT_ARRAY(zeros, INPUTS + 1), NULL);
    m->each_dw = cohort_value_create(m->strategy);
    m->each_loss = cohort_value_create(m->strategy);
    m->dw = cohort_value_create(m->strategy);
    m->loss = cohort_value_create(m->strategy);
    return m->loss != NULL;
}

static int take_part(cohort_resolver *cluster, int epochs)
{
    struct model m;
    int code = 0;
    if (!make_model(&m, cluster))
        code = fprintf(stderr, "coordinator: %s\n", cohort_error_text()) < 0 ? 2 : 1;
    else if (strcmp(cohort_resolver_task_type(cluster), "chief") == 0)
        code = coordinate(&m, epochs);
    else if (cohort_worker_run(m.strategy,
                               &(cohort_worker_options){ .functions = functions, .user = &m }) < 0)
        code = fprintf(stderr, "coordinator: %s\n", cohort_error_text()) < 0 ? 2 : 1;
    cohort_strategy_destroy(m.strategy);
    return code;
}

int main(int argc, char **argv)
{
    int epochs = argc > 1 ? atoi(argv[1]) : EPOCHS, code = 0;
    if (argc > 2 || epochs < 1)
        return fprintf(stderr, "usage: coordinator [EPOCHS]\n"), 2;
    cohort_resolver *cluster = cohort_resolver_mpi(COHORT_MPI_WORLD);
    if (cluster == NULL)
        return fprintf(stderr, "coordinator: %s\n", cohort_error_text()), 1;
    if (strcmp(cohort_resolver_task_type(cluster), "ps") != 0)
        code = take_part(cluster, epochs);
    else if (cohort_server_run(cluster, NULL) < 0)
        code = fprintf(stderr, "coordinator: %s\n", cohort_error_text()) < 0 ? 2 : 1;
    cohort_resolver_destroy(cluster);
    return code;
}
