/* SPDX-License-Identifier: BSD-3-Clause */
/* The beginning and the end of every public call that has a strategy.
 *
 * is_busy lets one call in at a time. It is taken with acquire and given back with release, so that
 * a call on another thread finds all that the call before it has written, without a lock. A call
 * that came in must leave; one that was refused has only told its error. An error becomes that of
 * the strategy, or of the function of the program from which the call was made. */
#include "config.h"

#include "runtime/strategy/across.h"
#include "runtime/strategy/call.h"
#include "runtime/strategy/transaction.h"

#include "runtime/base/callback.h"
#include "runtime/base/log.h"
#include "runtime/base/memory.h"
#include "runtime/base/thread.h"
#include "runtime/base/trace.h"
#include "runtime/executor/tracks.h"
#include "runtime/operation/ledger.h"
#include "runtime/strategy/monitor.h"

#include <string.h>

/* What a step function calls instead, for the message. */
static const char *instead_of(const char *call)
{
    static const struct {
        const char *call, *instead;
    } calls[] = { { "cohort_run", "cohort_replica_run" },
                  { "cohort_update", "cohort_replica_update" },
                  { "cohort_reduce", "cohort_all_reduce" },
                  { "cohort_reduce_list", "cohort_all_reduce" },
                  { "cohort_reduce_with", "cohort_all_reduce" },
                  { "cohort_reduce_to", "cohort_all_reduce" },
                  { "cohort_batch_reduce_to", "cohort_all_reduce" },
                  { "cohort_reduce_slices", "cohort_all_reduce_slices" },
                  { "cohort_gather", "cohort_all_gather" },
                  { "cohort_broadcast", "cohort_replica_broadcast" },
                  { "cohort_wait", "cohort_barrier" },
                  { "cohort_value_read", "cohort_replica_read" },
                  { "cohort_value_set", "cohort_replica_set" } };
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (strcmp(calls[i].call, call) == 0)
            return calls[i].instead;
    return "cohort_merge_call";
}

/* ------------------------------------------------------------------ the end */

/* In a forked child the strategy's threads do not exist, and its locks may be held for ever:
 * nothing is noted there. */
cohort_status cohort_call_end(cohort_strategy *s, cohort_status status)
{
    if (status >= 0 || status == COHORT_EAGAIN || cohort_error_is_forked())
        return status;
    if (cohort_callback_note(status) || s == NULL)
        return status;
    cohort_failure_refuse(&s->executor->failure, status);
    if (s->transaction != NULL)
        atomic_store_explicit(&s->transaction->has_told, true, memory_order_relaxed);
    return status;
}

/* Merge functions run inside of a step, and the function of a program inside of its recording: step
 * and recording hold is_busy for all calls of theirs and give it back when they end. */
static bool is_held_here(const cohort_strategy *s)
{
    return cohort_callback_runs() &&
           (cohort_scope_of_merge() == s || cohort_recorder_here(s) != NULL);
}

/* Calls that are made inside of this one are part of it. */
static void trace_from_here(cohort_strategy *s, const char *call)
{
    s->traced_call = call;
    s->traced_from_ns = cohort_clock_ns();
}

static void trace_until_here(cohort_strategy *s)
{
    const uint64_t flow = cohort_tracks_flow(s->executor->lanes[0], s->executor->failure.call, 0);
    cohort_trace_slice(&(cohort_trace_piece){ .name = s->traced_call,
                                              .kind = COHORT_TRACE_CALL,
                                              .replica = -1,
                                              .begin_ns = s->traced_from_ns,
                                              .end_ns = cohort_clock_ns(),
                                              .flow = flow,
                                              .begins = true });
    s->traced_from_ns = 0;
}

static void tell_end(cohort_strategy *s)
{
    if (s->traced_from_ns != 0)
        trace_until_here(s);
    if (s->monitored != NULL)
        cohort_monitor_leave(s);
    if (s->workers != NULL)
        cohort_across_tell_failure(s);
}

/* By a call that does not find it held. */
static inline void leave(cohort_strategy *s)
{
    if (s->traced_from_ns != 0 || s->monitored != NULL || s->workers != NULL)
        tell_end(s);
    atomic_store_explicit(&s->is_busy, false, memory_order_release);
}

cohort_status cohort_call_leave(cohort_strategy *s, cohort_status status)
{
    if (status < 0)
        (void)cohort_call_end(s, status);
    if (!is_held_here(s))
        leave(s);
    return status;
}

/* Operations of the caller's lane that are ready are done here, before the call returns: an error
 * of this very call is then the answer of the call itself. */
static cohort_status advance(const cohort_strategy *s, cohort_status status)
{
    if (status < 0)
        return status;
    cohort_executor_advance(s->executor);
    cohort_status own = cohort_failure_tell_own(&s->executor->failure);
    return own < 0 ? own : status;
}

cohort_status cohort_call_advance(cohort_strategy *s, cohort_status status)
{
    return cohort_call_leave(s, advance(s, status));
}

/* ------------------------------------------------------------------ the beginning */

/* Whether somebody else is inside; if not, this call is from now on. */
static bool is_taken(cohort_strategy *s)
{
    return atomic_exchange_explicit(&s->is_busy, true, memory_order_acquire);
}

/* The error of whoever calls at the wrong time; the strategy and the call that is under way are in
 * order, so it does not stick to the strategy. */
static cohort_status refuse_second(const char *call)
{
    cohort_status status =
        cohort_error_set(COHORT_EINVAL,
                         "%s: a call of this strategy is under way already, on another thread or "
                         "around this one (in a function that the library calls); it takes one "
                         "call at a time",
                         call);
    return cohort_call_end(NULL, status);
}

/* A body that calls its strategy: the call would wait for the launch that the body is part of. */
static cohort_status refuse_in_body(const char *call)
{
    return cohort_call_end(
        NULL, cohort_error_set(COHORT_EINVAL,
                               "%s: called in the body of a function that this very strategy "
                               "launched; a body computes, and calls its strategy not",
                               call));
}

/* What a call may do that others may not: be made in a recording, in a scope of another strategy,
 * and within a transaction. */
enum { MAY_RECORD = 1, MAY_MIX = 2, MAY_STAY = 4 };

/* Not of calls within another one, whose strategy it is. */
static inline bool has_transaction(const cohort_strategy *s)
{
    return s->transaction != NULL && !is_held_here(s);
}

/* In a function that the library calls, or in what it does as in one. A call inside of a step or a
 * recording is let in, one at a time. */
static cohort_status enter_inside(cohort_strategy *s, const char *call, unsigned allowed)
{
    /* replicas that mix strategies at once are all told so, and none that another one is inside */
    if ((allowed & MAY_MIX) == 0 && cohort_scope_check(s, call) < 0)
        return cohort_call_end(s, cohort_error_status());
    if ((allowed & MAY_RECORD) == 0 && cohort_recorder_here(s) != NULL)
        return cohort_call_end(s, cohort_recorder_refuse(call));
    if (cohort_scope_of_step() == s)
        return cohort_call_end(
            s, cohort_error_set(COHORT_EINVAL,
                                "%s: called inside a step function of its strategy; use %s there",
                                call, instead_of(call)));
    if (cohort_callback_is_in_body(&s->executor->failure))
        return refuse_in_body(call);
    return (is_held_here(s) ? s->is_asking : is_taken(s)) ? refuse_second(call) : COHORT_OK;
}

/* A process that has a strategy has had the fork watched. */
static inline bool may_be_asked(const cohort_strategy *s)
{
    return cohort_handle_is(s, COHORT_HANDLE_STRATEGY) && !cohort_error_is_forked();
}

static cohort_status refuse_strategy(const cohort_strategy *s, const char *call)
{
    if (cohort_error_is_forked() && cohort_handle_is(s, COHORT_HANDLE_STRATEGY))
        return cohort_error_if_forked();
    return cohort_call_end(NULL,
                           cohort_handle_refuse(s, COHORT_HANDLE_STRATEGY, call, "the strategy"));
}

/* Most calls are made by the program itself, outside of all functions that the library calls, so
 * there is no step, recording or body to look for. */
static inline cohort_status enter_any(cohort_strategy *s, const char *call, unsigned allowed)
{
    cohort_status status = COHORT_OK;
    if (cohort_callback_runs())
        status = enter_inside(s, call, allowed);
    else if (is_taken(s))
        status = refuse_second(call);
    if (status < 0)
        return status;
    /* numbers of calls tell whose operation has failed (cohort_failure_tell_own) */
    s->executor->failure.call++;
    if (cohort_trace_has(s->executor->lanes[0]->tracks) && s->traced_from_ns == 0)
        trace_from_here(s, call);
    if (s->monitored != NULL)
        cohort_monitor_enter(s, call);
    cohort_ledger_count_change(s->executor);
    return COHORT_OK;
}

/* Of a call that was entered. The error that is up behind it. */
static cohort_status commit(cohort_strategy *s)
{
    if (!has_transaction(s))
        return COHORT_OK;
    s->transaction->commit(s);
    return cohort_failure_tell(&s->executor->failure);
}

cohort_status cohort_call_enter_broken(cohort_strategy *s, const char *call)
{
    if (!may_be_asked(s))
        return refuse_strategy(s, call);
    cohort_status status = enter_any(s, call, MAY_MIX);
    if (status >= 0 && s->transaction != NULL)
        (void)commit(s);
    return status;
}

/* Something has failed that the program was not told: it may be a loss that calls survive. */
static bool may_be_survived(const cohort_strategy *s)
{
    return has_transaction(s) && cohort_scope_of_step() != s &&
           !atomic_load_explicit(&s->transaction->has_told, memory_order_relaxed);
}

static cohort_status rescue(cohort_strategy *s)
{
    (void)s->transaction->redo(s);
    leave(s);
    return cohort_failure_tell(&s->executor->failure);
}

/* The error that sticks is the answer of every call until it is cleared, wherever the call is made;
 * so it is looked at before all else. */
static cohort_status enter(cohort_strategy *s, const char *call, unsigned allowed)
{
    if (!may_be_asked(s))
        return refuse_strategy(s, call);
    cohort_status status = cohort_failure_tell(&s->executor->failure);
    if (status < 0 && may_be_survived(s)) {
        if (is_taken(s)) /* and whoever is inside meets the loss */
            return refuse_second(call);
        status = rescue(s);
    }
    if (status < 0 && s->workers != NULL && cohort_scope_of_step() != s && !is_held_here(s) &&
        !is_taken(s))
        leave(s);
    if (status < 0)
        return cohort_call_end(s, status);
    status = enter_any(s, call, allowed);
    if (status < 0)
        return status;
    status = cohort_scope_check(s, call);
    if (status >= 0 && s->transaction != NULL && (allowed & MAY_STAY) == 0)
        status = commit(s);
    if (status >= 0 && s->servers != NULL && !is_held_here(s))
        status = cohort_servers_stay(s->servers, call);
    return status < 0 ? cohort_call_leave(s, status) : COHORT_OK;
}

cohort_status cohort_call_enter(cohort_strategy *s, const char *call)
{
    return enter(s, call, 0);
}

cohort_status cohort_call_enter_within(cohort_strategy *s, const char *call)
{
    return enter(s, call, MAY_STAY);
}

cohort_status cohort_call_enter_recording(cohort_strategy *s, const char *call)
{
    return enter(s, call, MAY_RECORD);
}

/* ------------------------------------------------------------------ the whole of a call */

/* It was refused, by itself. A device that is lost meanwhile is no affair of its. */
static cohort_status leave_out(cohort_strategy *s, cohort_status status)
{
    cohort_error_saved why;
    s->transaction->forget_latest(s);
    cohort_error_save(&why);
    (void)s->transaction->redo(s);
    cohort_error_restore(&why);
    return status;
}

/* One that a lost device has failed has the status of the failure. */
static cohort_status make_noted(cohort_strategy *s, const char *call,
                                const cohort_recordable *recordable, const void *request)
{
    const cohort_transaction *t = s->transaction;
    cohort_status status = t->begin(s);
    if (status >= 0)
        status = t->note(s, call, recordable, request);
    if (status < 0)
        return status;
    status = recordable->run(s, request);
    if (status >= 0)
        return status;
    const bool is_lost = status == atomic_load(&s->executor->failure.status);
    return is_lost ? t->redo(s) ? COHORT_OK : status : leave_out(s, status);
}

cohort_status cohort_call_make_part(cohort_strategy *s, const char *call,
                                    const cohort_recordable *recordable, const void *request)
{
    return has_transaction(s) ? make_noted(s, call, recordable, request)
                              : recordable->run(s, request);
}

bool cohort_call_has_survived(cohort_strategy *s)
{
    return has_transaction(s) && s->transaction->redo(s);
}

cohort_status cohort_call_conclude(cohort_strategy *s, cohort_status status)
{
    const cohort_status own = advance(s, status);
    const bool is_lost = own < 0 && status >= 0;
    return cohort_call_leave(s, is_lost && cohort_call_may_repeat(s, own) ? status : own);
}

cohort_status cohort_call_make(cohort_strategy *s, const char *call,
                               const cohort_recordable *recordable, const void *request)
{
    cohort_status status = enter(s, call, MAY_RECORD | MAY_STAY);
    if (status < 0)
        return status;
    cohort_recorder *recorder = cohort_recorder_here(s);
    status = recorder != NULL         ? recorder->add(recorder, call, recordable, request)
             : s->transaction != NULL ? cohort_call_make_part(s, call, recordable, request)
                                      : recordable->run(s, request);
    if (status >= 0 && s->workers != NULL && recordable->agree != NULL)
        recordable->agree(s, request);
    return recorder != NULL ? cohort_call_leave(s, status) : cohort_call_conclude(s, status);
}

/* By entering and leaving at once: so the rules stand in one place. */
cohort_status cohort_call_check(cohort_strategy *s, const char *call)
{
    cohort_status status = cohort_call_enter(s, call);
    if (status < 0)
        return status;
    cohort_ledger_say_quiet(s->executor);
    return cohort_call_leave(s, COHORT_OK);
}

cohort_status cohort_call_refuse(cohort_strategy *s, const char *call, cohort_status status)
{
    if (s == NULL || cohort_scope_of_step() == s)
        return cohort_call_end(s, status);
    cohort_status entered = cohort_call_enter_recording(s, call);
    return entered < 0 ? entered : cohort_call_leave(s, status);
}

cohort_strategy *cohort_call_owner(const void *object, cohort_handle_kind kind)
{
    return cohort_memory_own(cohort_handle_owner(object, kind, COHORT_HANDLE_STRATEGY));
}

cohort_status cohort_call_about(const void *object, cohort_handle_kind kind, const char *call,
                                const char *what, cohort_strategy *other)
{
    if (cohort_handle_is(object, kind))
        return COHORT_OK;
    cohort_strategy *s = object == NULL ? other : cohort_call_owner(object, kind);
    return cohort_call_refuse(s, call, cohort_handle_refuse(object, kind, call, what));
}

bool cohort_call_may_destroy(const void *object, cohort_handle_kind kind, const char *call,
                             const char *what)
{
    if (cohort_call_about(object, kind, call, what, NULL) >= 0)
        return true;
    if (cohort_call_owner(object, kind) == NULL)
        cohort_log(COHORT_SUBSYSTEM_STRATEGY, COHORT_LOG_ERROR, "%s", cohort_error_slot());
    return false;
}
