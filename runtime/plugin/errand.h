/* SPDX-License-Identifier: BSD-3-Clause */
/* An errand: a call into a plugin on a thread of its own, so that one that does not return holds
 * nobody. */
#ifndef COHORT_PLUGIN_ERRAND_H
#define COHORT_PLUGIN_ERRAND_H

#include <cohort/status.h>

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct cohort_errand cohort_errand;
typedef void (*cohort_errand_fn)(cohort_errand *errand);

/* The first member of a struct that holds what the call needs and what it answers. */
struct cohort_errand {
    cohort_errand_fn run; /* makes the call, on the thread */
    void *block;          /* freed with the struct: what the call needs beside it; NULL: nothing */
    pthread_mutex_t lock;
    pthread_cond_t is_back;
    /* held: lock, and is_done. The asker and the thread hold the struct, so that an answer that
     * comes after the asker has gone finds it */
    int holders;
    bool is_done;
};

/* A struct of so many bytes, all zero but for its errand; NULL: out of memory. The last one that
 * lets go frees the struct, and its block. */
void *cohort_errand_create(size_t bytes, cohort_errand_fn run);

/* Run the errand on a thread with the default floating-point state, and wait for it as long as
 * COHORT_TIMEOUT_OPEN says. The caller still holds the errand afterwards, whatever is returned.
 *
 * COHORT_ETIMEDOUT  `what` did not answer; its thread is left behind
 * COHORT_ENOMEM     no thread could be started, nothing ran */
cohort_status cohort_errand_do(cohort_errand *errand, const char *what);

/* Run the errand on a thread, let go, and do not wait. */
void cohort_errand_send(cohort_errand *errand);

/* Stop holding the errand, which the caller must not touch afterwards. */
void cohort_errand_let_go(cohort_errand *errand);

#endif
