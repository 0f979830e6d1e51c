/* SPDX-License-Identifier: BSD-3-Clause */
/* The state of a training on its way, and how it is kept in checkpoints. */
#ifndef COHORT_CLI_COURSE_H
#define COHORT_CLI_COURSE_H

#include "cli/replay.h"
#include "cli/training.h"

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
    float *test_x; /* those to test with, which stay as they are */
    int32_t *test_y;
    cohort_metric *step_loss, *step_accuracy; /* where the figures of steps are kept */
    int64_t *rows_of_replica;
    struct nn nn;
    replay replay;       /* where steps are recorded */
    int64_t step, saved; /* steps that are done, and those that the newest checkpoint has */
    cohort_checkpoint_manager *manager; /* where it is saved */
    double start;                       /* of the epoch */
} course;

static inline int64_t course_steps_of_epoch(const course *c)
{
    return (c->train + c->plan->batch - 1) / c->plan->batch;
}

/* The rows of the epoch, in its order. */
void course_gather(course *c);

/* Go to where the training of the plan's folder was stopped; a folder that has none yet gets one of
 * the beginning, so that one that cannot be written to is told before the training. False with the
 * reason in cohort_error_text(). */
bool course_begin(course *c);

/* Save where it is due, in the middle of an epoch, or when all of it was counted; the end is on the
 * disk when the call returns. False with the reason in cohort_error_text(), or because SIGTERM
 * came: then all is saved, and out->is_stopped is true. */
bool course_keep(course *c);

/* All is done. False as course_keep: SIGTERM came in the last save, or later. */
bool course_end(course *c);

#endif
