/* SPDX-License-Identifier: BSD-3-Clause */
/* The steps of a training as a program: recorded once, and replayed epoch after epoch. */
#ifndef COHORT_CLI_REPLAY_H
#define COHORT_CLI_REPLAY_H

#include "examples/nn.h"

/* The rows of an epoch in batches, whose memory the caller fills before each epoch. */
typedef struct replay_rows {
    float *x;
    int32_t *y;
    int64_t rows, batch;
} replay_rows;

/* Dies with the strategy of the network, but for its memory. */
typedef struct replay {
    struct nn_recorded step;
    cohort_input *input;
    cohort_program *program;
    float *rates;
} replay;

/* False with the reason in cohort_error_text(). */
bool replay_open(replay *r, const struct nn *nn, const replay_rows *rows, double rate,
                 double decay);

/* The first steps of an epoch are next. */
cohort_status replay_begin(replay *r);

/* Replay as many steps as the strategy has per run. COHORT_END: the epoch ended before the last of
 * them. *out_steps: how many were done. */
cohort_status replay_run(replay *r, int64_t *out_steps);

void replay_free(replay *r); /* after the strategy has waited */

#endif
