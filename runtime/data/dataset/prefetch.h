/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading ahead: a thread of ours runs a cursor and puts what it gives into a ring. */
#ifndef COHORT_DATASET_PREFETCH_H
#define COHORT_DATASET_PREFETCH_H

#include "runtime/data/dataset/cursor.h"

/* A cursor that gives what `input` gives, read up to `elements` ahead. The thread starts with the
 * first element asked for; until then skipping is the input's own. Where no thread can be had, the
 * input is read when it is asked. With 0 elements, and over a dataset that is_lasting, *out is the
 * input itself.
 *
 * input     taken, also on failure: then it is closed
 * elements  0 or more; no more than the dataset has are made room for
 * Returns COHORT_OK, COHORT_ENOMEM. Closing waits for what the input is in the middle of. */
cohort_status cohort_prefetch_open(cohort_cursor *input, int64_t elements, cohort_cursor **out);

/* What the next call of `next` will meet, of a cursor that cohort_prefetch_open has opened: an
 * answer that is there, one that the thread is making, or nobody who reads ahead. Starts the
 * thread. */
typedef enum cohort_ahead {
    COHORT_AHEAD_NONE,
    COHORT_AHEAD_COMING,
    COHORT_AHEAD_READY
} cohort_ahead;
cohort_ahead cohort_prefetch_look(cohort_cursor *cursor);

#endif
