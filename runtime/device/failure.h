/* SPDX-License-Identifier: BSD-3-Clause */
/* The first error of a strategy, which sticks until it is cleared. */
#ifndef COHORT_DEVICE_FAILURE_H
#define COHORT_DEVICE_FAILURE_H

#include "runtime/base/error.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

typedef struct cohort_failure {
    atomic_int status; /* COHORT_OK: none */
    pthread_mutex_t lock;
    char text[COHORT_ERROR_BYTES]; /* held: lock */
} cohort_failure;

void cohort_failure_init(cohort_failure *failure);
void cohort_failure_fini(cohort_failure *failure);

static inline bool cohort_failure_is_set(cohort_failure *failure)
{
    return atomic_load_explicit(&failure->status, memory_order_acquire) != COHORT_OK;
}

/* Keep this status and the text in the calling thread's slot, unless an earlier failure is kept already. Any thread. */
void cohort_failure_raise(cohort_failure *failure, cohort_status status);

/* The status that is kept, its text in the calling thread's slot; COHORT_OK leaves the slot alone. Any thread. */
cohort_status cohort_failure_tell(cohort_failure *failure);

void cohort_failure_clear(cohort_failure *failure);

#endif
