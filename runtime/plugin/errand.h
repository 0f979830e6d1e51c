/* SPDX-License-Identifier: BSD-3-Clause */
/* An errand: a call into a plugin on a thread of its own, so that one that does not return holds
 * nobody. */
#ifndef COHORT_PLUGIN_ERRAND_H
#define COHORT_PLUGIN_ERRAND_H

#include <cohort/status.h>

#include <pthread.h>
#include <stdbool.h>

typedef struct cohort_errand cohort_errand;
typedef void (*cohort_errand_fn)(cohort_errand *errand);

/* The head of what an errand brings along and brings back, allocated, all zero but for the two
 * functions. */
struct cohort_errand {
    cohort_errand_fn run, destroy; /* destroy frees it */
    pthread_mutex_t lock;
    pthread_cond_t is_back;
    /* the asker and the thread: whoever lets go last frees it, so a late answer hurts nobody */
    int holders;
    bool is_done;
};

/* Run it and wait for COHORT_TIMEOUT_OPEN at most. COHORT_ETIMEDOUT says that `what` did not
 * answer; COHORT_ENOMEM: no thread, or none that waited. In each case it is let go afterwards. The
 * thread has the default floating-point state.
 */
cohort_status cohort_errand_do(cohort_errand *errand, const char *what);

/* Run it without waiting, and let go. */
void cohort_errand_send(cohort_errand *errand);

void cohort_errand_let_go(cohort_errand *errand);

#endif
