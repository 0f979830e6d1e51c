/* SPDX-License-Identifier: BSD-3-Clause */
/* An input goes to a saved position in two steps: what may fail, beside the sources that it reads,
 * and what cannot fail. */
#ifndef COHORT_INPUT_MOVE_H
#define COHORT_INPUT_MOVE_H

#include "runtime/input/position.h"

/* The sources to read from now on, whose turn it is, and the manner. */
typedef struct cohort_restored {
    cohort_source *sources;
    int32_t n, next;
    cohort_manner manner;
    bool is_resharded;
} cohort_restored;

typedef struct cohort_move {
    cohort_input *input;
    const cohort_position *position;
    cohort_restored restored;
} cohort_move;

/* Find and open what the position says. The input is as it was; position is borrowed until the move
 * is over. COHORT_EINVAL says what differs; COHORT_ENOMEM; the errors of reading, for rows may have
 * to be passed over. After a failure there is nothing to drop.
 *
 * file  where the position stands, for messages */
cohort_status cohort_move_begin(cohort_move *out, cohort_input *input, cohort_position *position,
                                const char *file);

/* The input is there now; or stays as it was. Either ends the move. */
void cohort_move_make(cohort_move *move);
void cohort_move_drop(cohort_move *move);

/* Where the input is, if it can go on from there: what has failed, or owes the rows of a wrong
 * call, stands at no place that could be told. COHORT_EINVAL; COHORT_ENOMEM. */
cohort_status cohort_move_position(const cohort_input *input, cohort_position *out);

#endif
