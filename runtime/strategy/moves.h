/* SPDX-License-Identifier: BSD-3-Clause */
/* Moves: buffers that are to lie on other devices, all of them or none.
 *
 *     each owner adds what it has; wait; where nothing failed: take, else drop
 *
 * Until they are taken nothing has changed for the owners. All of it is the planner's, when nothing
 * else is posted. */
#ifndef COHORT_STRATEGY_MOVES_H
#define COHORT_STRATEGY_MOVES_H

#include "runtime/operation/ledger.h"
#include "runtime/operation/transfer.h"

/* A buffer, by its owner.
 *
 * at      where the owner keeps it; NULL there: it has none yet
 * device  the owner's number of its device
 * epoch   of what it holds, which becomes 0 where nothing is copied; NULL: it has none
 * bytes   of what it holds and is copied; 0: nothing is
 * from    what is copied in place of it; NULL: itself
 * memory  of this process, which is copied in place of it; NULL: none */
typedef struct cohort_moving {
    cohort_buffer **at;
    int32_t *device;
    cohort_noted *epoch;
    uint64_t bytes;
    cohort_buffer *from;
    const void *memory;
} cohort_moving;

typedef struct cohort_moved {
    cohort_moving what;
    int32_t to;
    cohort_buffer *made; /* NULL: there is none to move */
} cohort_moved;

typedef struct cohort_moves {
    cohort_executor *executor;
    const int32_t *host; /* [replicas]: logical device 0 of each, as it is to be */
    int32_t n_hosts;     /* of the strategy */
    cohort_moved *list;  /* [n] */
    size_t n, capacity;
} cohort_moves;

/* Where a replica's memory on one of its logical devices is to lie. */
static inline int32_t cohort_moves_device(const cohort_moves *moves, int32_t replica,
                                          int32_t logical)
{
    return moves->host[replica] + logical * moves->n_hosts;
}

/* It is to lie on device `to`, on which it does not lie yet: makes a buffer there, and posts the
 * copy. COHORT_ENOMEM. */
cohort_status cohort_moves_add(cohort_moves *moves, const cohort_moving *what, int32_t to);

/* Nothing that was posted has failed. */
void cohort_moves_take(cohort_moves *moves);

void cohort_moves_drop(cohort_moves *moves);

#endif
