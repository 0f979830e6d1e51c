/* SPDX-License-Identifier: BSD-3-Clause */
/* A closure: a function that was scheduled, its argument, and what has come of it. Whoever looks at
 * it holds it: the remote value, the queue, workers that have it, closures that it cancelled. */
#ifndef COHORT_COORDINATOR_CLOSURE_H
#define COHORT_COORDINATOR_CLOSURE_H

#include "runtime/coordinator/words.h"

#include <cohort/coordinator.h>

#include <stdbool.h>

typedef struct cohort_closure {
    struct cohort_closure *next; /* in the queue, or among those of each worker */
    int32_t n_holders;
    uint64_t number; /* from 1, in the order in which they were scheduled */
    char name[COHORT_WORDS_NAME];
    size_t argument_bytes, result_bytes;
    /* per worker: results of all, and its place among such closures, from 1; else 1, and 0 */
    int32_t n_results;
    uint64_t round;
    int32_t n_to_come; /* workers that have not done it */
    char *argument;    /* [argument_bytes] */
    char *results;     /* [n_results * result_bytes] */
    /* COHORT_EAGAIN: it is to come; COHORT_OK: its results are there; else its own error, with its
     * text, or NULL where there was no memory for that */
    cohort_status status;
    char *why;
    struct cohort_closure *cause; /* the closure because of which it was cancelled; or NULL */
} cohort_closure;

/* Held once, by the caller. results: 1, or one for each worker. NULL: COHORT_ENOMEM. */
cohort_closure *cohort_closure_create(const cohort_worker_function *function, const void *argument,
                                      int32_t n_results);

cohort_closure *cohort_closure_hold(cohort_closure *closure);
void cohort_closure_drop(cohort_closure *closure); /* NULL is allowed */

static inline bool cohort_closure_is_over(const cohort_closure *closure)
{
    return closure->status != COHORT_EAGAIN;
}

/* It has failed, with the text in the slot. */
void cohort_closure_fail(cohort_closure *closure, cohort_status status);

/* It will not be done, because of another one that has failed; NULL: for the reason in the slot. */
void cohort_closure_cancel(cohort_closure *closure, cohort_closure *cause);

/* Its status, with the text of an error in the slot. */
cohort_status cohort_closure_tell(const cohort_closure *closure, const char *call);

#endif
