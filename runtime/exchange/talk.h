/* SPDX-License-Identifier: BSD-3-Clause */
/* A talk with others is all that is said between two points at which nobody waits for more: a
 * meeting, and the bytes that follow it. A thread that ends the process breaks into none. */
#ifndef COHORT_EXCHANGE_TALK_H
#define COHORT_EXCHANGE_TALK_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

typedef struct cohort_talk {
    pthread_mutex_t lock;
    pthread_cond_t given_up;
    int depth;             /* of talks of the thread that has the lock; they nest */
    bool is_taken;         /* for ever */
    atomic_bool is_wanted; /* by the thread that ends the process: nobody begins before it */
} cohort_talk;

void cohort_talk_init(cohort_talk *talk);
void cohort_talk_fini(cohort_talk *talk); /* with none under way */

/* By one thread at a time, but for the one that ends the process. Where that has taken it, or waits
 * for it, begin stands until the process is gone: a lock goes to whoever comes first, so a loop of
 * talks would keep the end of the process waiting for as long as it likes. */
void cohort_talk_begin(cohort_talk *talk);
void cohort_talk_end(cohort_talk *talk);

/* Take it for the thread that ends the process: blocks until a talk of another thread is over, and
 * none begins but on this thread. False: this thread is in the middle of one, and may say
 * nothing. */
bool cohort_talk_take(cohort_talk *talk);

#endif
