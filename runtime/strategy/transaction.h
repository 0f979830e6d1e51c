/* SPDX-License-Identifier: BSD-3-Clause */
/* Transactions: calls that are made one by one, and made again where a device is lost meanwhile.
 *
 *     cohort_run, cohort_reduce, cohort_update   each is noted, and made
 *     cohort_input_next, a read, cohort_wait     commit: all of it is over, and counts
 *
 * The noted calls are what a step is in a program. When one of the devices is lost that they use,
 * variables are what they were at the last commit, and the calls are made again on the others. What
 * the program itself did between two calls is not. Whoever else enters the strategy commits first,
 * since it may hand content to the program or take some from it.
 *
 * Here stands what call.c asks of them; runtime/value/transaction.c has them. By who holds the
 * strategy, outside of steps, recordings and all other functions that the library calls. */
#ifndef COHORT_STRATEGY_TRANSACTION_H
#define COHORT_STRATEGY_TRANSACTION_H

#include "runtime/strategy/strategy.h"

#include <stdatomic.h>

struct cohort_recordable; /* recorder.h */

typedef struct cohort_transaction {
    /* A call is about to be made. The error of what had to be waited for. */
    cohort_status (*begin)(cohort_strategy *strategy);

    /* This is it. The error of its keep, COHORT_ENOMEM. */
    cohort_status (*note)(cohort_strategy *strategy, const char *call,
                          const struct cohort_recordable *recordable, const void *request);

    /* The latest was refused: it has changed nothing. */
    void (*forget_latest)(cohort_strategy *strategy);

    /* Something has failed. True: a device was lost, the strategy goes on without it, and the noted
     * calls have been made again. False: the failure is the program's. */
    bool (*redo)(cohort_strategy *strategy);

    /* All noted calls are over, and count; or have failed, and stay as the failure leaves them. */
    void (*commit)(cohort_strategy *strategy);

    /* The program was given the error that is up, which sticks from then on. Set by any thread. */
    atomic_bool has_told;
} cohort_transaction;

/* The strategy is to have something that could be lost: calls are noted from now on, where they are
 * to survive that. Any number of times. COHORT_ENOMEM. */
cohort_status cohort_transaction_prepare(cohort_strategy *strategy);

#endif
