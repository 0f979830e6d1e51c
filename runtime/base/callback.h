/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of the program that the library calls: step and merge functions, and those of datasets,
 * values, inputs and placements.
 *
 * A call of a strategy that fails in one of them is an error of the call around it, whatever the
 * function returns: it is noted here, in the innermost function that runs on this thread. */
#ifndef COHORT_BASE_CALLBACK_H
#define COHORT_BASE_CALLBACK_H

#include "cohort/running.h"
#include "runtime/base/error.h"

#include <stdbool.h>

/* Bodies of several replicas that one call of a plugin runs, one after the other. */
typedef struct cohort_body_row {
    const int32_t *replicas; /* [n] */
    uint32_t n;
    volatile uint32_t done; /* the plugin's: how many are over */
    uint32_t noted_in;      /* whose call was the first to fail, where one was noted */
} cohort_body_row;

/* Lies on the stack of who calls the function. Only what `begin` and `note` set may be looked
 * at. */
typedef struct cohort_callback {
    struct cohort_callback *outer;
    /* told of a failure at once, its text is in the slot; or NULL */
    void (*raise)(void *owner, cohort_status status);
    void *owner;
    const void *body_of; /* NULL: it is no body */
    /* of a body, by who begins it: for handlers of signals, and its texts live as long as it
     * runs */
    cohort_running running;
    cohort_body_row *row;     /* of bodies in a row, which say whose replica it is; or NULL */
    cohort_error_saved noted; /* the first failure; status COHORT_OK: none */
} cohort_callback;

/* The function is about to run. Empties the error slot: what it returns is not about an earlier
 * error. */
void cohort_callback_begin(cohort_callback *callback,
                           void (*raise)(void *owner, cohort_status status), void *owner);

/* The body of a function is about to run, and stands in `running`. A body returns no words, so the
 * error slot stays as it is.
 *
 * of   whose body it is */
void cohort_callback_begin_body(cohort_callback *callback, const void *of);

/* The same of bodies in a row, none of which is over or has failed: its last two members are 0. The
 * row is looked at until the end. */
void cohort_callback_begin_bodies(cohort_callback *callback, const void *of, cohort_body_row *row);

/* Between a begin and its end on this thread: a body, a step function, a function that is recorded
 * or something else of these runs there. */
bool cohort_callback_runs(void);

/* A body that was begun with this `of` runs on this thread. */
bool cohort_callback_is_in_body(const void *of);

/* The function has returned `returned`. Gives the status that counts: the function's own error,
 * else what was noted, else what it returned; of an error the slot has the sentence, the
 * function's own where it has set one. COHORT_EINVAL for a number that is no status. */
cohort_status cohort_callback_end(cohort_callback *callback, cohort_status returned);

/* The function has ended its thread and never returns. */
void cohort_callback_drop(cohort_callback *callback);

/* A call has failed, and the slot has its text: that is a failure of the innermost function that
 * runs on this thread. false: no function runs. */
bool cohort_callback_note(cohort_status status);

/* The first failure that was noted in that function, its text in the slot; COHORT_OK: there is
 * none. For calls that can only fail for the reason that an earlier one has failed. */
cohort_status cohort_callback_tell(void);

#endif
