/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading ahead: a thread of ours runs a cursor and puts what it gives into a ring. */
#ifndef COHORT_DATASET_PREFETCH_H
#define COHORT_DATASET_PREFETCH_H

#include "runtime/data/dataset/cursor.h"

/* How much is read ahead. */
typedef struct cohort_prefetch_room {
    int64_t elements; /* 0 or more; no more than the dataset has are made room for */
    int64_t bytes;    /* of elements that wait: no other is read while they have as many; 0: any */
} cohort_prefetch_room;

/* A cursor that gives what `input` gives, read ahead as far as there is room. The thread starts
 * with the first element asked for; until then skipping is the input's own. Where no thread can be
 * had, the input is read when it is asked. With 0 elements, and over a dataset that is_lasting,
 * *out is the input itself.
 *
 * input  taken, also on failure: then it is closed
 * Returns COHORT_OK, COHORT_ENOMEM. Closing waits for what the input is in the middle of. */
cohort_status cohort_prefetch_open(cohort_cursor *input, const cohort_prefetch_room *room,
                                   cohort_cursor **out);

/* The answer that the next call of `next` will meet, of a cursor that cohort_prefetch_open has
 * opened: one that is there, one that the thread is making, or nobody who reads ahead. Starts the
 * thread. */
typedef enum cohort_ahead {
    COHORT_AHEAD_NONE,
    COHORT_AHEAD_COMING,
    COHORT_AHEAD_READY
} cohort_ahead;
cohort_ahead cohort_prefetch_look(cohort_cursor *cursor);

#endif
