/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads of the plugin's own. */
#ifndef COHORT_KIT_THREAD_H
#define COHORT_KIT_THREAD_H

#include <pthread.h>

/* Start a thread on which no handler of the program runs but for faults of its own. attributes may
 * be NULL. Returns 0, or the error number of pthread_create. */
int thread_start(pthread_t *out_thread, const pthread_attr_t *attributes, void *(*run)(void *),
                 void *argument);

#endif
