/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/value/transaction.h"

#include "runtime/base/array.h"
#include "runtime/base/log.h"
#include "runtime/base/memory.h"
#include "runtime/base/thread.h"
#include "runtime/operation/ledger.h"
#include "runtime/strategy/loss.h"
#include "runtime/strategy/recorder.h"
#include "runtime/strategy/transaction.h"
#include "runtime/value/carried.h"
#include "runtime/value/variable.h"

#include <stdio.h>

/* A program that never reads does not fill the memory with what it has called. */
enum { MOST_CALLS = 4096, MOST_BYTES = 1 << 20 };

typedef struct noted_call {
    const cohort_recordable *recordable;
    const void *request;
} noted_call;

typedef struct transaction {
    cohort_transaction interface; /* first */
    cohort_recorder recorder;
    cohort_arena arena; /* of what is noted */
    noted_call *calls;  /* [n] */
    size_t n, capacity;
    bool has_begun; /* calls are noted */
} transaction;

static transaction *of(const cohort_strategy *s)
{
    return (transaction *)s->transaction;
}

/* Where steps are skipped the guard has its own (skip.h). */
bool cohort_transaction_may_be(const cohort_strategy *s)
{
    return s->loss == COHORT_LOSS_MOVE_CALLS && s->guard != COHORT_GUARD_SKIP &&
           cohort_loss_may_be_survived(s);
}

/* ------------------------------------------------------------------ its end */

cohort_status cohort_transaction_keep(cohort_strategy *s)
{
    cohort_status status = cohort_variable_keep_parts(s);
    if (status > 0)
        status = cohort_executor_finish(s->executor);
    if (status >= 0)
        cohort_variable_take_parts(s);
    return status;
}

cohort_status cohort_transaction_finish(cohort_strategy *s)
{
    cohort_status status = cohort_executor_finish(s->executor);
    return status < 0 ? status : cohort_transaction_keep(s);
}

/* A failure without a loss leaves what it leaves elsewhere: what earlier calls have written. */
static void end(cohort_strategy *s)
{
    transaction *t = of(s);
    s->is_step_open = !cohort_executor_is_whole(s->executor);
    t->has_begun = false;
    t->n = 0;
    cohort_arena_clear(&t->arena);
}

/* ------------------------------------------------------------------ once more */

static cohort_status make_again(cohort_strategy *s, const transaction *t)
{
    cohort_status status = COHORT_OK;
    for (size_t i = 0; i < t->n && status >= 0; i++) {
        s->executor->failure.call++;
        cohort_ledger_count_change(s->executor);
        status = t->calls[i].recordable->run(s, t->calls[i].request);
    }
    return status;
}

/* All is as it was at the commit, and stays so. `why`: in words. */
static cohort_status undo(cohort_strategy *s, const char *why)
{
    char kept[COHORT_ERROR_BYTES];
    (void)snprintf(kept, sizeof kept, "%s", why);
    cohort_executor_wait_all(s->executor);
    cohort_loss_settle(s);
    s->is_step_open = false;
    return cohort_error_set(COHORT_ELOST,
                            "a device was lost, and the calls since the last commit cannot be made "
                            "again: %s; what they read and then write is to be a variable",
                            kept);
}

/* Planned in the plain way, in which every read is seen: also of what the lost attempt has
 * written. */
static cohort_status replay(cohort_strategy *s, const transaction *t)
{
    char shape[COHORT_SHAPE_BYTES], why[COHORT_SHAPE_BYTES + 32];
    const cohort_repeating usual = s->repeating;
    s->repeating.kind = COHORT_REPEAT_OFF;
    cohort_carried_begin_again(s);
    cohort_variable_begin_step(s);
    cohort_status status = make_again(s, t);
    s->repeating = usual;
    cohort_carried_tell(s, shape);
    if (status < 0)
        return cohort_executor_is_whole(s->executor) ? undo(s, cohort_error_slot()) : status;
    (void)snprintf(why, sizeof why, "they carry a value, %s", shape);
    return shape[0] != '\0' ? undo(s, why) : COHORT_OK;
}

/* Another device may be lost meanwhile. */
static cohort_status go_on(cohort_strategy *s, const transaction *t)
{
    cohort_status status;
    do {
        status = cohort_loss_recover(s);
        if (status < 0)
            return status;
        status = t->has_begun ? replay(s, t) : COHORT_OK;
        if (status < 0)
            cohort_executor_wait_all(s->executor);
    } while (status < 0 && !cohort_executor_is_whole(s->executor));
    return status;
}

static void tell(cohort_strategy *s, cohort_status status)
{
    if (cohort_failure_is_set(&s->executor->failure))
        cohort_failure_restate(&s->executor->failure, status);
    else
        cohort_failure_refuse(&s->executor->failure, status);
}

static bool redo(cohort_strategy *s)
{
    transaction *t = of(s);
    const int64_t begun_ns = cohort_clock_ns();
    if (t->interface.has_told || !cohort_failure_is_set(&s->executor->failure))
        return false;
    cohort_executor_wait_all(s->executor); /* a failure is there before its device is lost */
    if (cohort_executor_is_whole(s->executor) || !cohort_transaction_may_be(s) ||
        (!t->has_begun && cohort_variable_any_is_unfinished(s)))
        return false;
    cohort_status status = go_on(s, t);
    if (status < 0) {
        tell(s, status);
        end(s);
        return false;
    }
    cohort_log(COHORT_SUBSYSTEM_VALUE, COHORT_LOG_WARNING,
               "calls that were made again: %zu; to go on took %.1f ms", t->n,
               (double)(cohort_clock_ns() - begun_ns) / 1e6);
    return true;
}

static void commit(cohort_strategy *s)
{
    transaction *t = of(s);
    cohort_failure *failure = &s->executor->failure;
    if (!cohort_failure_is_set(failure))
        t->interface.has_told = false;
    if (!t->has_begun && (t->interface.has_told || !cohort_failure_is_set(failure)))
        return;
    cohort_status status;
    do
        status = cohort_transaction_finish(s);
    while (status < 0 && redo(s));
    if (status < 0 && !cohort_failure_is_set(failure))
        cohort_failure_refuse(failure, status);
    if (t->has_begun)
        end(s);
}

/* ------------------------------------------------------------------ its beginning */

cohort_status cohort_transaction_open(cohort_strategy *s)
{
    if (!s->keeps_steps)
        cohort_variable_count_anew(s);
    s->keeps_steps = true;
    cohort_status status = cohort_transaction_keep(s);
    if (status >= 0)
        cohort_variable_begin_step(s);
    return status;
}

/* What variables hold is there: of what else the calling thread has posted, such as the copies of a
 * batch, the rest may be under way. */
static cohort_status wait_for_variables(cohort_strategy *s)
{
    return cohort_variable_all_are_written(s) ? COHORT_OK : cohort_executor_finish(s->executor);
}

static cohort_status begin_calls(cohort_strategy *s)
{
    cohort_status status = wait_for_variables(s);
    if (status >= 0)
        status = cohort_transaction_open(s);
    if (status < 0)
        return status;
    cohort_carried_begin(s);
    of(s)->has_begun = true;
    return COHORT_OK;
}

static bool is_full(const transaction *t)
{
    return t->n >= MOST_CALLS || cohort_arena_bytes(&t->arena) > MOST_BYTES;
}

static cohort_status begin(cohort_strategy *s)
{
    transaction *t = of(s);
    if (is_full(t))
        commit(s);
    if (cohort_failure_is_set(&s->executor->failure) && !redo(s))
        return cohort_failure_tell(&s->executor->failure);
    if (t->has_begun)
        return COHORT_OK;
    t->interface.has_told = false;
    cohort_status status;
    do
        status = cohort_transaction_may_be(s) ? begin_calls(s) : COHORT_OK;
    while (status < 0 && redo(s));
    return status;
}

static cohort_status note(cohort_strategy *s, const char *call, const cohort_recordable *recordable,
                          const void *request)
{
    transaction *t = of(s);
    if (!t->has_begun)
        return COHORT_OK;
    if (!cohort_grow((void **)&t->calls, &t->capacity, t->n + 1, sizeof *t->calls))
        return cohort_error_memory(call);
    void *kept = cohort_recorder_copy(&t->recorder, request, 1, recordable->bytes);
    cohort_status status =
        kept != NULL ? recordable->keep(&t->recorder, call, kept) : COHORT_ENOMEM;
    if (status >= 0)
        t->calls[t->n++] = (noted_call){ recordable, kept };
    return status;
}

static void forget_latest(cohort_strategy *s)
{
    transaction *t = of(s);
    t->n -= t->n > 0;
}

/* ------------------------------------------------------------------ making */

static const char key;

static void free_transaction(void *object)
{
    transaction *t = object;
    cohort_arena_free(&t->arena);
    cohort_free(t->calls);
    cohort_free(t);
}

cohort_status cohort_transaction_prepare(cohort_strategy *s)
{
    if (s->transaction != NULL || !cohort_transaction_may_be(s))
        return COHORT_OK;
    transaction *t = cohort_allocate(1, sizeof *t);
    if (t == NULL)
        return cohort_error_memory("a strategy");
    t->interface = (cohort_transaction){
        .begin = begin, .note = note, .forget_latest = forget_latest, .redo = redo, .commit = commit
    };
    t->recorder = (cohort_recorder){ .strategy = s, .arena = &t->arena, .is_borrowing = true };
    s->transaction = &t->interface;
    cohort_strategy_attach(s, &key, t, free_transaction);
    return COHORT_OK;
}
