/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/strategy/recorder.h"

#include "runtime/base/memory.h"
#include "runtime/strategy/scope.h"
#include "runtime/strategy/strategy.h"

#include <string.h>

/* ------------------------------------------------------------------ who records */

/* Recordings nest, since a step function may record a step of another strategy. Each recorder lies
 * on the stack of its cohort_program_record, so no other thread may look at the list. */
static _Thread_local cohort_recorder *innermost;

void cohort_recorder_begin(cohort_recorder *recorder)
{
    recorder->outer = innermost;
    innermost = recorder;
    atomic_store_explicit(&recorder->strategy->recorder, recorder, memory_order_relaxed);
}

void cohort_recorder_end(cohort_recorder *recorder)
{
    innermost = recorder->outer;
    atomic_store_explicit(&recorder->strategy->recorder, NULL, memory_order_relaxed);
}

/* Asked by every call that can be recorded: what is the thread's own is looked at only while
 * somebody records. The thread that records has set the mark itself, and sees it. The function of a
 * merge call in a step that is traced records on whichever thread it runs. */
cohort_recorder *cohort_recorder_here(const cohort_strategy *s)
{
    cohort_recorder *recorder = cohort_recorder_of(s);
    if (recorder == NULL || cohort_scope_of_step() == s)
        return NULL;
    if (cohort_scope_of_merge() == s)
        return recorder;
    const cohort_recorder *own = innermost;
    while (own != NULL && own != recorder)
        own = own->outer;
    return own != NULL ? recorder : NULL;
}

/* ------------------------------------------------------------------ what is kept */

void *cohort_recorder_copy(cohort_recorder *recorder, const void *from, size_t count, size_t size)
{
    if (from == NULL)
        return NULL;
    void *copy = cohort_arena_take(recorder->arena, count, size);
    if (copy == NULL)
        (void)cohort_error_memory("a recorded call");
    else if (count * size > 0)
        memcpy(copy, from, count * size);
    return copy;
}

char *cohort_recorder_text(cohort_recorder *recorder, const char *text)
{
    return text != NULL ? cohort_recorder_copy(recorder, text, strlen(text) + 1, 1) : NULL;
}

static void note_call(cohort_used_object *used, size_t number)
{
    if (used->last == number)
        return;
    used->before = used->last;
    used->last = number;
}

cohort_status cohort_recorder_use(cohort_recorder *recorder, const void *object,
                                  cohort_handle_kind kind, const char *call, const char *what)
{
    cohort_status status = cohort_handle_check(object, kind, call, what);
    if (status < 0 || recorder->is_borrowing)
        return status;
    for (size_t i = 0; i < recorder->n_used; i++)
        if (recorder->used[i].object == object) {
            note_call(&recorder->used[i], recorder->number);
            return COHORT_OK;
        }
    if (!cohort_grow((void **)&recorder->used, &recorder->used_capacity, recorder->n_used + 1,
                     sizeof *recorder->used))
        return cohort_error_memory("a recorded call");
    cohort_used_object *used = &recorder->used[recorder->n_used++];
    *used =
        (cohort_used_object){ cohort_memory_own(object), false, call, what, recorder->number, 0 };
    used->object->n_users++;
    return COHORT_OK;
}

void cohort_used_object_leave(const cohort_used_object *used)
{
    if (!used->is_gone)
        used->object->n_users--;
}

cohort_status cohort_used_object_check(const cohort_used_object *used)
{
    return used->is_gone ? cohort_error_set(COHORT_EINVAL, "%s: %s is destroyed already",
                                            used->call, used->what)
                         : COHORT_OK;
}

/* ------------------------------------------------------------------ what cannot be recorded */

static const char *instead_of(const char *call)
{
    static const struct {
        const char *call, *instead;
    } calls[] = {
        { "cohort_input_next", "a program reads its input itself: the rows are the step's batch, "
                               "and the input is given to cohort_program_run" },
        { "cohort_input_next_as_optional", "a program reads its input itself: the rows are the "
                                           "step's batch, and the input is given to "
                                           "cohort_program_run" },
        { "cohort_run_next", "a program reads its input itself: use cohort_run with the step's "
                             "batch, and give the input to cohort_program_run" },
        { "cohort_value_read", "nothing has run yet; read after cohort_program_run" },
        { "cohort_value_scalar",
          "nothing has run yet; read after cohort_program_run, or give the value itself to a "
          "parameter such as const float x[1]" },
        { "cohort_variable_read", "nothing has run yet; read after cohort_program_run" },
        { "cohort_local_results", "nothing has run yet; ask after cohort_program_run" },
        { "cohort_local_results_list", "nothing has run yet; ask after cohort_program_run" },
        { "cohort_metric_result", "nothing has run yet; ask after cohort_program_run" },
        { "cohort_wait", "nothing has run yet; wait after cohort_program_run" },
        { "cohort_value_wait", "nothing has run yet; wait after cohort_program_run" },
        { "cohort_group", "nothing has run yet; group after cohort_program_run" },
        { "cohort_replica_read", "nothing has run yet, and the host takes no part in replays; read "
                                 "the value after cohort_program_run" },
        { "cohort_replica_set of an array",
          "the array is borrowed for one call alone, and the host takes no part in replays: make a "
          "value of it before (cohort_value_split, cohort_value_per_replica)" },
        { "cohort_variable_create", "create variables before the recording" },
        { "cohort_metric_create", "create metrics before the recording" },
        { "cohort_value_destroy",
          "the program uses its values as long as it runs; destroy them after the program" },
        { "cohort_program_record", "a program is recorded already; make both steps one" },
        { "cohort_program_run", "a program cannot run another one; make both steps one" },
    };
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (strcmp(calls[i].call, call) == 0)
            return calls[i].instead;
    return "call it before the recording, or after cohort_program_run";
}

cohort_status cohort_recorder_refuse(const char *call)
{
    return cohort_error_set(COHORT_EINVAL, "%s: called while a program is recorded: %s", call,
                            instead_of(call));
}
