/* SPDX-License-Identifier: BSD-3-Clause */
/* What the thread of a manager has to say it leaves in the manager, where the next call finds it;
 * until it is joined, the copy is the thread's. */
#include "config.h"

#include "runtime/checkpoint/manager.h"

#include "runtime/base/thread.h"

#include <inttypes.h>
#include <string.h>

/* Whether this thread runs a callback of a manager: what waits for the save would wait for
 * itself. */
static _Thread_local bool is_in_callback;

static void tell_durable(const cohort_checkpoint_manager *m, const char *path)
{
    is_in_callback = true;
    m->options.durable(path, m->writing, m->options.user);
    is_in_callback = false;
}

cohort_status cohort_manager_check_thread(const char *call)
{
    return !is_in_callback
               ? COHORT_OK
               : cohort_error_set(COHORT_EINVAL,
                                  "%s: called in a callback of a checkpoint manager, whose save is "
                                  "over when it returns; call it on another thread",
                                  call);
}

static void *write_copy(void *argument)
{
    cohort_checkpoint_manager *m = argument;
    char path[COHORT_LIMIT_PATH_BYTES];
    cohort_status status =
        cohort_manager_is_across(m)
            ? cohort_shards_write(&m->shards)
            : cohort_state_copy_write(&m->copy, m->folder, m->options.keep, m->options.best, path);
    if (status >= 0)
        cohort_error_clear();
    else
        (void)cohort_error_prefix(status, "the save of step %" PRId64, m->writing);
    cohort_error_save(&m->result);
    m->result.status = status;
    if (status >= 0 && m->options.durable != NULL && !cohort_manager_is_across(m))
        tell_durable(m, path);
    atomic_store_explicit(&m->is_written, true, memory_order_release);
    return NULL;
}

/* Of one worker the memory stays for the next copy. */
static void free_copy(cohort_checkpoint_manager *m)
{
    if (cohort_manager_is_across(m))
        cohort_shards_free(&m->shards);
    else
        cohort_state_copy_drop(&m->copy);
}

cohort_status cohort_manager_start(cohort_checkpoint_manager *m, int64_t step)
{
    m->writing = step;
    atomic_store_explicit(&m->is_written, false, memory_order_relaxed);
    int why = cohort_thread_start(&m->thread, write_copy, m);
    m->is_writing = why == 0;
    if (why == 0)
        return COHORT_OK;
    free_copy(m);
    return cohort_error_set(COHORT_ENOMEM, "no thread for the save of step %" PRId64 ": %s", step,
                            strerror(why));
}

/* Whether the save that is under way is over; of several workers it is when all have said so. */
static bool is_over(const cohort_checkpoint_manager *m)
{
    return cohort_manager_is_across(m) ? m->agreed.is_written
                                       : atomic_load_explicit(&m->is_written, memory_order_acquire);
}

/* What this worker has written is there; the generation is when all have. */
static cohort_status commit(cohort_checkpoint_manager *m)
{
    char path[COHORT_LIMIT_PATH_BYTES];
    cohort_status status = cohort_shards_commit(&m->shards, m->options.keep, m->options.best, path);
    if (status < 0)
        return cohort_error_prefix(status, "the save of step %" PRId64, m->writing);
    if (m->options.durable != NULL)
        tell_durable(m, path);
    return status;
}

cohort_status cohort_manager_collect(cohort_checkpoint_manager *m, bool waits)
{
    if (!m->is_writing || (!waits && !is_over(m)))
        return COHORT_OK;
    (void)pthread_join(m->thread, NULL);
    m->is_writing = m->agreed.is_written = false;
    cohort_status status = m->result.status;
    if (status < 0)
        cohort_error_restore(&m->result);
    else if (cohort_manager_is_across(m))
        status = commit(m);
    free_copy(m);
    if (status >= 0)
        m->saved = m->writing;
    return status;
}

void cohort_manager_drop(cohort_checkpoint_manager *m)
{
    (void)pthread_join(m->thread, NULL);
    m->is_writing = false;
    free_copy(m);
}
