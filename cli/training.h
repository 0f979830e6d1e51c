/* SPDX-License-Identifier: BSD-3-Clause */
/* One training of the demo's network, and what came out. */
#ifndef COHORT_CLI_TRAINING_H
#define COHORT_CLI_TRAINING_H

#include "cli/figures.h"
#include "cli/progress.h"
#include "cli/samples.h"
#include "examples/nn.h"

typedef struct training_plan {
    int64_t epochs, batch;
    int64_t steps_per_run; /* of a program; 0: the calls of a step are made one by one */
    uint64_t seed;
    double rate, decay;
    bool validates;         /* on the test rows, after each epoch */
    int64_t log_steps;      /* keep the figures of that many steps at a time; 0: of none */
    const char *checkpoint; /* folder that it goes on from, and is saved to; NULL: none */
    int64_t every;          /* steps between two saves; 0: those of an epoch */
    bool balances;          /* the devices, after each step */
} training_plan;

/* Times are seconds since 1970. */
typedef struct training_epoch {
    figures training, validation; /* validation: NaN without one */
    double time;
} training_epoch;

/* The steps since the one before in its epoch. */
typedef struct training_steps {
    int64_t epoch, step; /* from 1; step: the last of them, over all epochs */
    figures training;
    double time;
} training_steps;

typedef struct training_device {
    const char *id;
    int32_t replicas;
    int64_t rows; /* trained, over all epochs */
} training_device;

typedef struct training {
    int64_t n_weights;
    float *weights;
    int64_t steps_per_epoch;
    training_epoch *epoch; /* one per epoch of the plan */
    training_steps *steps;
    int64_t n_steps, most_steps; /* that there are, and that there is room for */
    int64_t from_step;           /* that were done before, by the checkpoint */
    int64_t skipped;             /* of those that it has made itself, by the strategy's guard */
    bool is_stopped;             /* SIGTERM ended it, and all is saved */
    int64_t *confusion; /* [classes][classes]: test rows by label and prediction, at the end */
    double seconds;
    int devices;
    training_device *device;
} training;

/* Train on a strategy that stays the caller's. False with the reason in cohort_error_text(). */
bool training_run(training *out, cohort_strategy *strategy, const samples *data,
                  const training_plan *plan, progress *shown);
void training_free(training *t);

#endif
