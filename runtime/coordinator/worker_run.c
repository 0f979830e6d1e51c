/* SPDX-License-Identifier: BSD-3-Clause */
/* A worker that runs closures: what the chief orders, one by one. */
#include "config.h"

#include <cohort/coordinator.h>
#include <cohort/run.h>

#include "runtime/base/callback.h"
#include "runtime/base/kept.h"
#include "runtime/coordinator/chief.h"
#include "runtime/coordinator/functions.h"
#include "runtime/coordinator/role.h"
#include "runtime/strategy/call.h"

static const char call[] = "cohort_worker_run";

typedef struct worker {
    cohort_strategy *strategy;
    cohort_servers *servers;
    const cohort_worker_options *options;
    cohort_chief *chief;
    cohort_error_saved ended; /* why it can run no more closures; status COHORT_OK: it can */
} worker;

/* ------------------------------------------------------------------ a closure */

static cohort_status check_sizes(const cohort_worker_function *f, const cohort_order *o)
{
    if (f == NULL)
        return cohort_error_set(COHORT_ENOENT,
                                "function '%s' is none of those that cohort_worker_run was given "
                                "(functions of cohort_worker_options)",
                                o->name);
    if (f->argument_bytes == o->argument_bytes && f->result_bytes == o->result_bytes)
        return COHORT_OK;
    return cohort_error_set(COHORT_EINCOMPATIBLE,
                            "function '%s' has an argument of %zu bytes and a result of %zu here, "
                            "and %llu and %llu with the chief; start the same program",
                            f->name, f->argument_bytes, f->result_bytes,
                            (unsigned long long)o->argument_bytes,
                            (unsigned long long)o->result_bytes);
}

/* What it posted is waited for, so that all errors are its own. */
static cohort_status run_function(worker *w, const cohort_worker_function *f)
{
    cohort_callback inner;
    cohort_error_saved own;
    cohort_callback_begin(&inner, NULL, NULL);
    cohort_status status = cohort_callback_end(
        &inner, f->run(w->strategy, w->chief->argument, w->chief->result, w->options->user));
    if (!cohort_handle_is(w->strategy, COHORT_HANDLE_STRATEGY))
        return cohort_error_set(COHORT_EINVAL, "it has destroyed the strategy");
    cohort_error_save(&own);
    cohort_status waited = cohort_wait(w->strategy);
    if (status < 0)
        cohort_error_restore(&own);
    return status < 0 ? status : waited;
}

/* The strategy is as before for the next one, and holds up nobody until then; else this worker
 * ends. The slot stays as it is. */
static void make_ready(worker *w, cohort_status status)
{
    cohort_error_saved own;
    cohort_error_save(&own);
    if (status < 0)
        status = cohort_strategy_recover(w->strategy);
    if (status >= 0)
        status = cohort_servers_rest(w->servers, call, true);
    if (status < 0)
        cohort_error_save(&w->ended);
    cohort_error_restore(&own);
}

static cohort_status do_closure(worker *w)
{
    const cohort_worker_function *f =
        cohort_functions_find(w->options->functions, w->chief->order.name);
    cohort_status status = check_sizes(f, &w->chief->order);
    return status < 0 ? status : run_function(w, f);
}

/* The error is that of this worker, which ends with it; that of the closure is the chief's. */
static cohort_status run_closure(worker *w)
{
    cohort_status status = cohort_chief_take_argument(w->chief);
    if (status >= 0)
        status = cohort_servers_rest(w->servers, call, false);
    if (status < 0)
        return status;
    status = do_closure(w);
    if (!cohort_handle_is(w->strategy, COHORT_HANDLE_STRATEGY))
        return status;
    make_ready(w, status);
    status = cohort_chief_report_done(w->chief, status);
    if (status < 0 || w->ended.status >= 0)
        return status;
    cohort_error_restore(&w->ended);
    return cohort_error_prefix(w->ended.status, "%s: after closure %llu (%s)", call,
                               (unsigned long long)w->chief->order.number, w->chief->order.name);
}

/* ------------------------------------------------------------------ all of it */

static cohort_status leave_well(worker *w)
{
    if (w->chief->order.has_lost)
        cohort_communicator_abandon(w->servers->messages.communicator, NULL);
    return cohort_chief_say(w->chief, COHORT_REPORT_LEAVES);
}

/* COHORT_END: the chief has said so. */
static cohort_status take_order(worker *w)
{
    cohort_status status = cohort_chief_take_order(w->chief);
    if (status < 0)
        return status;
    switch (w->chief->order.kind) {
    case COHORT_ORDER_HERE:
        return COHORT_OK;
    case COHORT_ORDER_CLOSURE:
        return run_closure(w);
    case COHORT_ORDER_LEAVE:
        status = leave_well(w);
        return status < 0 ? status : COHORT_END;
    default:
        return cohort_error_set(COHORT_ELOST,
                                "%s: the chief says what none does: it runs another program", call);
    }
}

static cohort_status work(worker *w)
{
    cohort_status status = cohort_servers_rest(w->servers, call, true);
    if (status >= 0)
        status = cohort_chief_say(w->chief, COHORT_REPORT_READY);
    while (status == COHORT_OK)
        status = take_order(w);
    return status == COHORT_END ? cohort_servers_rest(w->servers, call, false) : status;
}

/* After an error of its own the chief is told that it leaves, as far as that goes. */
static void end(worker *w, cohort_status status)
{
    cohort_error_saved own;
    cohort_error_save(&own);
    if (status < 0)
        cohort_chief_leave(w->chief);
    cohort_chief_destroy(w->chief);
    cohort_error_restore(&own);
}

static cohort_status run(cohort_strategy *s, const cohort_worker_options *options)
{
    worker w = { .strategy = s,
                 .servers = s->servers,
                 .options = options,
                 .chief = cohort_chief_create(s->servers, call) };
    if (w.chief == NULL)
        return cohort_error_status();
    cohort_status status = work(&w);
    if (cohort_handle_is(s, COHORT_HANDLE_STRATEGY))
        end(&w, status);
    else
        cohort_keep(w.chief); /* it has heard the farewell of the strategy that was destroyed */
    return status;
}

cohort_status cohort_worker_run(cohort_strategy *s, const cohort_worker_options *options)
{
    cohort_status status = cohort_call_check(s, call);
    if (status < 0)
        return status;
    if (options == NULL)
        status = cohort_error_null(call, "the options");
    else if ((status = cohort_role_check(s, call, false)) >= 0)
        status = cohort_functions_check_all(call, options->functions);
    for (size_t i = 0; status >= 0 && i < sizeof options->reserved / sizeof *options->reserved; i++)
        if (options->reserved[i] != NULL)
            status = cohort_error_set(COHORT_EINVAL, "%s: reserved[%zu] of the options is not zero",
                                      call, i);
    if (status >= 0)
        status = run(s, options);
    return status < 0 && cohort_handle_is(s, COHORT_HANDLE_STRATEGY) ? cohort_call_end(s, status)
                                                                     : status;
}
