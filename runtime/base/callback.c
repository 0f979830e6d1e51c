/* SPDX-License-Identifier: BSD-3-Clause */
/* A thread has a list of bodies that run, because functions of the program nest: a merge function
 * runs inside a step function, and the function of a map may iterate over another dataset. Begin
 * and end are strictly nested too, so the list is a stack and needs no memory of its own. */
#include "config.h"

#include "runtime/base/callback.h"

#include <stdatomic.h>
#include <stddef.h>

/* From the function that was called last outwards; each entry lies on the stack of whoever calls
 * the function. No lock: no other thread ever looks at the list. */
static _Thread_local cohort_callback *innermost;

static void enter(cohort_callback *callback, void (*raise)(void *owner, cohort_status status),
                  void *owner)
{
    callback->outer = innermost;
    callback->raise = raise;
    callback->owner = owner;
    callback->body_of = NULL;
    callback->noted.status = COHORT_OK;
    innermost = callback;
}

void cohort_callback_begin(cohort_callback *callback,
                           void (*raise)(void *owner, cohort_status status), void *owner)
{
    enter(callback, raise, owner);
    cohort_error_clear();
}

static void enter_body(cohort_callback *callback, const void *of, cohort_body_row *row)
{
    enter(callback, NULL, NULL);
    callback->row = row;
    /* a handler that sees body_of must see this and `running`, too */
    atomic_signal_fence(memory_order_release);
    callback->body_of = of;
}

void cohort_callback_begin_body(cohort_callback *callback, const void *of)
{
    enter_body(callback, of, NULL);
}

void cohort_callback_begin_bodies(cohort_callback *callback, const void *of, cohort_body_row *row)
{
    enter_body(callback, of, row);
}

/* The last one also behind its end, and where a plugin counts wrongly. */
static int32_t replica_of(const cohort_body_row *row)
{
    uint32_t done = row->done;
    return row->replicas[done < row->n ? done : row->n - 1];
}

/* For a handler of a signal, which may come at any instruction: it reads what begin_body has set
 * before it set body_of, and takes no lock. */
cohort_status cohort_running_here(cohort_running *out)
{
    const cohort_callback *callback = innermost;
    while (callback != NULL && callback->body_of == NULL)
        callback = callback->outer;
    if (callback == NULL || out == NULL || out->struct_size < sizeof *out)
        return COHORT_ENOENT;
    *out = callback->running;
    if (callback->row != NULL)
        out->replica = replica_of(callback->row);
    return COHORT_OK;
}

bool cohort_callback_runs(void)
{
    return innermost != NULL;
}

bool cohort_callback_is_in_body(const void *of)
{
    for (const cohort_callback *callback = innermost; callback != NULL; callback = callback->outer)
        if (callback->body_of == of)
            return true;
    return false;
}

void cohort_callback_drop(cohort_callback *callback)
{
    innermost = callback->outer;
}

cohort_status cohort_callback_end(cohort_callback *callback, cohort_status returned)
{
    cohort_callback_drop(callback);
    if (returned == COHORT_OK && callback->noted.status == COHORT_OK)
        return COHORT_OK;
    if (!cohort_error_is_status(returned))
        return cohort_error_set(COHORT_EINVAL, "it returned %d, which is no status", returned);
    if (returned > 0)
        return cohort_error_set(COHORT_EINVAL,
                                "it returned %d (%s), which is neither COHORT_OK nor an error",
                                returned, cohort_status_text(returned));
    if (returned < 0 && cohort_error_slot()[0] == '\0')
        (void)cohort_error_set(returned, "it returned %d (%s)", returned,
                               cohort_status_text(returned));
    /* the function's own error counts more than one of a call that it has made */
    if (returned < 0 || callback->noted.status == COHORT_OK)
        return returned;
    cohort_error_restore(&callback->noted);
    return callback->noted.status;
}

/* The first failure is kept, as the cause of those behind it; whether there is one is asked by
 * the call that called the function, when the function has returned. */
bool cohort_callback_note(cohort_status status)
{
    cohort_callback *callback = innermost;
    if (callback == NULL)
        return false;
    if (callback->noted.status != COHORT_OK)
        return true;
    cohort_error_save(&callback->noted);
    callback->noted.status = status;
    if (callback->body_of != NULL && callback->row != NULL)
        callback->row->noted_in = callback->row->done;
    if (callback->raise != NULL) {
        callback->raise(callback->owner, status);
        /* raise may have used the slot, and the call answers with the text of its own failure */
        cohort_error_restore(&callback->noted);
    }
    return true;
}

cohort_status cohort_callback_tell(void)
{
    if (innermost == NULL || innermost->noted.status == COHORT_OK)
        return COHORT_OK;
    cohort_error_restore(&innermost->noted);
    return innermost->noted.status;
}
