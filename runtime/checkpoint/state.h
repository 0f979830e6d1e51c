/* SPDX-License-Identifier: BSD-3-Clause */
/* What a checkpoint of a strategy is about: its variables, and the parts of the program. */
#ifndef COHORT_CHECKPOINT_STATE_H
#define COHORT_CHECKPOINT_STATE_H

#include "runtime/value/variable.h"

#include <cohort/checkpoint.h>

#include <stddef.h>

/* One of the two is there. */
typedef struct cohort_item {
    const char *name;
    cohort_variable *variable;
    const cohort_checkpoint_part *part;
    bool is_combined; /* a variable that cross-replica context can read */
    bool is_own;      /* an array that is not the same on all workers (agree.h) */
} cohort_item;

typedef struct cohort_state {
    cohort_strategy *strategy;
    const cohort_checkpoint_options *options; /* never NULL */
    cohort_item *items;                       /* [n]: variables as they were made, then parts */
    size_t n;
    double score;  /* that a save notes; NAN: none */
    uint64_t save; /* of several workers: what tells it from other saves */
} cohort_state;

/* Which of several workers this is; 0: the first one, or the only one. */
static inline int32_t cohort_state_worker(const cohort_state *state)
{
    return state->strategy->workers != NULL ? state->strategy->workers->rank : 0;
}

/* Check the options, NULL for the defaults, and list what there is. COHORT_EINVAL says what is
 * wrong with them, or which name stands twice; COHORT_ENOMEM. After a failure there is nothing to
 * free. */
cohort_status cohort_state_begin(cohort_state *out, cohort_strategy *strategy,
                                 const cohort_checkpoint_options *options);
void cohort_state_end(cohort_state *state);

/* An error of a call, whose name stands before the text, once: workers that meet say it too. */
cohort_status cohort_state_refuse(cohort_status status, const char *call);

/* Dtype, bytes of an element and shape; rank -1 of an input. */
typedef struct cohort_item_form {
    cohort_dtype dtype;
    int32_t rank;
    int64_t item_bytes;
    const int64_t *shape;
} cohort_item_form;
cohort_item_form cohort_item_form_of(const cohort_item *item);

#endif
