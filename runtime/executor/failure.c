/* SPDX-License-Identifier: BSD-3-Clause */
/* The error that sticks to a strategy, set by any thread and read by most calls.
 *
 * `lock` guards the texts and makes "the first one wins" true. `status` and `stop` are atomics, so
 * that the usual look, nothing has failed, takes no lock: they are stored with release after the
 * text is written, and whoever loads them with acquire finds the text complete. Once set, a text
 * does not change until cohort_failure_clear or _restate, which are called when nothing is under
 * way. */
#include "config.h"

#include "runtime/executor/failure.h"

#include "runtime/base/log.h"

#include <string.h>

void cohort_failure_init(cohort_failure *failure)
{
    memset(failure, 0, sizeof *failure);
    atomic_init(&failure->status, COHORT_OK);
    atomic_init(&failure->stop, UINT64_MAX);
    failure->unfit = UINT64_MAX;
    pthread_mutex_init(&failure->lock, NULL);
}

void cohort_failure_fini(cohort_failure *failure)
{
    pthread_mutex_destroy(&failure->lock);
}

static void copy_slot(char out[COHORT_ERROR_BYTES])
{
    memcpy(out, cohort_error_slot(), strlen(cohort_error_slot()) + 1);
}

/* The first error wins: later ones are mostly its consequences. held: lock */
static void stick(cohort_failure *failure, cohort_status status)
{
    if (atomic_load(&failure->status) != COHORT_OK)
        return;
    copy_slot(failure->text);
    failure->read_before = cohort_error_times_read();
    atomic_store_explicit(&failure->status, status, memory_order_release);
}

cohort_status cohort_failure_name_step(cohort_status status, uint64_t step)
{
    return step == 0
               ? status
               : cohort_error_prefix(status, "step %llu of a program", (unsigned long long)step);
}

/* An operation that failed stops lanes, while a refused call does not: so there are two "first"
 * ones. `culprit` stays 0 when a call was refused before, for then the text that sticks is not that
 * of this operation. Why the lanes stand is what the earliest call has failed for, which may be
 * found after a later one's, for lanes run ahead; where another error sticks its text is logged,
 * since no call will tell it. */
void cohort_failure_raise(cohort_failure *failure, cohort_status status, uint64_t call,
                          uint64_t step)
{
    (void)cohort_failure_name_step(status, step);
    pthread_mutex_lock(&failure->lock);
    bool is_up = atomic_load(&failure->status) != COHORT_OK,
         is_first = atomic_load(&failure->stop) == UINT64_MAX,
         is_earliest = call < atomic_load(&failure->stop);
    if (is_earliest)
        copy_slot(failure->stop_text);
    if (is_first && !is_up)
        failure->culprit = call;
    stick(failure, status);
    if (is_earliest)
        atomic_store_explicit(&failure->stop, call, memory_order_release);
    pthread_mutex_unlock(&failure->lock);
    if (is_earliest && is_up)
        cohort_log(COHORT_SUBSYSTEM_EXECUTOR, COHORT_LOG_ERROR, "%s", cohort_error_slot());
}

void cohort_failure_raise_own(cohort_failure *failure, cohort_status status)
{
    cohort_failure_raise(failure, status, failure->call, failure->step);
}

void cohort_failure_refuse(cohort_failure *failure, cohort_status status)
{
    pthread_mutex_lock(&failure->lock);
    stick(failure, status);
    pthread_mutex_unlock(&failure->lock);
}

void cohort_failure_restate(cohort_failure *failure, cohort_status status)
{
    pthread_mutex_lock(&failure->lock);
    copy_slot(failure->text);
    atomic_store_explicit(&failure->status, status, memory_order_release);
    pthread_mutex_unlock(&failure->lock);
}

/* It may have been cleared meanwhile. */
cohort_status cohort_failure_tell_set(cohort_failure *failure)
{
    pthread_mutex_lock(&failure->lock);
    cohort_status status = atomic_load(&failure->status);
    if (status != COHORT_OK)
        (void)cohort_error_set(status, "%s", failure->text);
    pthread_mutex_unlock(&failure->lock);
    return status;
}

cohort_status cohort_failure_tell_set_own(cohort_failure *failure)
{
    pthread_mutex_lock(&failure->lock);
    bool is_own = failure->culprit == failure->call;
    pthread_mutex_unlock(&failure->lock);
    return is_own ? cohort_failure_tell_set(failure) : COHORT_OK;
}

void cohort_failure_note_unfit(cohort_failure *failure, uint64_t call)
{
    pthread_mutex_lock(&failure->lock);
    if (call < failure->unfit)
        failure->unfit = call;
    pthread_mutex_unlock(&failure->lock);
}

bool cohort_failure_is_unfit(cohort_failure *failure)
{
    pthread_mutex_lock(&failure->lock);
    const uint64_t stop = atomic_load(&failure->stop);
    const bool is_unfit = failure->culprit != 0 && stop == failure->unfit && stop != UINT64_MAX;
    pthread_mutex_unlock(&failure->lock);
    return is_unfit;
}

void cohort_failure_tell_stop(cohort_failure *failure, char out[COHORT_ERROR_BYTES])
{
    pthread_mutex_lock(&failure->lock);
    memcpy(out, failure->stop_text, strlen(failure->stop_text) + 1);
    pthread_mutex_unlock(&failure->lock);
}

void cohort_failure_say_unread(cohort_failure *failure, const char *whose)
{
    char text[COHORT_ERROR_BYTES] = "";
    if (!cohort_failure_is_set(failure))
        return;
    pthread_mutex_lock(&failure->lock);
    if (failure->read_before == cohort_error_times_read())
        memcpy(text, failure->text, strlen(failure->text) + 1);
    pthread_mutex_unlock(&failure->lock);
    if (text[0] != '\0')
        cohort_log(COHORT_SUBSYSTEM_EXECUTOR, COHORT_LOG_WARNING,
                   "%s with an error that nobody has read: %s", whose, text);
}

void cohort_failure_clear(cohort_failure *failure)
{
    pthread_mutex_lock(&failure->lock);
    failure->text[0] = failure->stop_text[0] = '\0';
    failure->culprit = 0;
    failure->unfit = UINT64_MAX;
    atomic_store(&failure->stop, UINT64_MAX);
    atomic_store(&failure->status, COHORT_OK);
    pthread_mutex_unlock(&failure->lock);
}
