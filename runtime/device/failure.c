/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/device/failure.h"

#include <string.h>

void cohort_failure_init(cohort_failure *failure)
{
    atomic_init(&failure->status, COHORT_OK);
    pthread_mutex_init(&failure->lock, NULL);
    failure->text[0] = '\0';
}

void cohort_failure_fini(cohort_failure *failure)
{
    pthread_mutex_destroy(&failure->lock);
}

void cohort_failure_raise(cohort_failure *failure, cohort_status status)
{
    pthread_mutex_lock(&failure->lock);
    if (atomic_load(&failure->status) == COHORT_OK) {
        memcpy(failure->text, cohort_error_text(), strlen(cohort_error_text()) + 1);
        atomic_store_explicit(&failure->status, status, memory_order_release);
    }
    pthread_mutex_unlock(&failure->lock);
}

cohort_status cohort_failure_tell(cohort_failure *failure)
{
    if (!cohort_failure_is_set(failure))
        return COHORT_OK;
    pthread_mutex_lock(&failure->lock);
    cohort_status status = atomic_load(&failure->status);
    if (status != COHORT_OK)
        (void)cohort_error_set(status, "%s", failure->text);
    pthread_mutex_unlock(&failure->lock);
    return status;
}

void cohort_failure_clear(cohort_failure *failure)
{
    pthread_mutex_lock(&failure->lock);
    failure->text[0] = '\0';
    atomic_store(&failure->status, COHORT_OK);
    pthread_mutex_unlock(&failure->lock);
}
