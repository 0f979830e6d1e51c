/* SPDX-License-Identifier: BSD-3-Clause */
/* The error of a strategy, which sticks until it is cleared: the first one.
 *
 * A call that was refused has changed nothing, and what was accepted before it goes on. An
 * operation that failed stops all lanes before the call that it belongs to: what earlier calls
 * posted is still done; what this one and later ones posted is skipped where it is not done yet. So
 * what earlier calls were to write is there. Bytes that this call and later ones write may be
 * there, too, where they depend on nothing that was skipped: lanes run ahead of one another. The
 * loss of a device stops everything. */
#ifndef COHORT_EXECUTOR_FAILURE_H
#define COHORT_EXECUTOR_FAILURE_H

#include "runtime/base/error.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

typedef struct cohort_failure {
    atomic_int status; /* COHORT_OK: none */
    /* the first call whose operations are skipped: the earliest that has failed; 0: every one, for
     * a device is lost; UINT64_MAX: none */
    _Atomic uint64_t stop;
    pthread_mutex_t lock;

    /* held: lock */
    uint64_t unfit;                     /* the earliest call whose guard has found something */
    uint64_t culprit;                   /* the call whose operation failed first; 0: none */
    uint64_t read_before;               /* cohort_error_times_read, when an error began to stick */
    char text[COHORT_ERROR_BYTES];      /* of the error that sticks */
    char stop_text[COHORT_ERROR_BYTES]; /* of the first operation that failed */

    /* of what plans now, the planner's: the number of the call, and the step of the program that
     * it belongs to, 0: of none. Behind the texts, for it is written while runners look at `stop`,
     * and would take its cache line from them with every operation */
    uint64_t call, step;
} cohort_failure;

void cohort_failure_init(cohort_failure *failure);
void cohort_failure_fini(cohort_failure *failure);

static inline bool cohort_failure_is_set(cohort_failure *failure)
{
    return atomic_load_explicit(&failure->status, memory_order_acquire) != COHORT_OK;
}

/* Operations of this call that are not done yet are skipped. */
static inline bool cohort_failure_stops(cohort_failure *failure, uint64_t call)
{
    return call >= atomic_load_explicit(&failure->stop, memory_order_acquire);
}

/* An operation failed with this status and the text in the calling thread's slot. call, step: the
 * numbers of what it belongs to; 0: of none, as the loss of a device. Any thread. */
void cohort_failure_raise(cohort_failure *failure, cohort_status status, uint64_t call,
                          uint64_t step);

/* The same for the call that plans now, by the planner: an operation could not be planned as a
 * whole. */
void cohort_failure_raise_own(cohort_failure *failure, cohort_status status);

/* The text in the slot gets the step before it; 0: it stays. Returns status. */
cohort_status cohort_failure_name_step(cohort_status status, uint64_t step);

/* A call was refused with this status and the text in the slot. Any thread. */
void cohort_failure_refuse(cohort_failure *failure, cohort_status status);

/* What sticks is told otherwise from now on, by the text in the slot: what came of it says more.
 * Any thread. */
void cohort_failure_restate(cohort_failure *failure, cohort_status status);

/* The status of a failure that is set. */
cohort_status cohort_failure_tell_set(cohort_failure *failure);
cohort_status cohort_failure_tell_set_own(cohort_failure *failure);

/* The status that sticks, its text in the calling thread's slot; COHORT_OK leaves the slot alone.
 * Any thread. */
static inline cohort_status cohort_failure_tell(cohort_failure *failure)
{
    return cohort_failure_is_set(failure) ? cohort_failure_tell_set(failure) : COHORT_OK;
}

/* The same, but only when it is an operation of the call that plans now that failed. */
static inline cohort_status cohort_failure_tell_own(cohort_failure *failure)
{
    return cohort_failure_is_set(failure) ? cohort_failure_tell_set_own(failure) : COHORT_OK;
}

/* What fails next, of this call, is what the guard has found. Any thread. */
void cohort_failure_note_unfit(cohort_failure *failure, uint64_t call);

/* The lanes stand for what the guard has found, and no call was refused before. */
bool cohort_failure_is_unfit(cohort_failure *failure);

/* Why the lanes stand, "" when they do not. */
void cohort_failure_tell_stop(cohort_failure *failure, char out[COHORT_ERROR_BYTES]);

/* The log says what sticks, if no program has looked at any error since. */
void cohort_failure_say_unread(cohort_failure *failure, const char *whose);

void cohort_failure_clear(cohort_failure *failure);

#endif
