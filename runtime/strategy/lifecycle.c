/* SPDX-License-Identifier: BSD-3-Clause */
/* The life of a strategy: made, recovered after a failure, destroyed. */
#include "config.h"

#include "runtime/base/checks.h"
#include "runtime/base/kept.h"
#include "runtime/base/limits.h"
#include "runtime/base/log.h"
#include "runtime/base/memory.h"
#include "runtime/base/thread.h"
#include "runtime/base/trace.h"
#include "runtime/exchange/refusal.h"
#include "runtime/executor/traced.h"
#include "runtime/executor/tracks.h"
#include "runtime/operation/fold_all.h"
#include "runtime/strategy/across.h"
#include "runtime/strategy/balance.h"
#include "runtime/strategy/call.h"
#include "runtime/strategy/device_list.h"
#include "runtime/strategy/farewell.h"
#include "runtime/strategy/hosting.h"
#include "runtime/strategy/kind.h"
#include "runtime/strategy/loss.h"
#include "runtime/strategy/monitor.h"
#include "runtime/strategy/served.h"
#include "runtime/strategy/stats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------ creating */

/* Tasks compare and exchange what replicas have, and each of these has one device. */
static cohort_status check_logical(const cohort_strategy_options *options)
{
    int32_t n = options->logical_devices;
    if (n < 0 || n > COHORT_LIMIT_REPLICAS)
        return cohort_error_set(COHORT_EINVAL,
                                "strategy: %d logical devices; from 1 to %d, or 0 for one", n,
                                COHORT_LIMIT_REPLICAS);
    if (n > 1 &&
        (cohort_kind_is_multi_worker(options->name) || cohort_kind_is_served(options->name)))
        return cohort_error_set(COHORT_ENOTSUP,
                                "strategy: '%s' with %d logical devices; a replica has one device "
                                "where there are other tasks",
                                options->name, n);
    return COHORT_OK;
}

static cohort_status check_options(const cohort_strategy_options *options)
{
    for (size_t i = 0; i < sizeof options->reserved / sizeof *options->reserved; i++)
        if (options->reserved[i] != NULL)
            return cohort_error_set(
                COHORT_EINVAL,
                "strategy: reserved[%zu] of the options is not zero; start from "
                "(cohort_strategy_options){ 0 }",
                i);
    if (options->steps_per_run < 0)
        return cohort_error_set(COHORT_EINVAL, "strategy: %lld steps per run",
                                (long long)options->steps_per_run);
    return check_logical(options);
}

/* The options win, as they do over $COHORT_DEVICES. */
static cohort_status choose_checks(cohort_strategy *s, const cohort_strategy_options *options)
{
    const char *words = cohort_setting_text(COHORT_SETTING_CHECK);
    if (options->check != NULL)
        return cohort_checks_parse("strategy: check of the options", options->check, &s->checks);
    return words != NULL ? cohort_checks_parse("COHORT_CHECK", words, &s->checks) : COHORT_OK;
}

/* Plain results are made on the caller's device, where reading them costs no other thread. */
static int32_t choose_home(const cohort_strategy *s)
{
    for (int32_t d = 0; d < s->n_devices; d++)
        if (s->executor->contexts[d]->lane->index == s->executor->caller)
            return d;
    return 0;
}

/* CPUs of two plugins: each of them uses all cores. The results are right, but the two get in each
 * other's way, which is worth a warning. */
static void warn_of_shared_cores(const cohort_device *const devices[], int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            const cohort_device *a = devices[j], *b = devices[i];
            if (a->loaded == b->loaded || a->info->type != COHORT_DEVICE_CPU ||
                b->info->type != COHORT_DEVICE_CPU)
                continue;
            cohort_log(COHORT_SUBSYSTEM_STRATEGY, COHORT_LOG_WARNING,
                       "%s is a CPU and shares its cores with %s: correct, but slower than either",
                       b->id, a->id);
            return;
        }
}

static cohort_status open_devices(cohort_strategy *s, const cohort_device *const devices[])
{
    s->executor = cohort_executor_create(devices, s->n_devices, s->checks);
    if (s->executor == NULL)
        return COHORT_ENODEV;
    warn_of_shared_cores(devices, s->n_devices);
    cohort_hosting_count(s);
    s->home = choose_home(s);
    s->has_near_memory = cohort_fold_all_may_be(s->executor);
    return COHORT_OK;
}

/* Of a strategy that does not join the others. */
static cohort_status join(cohort_strategy *s, const cohort_strategy_options *options)
{
    if (options->resolver == NULL || cohort_kind_is_multi_worker(options->name) ||
        cohort_kind_is_served(options->name))
        return COHORT_OK;
    cohort_status status = cohort_membership_join(&s->membership, options->resolver,
                                                  cohort_kind_needs_ps(s), "strategy");
    if (status >= 0)
        cohort_membership_warn_of_others(&s->membership);
    return status;
}

/* hosts: in place of the lists of the options; NULL: those. */
static cohort_status create(cohort_strategy *s, const cohort_strategy_options *options,
                            const cohort_device *const hosts[], int32_t n_hosts)
{
    cohort_device_list list = { 0 };
    /* first of all: whatever is wrong afterwards is told to the others */
    cohort_status status = cohort_kind_is_multi_worker(options->name)
                               ? cohort_across_find(s, options->resolver)
                               : cohort_served_join(s, options);
    if (status >= 0)
        status = check_options(options);
    if (status >= 0)
        status = cohort_kind_apply(s, options);
    s->steps_per_run = options->steps_per_run > 0 ? options->steps_per_run : 1;
    s->n_logical = options->logical_devices > 0 ? options->logical_devices : 1;
    if (status >= 0)
        status = choose_checks(s, options);
    if (status >= 0)
        status = join(s, options);
    if (status >= 0)
        status = hosts != NULL
                     ? cohort_device_list_take(&list, hosts, n_hosts, s->n_logical)
                     : cohort_device_list_choose(&list, options->devices,
                                                 options->parameter_devices, s->n_logical, s->name);
    if (status >= 0) {
        s->n_devices = list.n;
        s->n_hosts = list.n_hosts / s->n_logical;
        s->has_own_parameters = list.has_own_parameters;
        s->n_parameters = list.n_parameters;
        s->parameters = list.parameters;
        list.parameters = NULL;
        status = cohort_hosting_make(s, options);
    }
    if (status >= 0)
        status = open_devices(s, list.devices);
    if (status >= 0)
        status = cohort_across_greet(s, options);
    cohort_device_list_free(&list);
    return status;
}

/* Each one leaves the ring as it is destroyed, so the first is taken until none is left. */
static void destroy_dependents(cohort_strategy *s)
{
    while (s->dependents.next != &s->dependents)
        s->dependents.next->destroy(s->dependents.next);
}

static void free_attachments(cohort_strategy *s)
{
    for (int32_t i = 0; i < COHORT_STRATEGY_ATTACHMENTS; i++)
        if (s->attachments[i].free != NULL)
            s->attachments[i].free(s->attachments[i].object);
}

/* Free all but the struct, in this order: dependents post their last operations, which the executor
 * does before it closes the devices; attachments may still be used by dependents. False: a device
 * is lost, and a runner or replica that wakes up late still looks at the strategy, so it is
 * kept. */
static bool free_parts(cohort_strategy *s)
{
    if (s->executor != NULL) {
        cohort_executor_wait_all(s->executor);
        cohort_failure_say_unread(&s->executor->failure, "a strategy is destroyed");
    }
    if (cohort_across_has_given_up(s) || cohort_served_has_given_up(s)) {
        cohort_log(COHORT_SUBSYSTEM_STRATEGY, COHORT_LOG_WARNING,
                   "a task of the cluster was lost; the memory of the strategy "
                   "is not freed, for MPI may still use it");
        return false;
    }
    destroy_dependents(s);
    bool has_lost = s->executor != NULL && cohort_executor_has_given_up(s->executor);
    cohort_executor_destroy(s->executor);
    if (has_lost) {
        cohort_served_leave(s); /* the others are not to wait for it */
        cohort_across_leave(s);
        return false;
    }
    cohort_free(s->first);
    cohort_free(s->host);
    cohort_free(s->parameters);
    cohort_balance_free(s->balance);
    free_attachments(s);
    cohort_served_leave(s);
    cohort_across_leave(s);
    cohort_membership_leave(&s->membership);
    cohort_config_destroy(s->config);
    cohort_free(s->name);
    free(s->description); /* by open_memstream */
    free(s->stats_text);
    return true;
}

/* There is none that could tell the others. */
static void refuse(const cohort_strategy_options *options, cohort_status status)
{
    if (cohort_kind_is_multi_worker(options->name) || cohort_kind_is_served(options->name))
        cohort_refusal_reach(options->resolver, status);
}

static cohort_strategy *make(const cohort_strategy_options *options,
                             const cohort_device *const hosts[], int32_t n_hosts)
{
    if (cohort_error_if_forked() < 0)
        return NULL;
    cohort_settings_tell_wrong();
    cohort_trace_ask_environment();
    cohort_strategy *s = cohort_allocate(1, sizeof *s);
    if (s == NULL) {
        refuse(options, cohort_error_memory("a strategy"));
        return NULL;
    }
    cohort_handle_begin(&s->handle, COHORT_HANDLE_STRATEGY);
    s->dependents.next = s->dependents.previous = &s->dependents;
    s->repeating = cohort_repeating_read();
    cohort_status status = create(s, options, hosts, n_hosts);
    if (status >= 0) {
        cohort_stats_begin(s);
        if (cohort_trace_runs())
            cohort_tracks_make(s->executor);
        cohort_farewell_owe(s);
        cohort_monitor_begin(s);
        return s;
    }
    if (cohort_kind_was_meant_across(options->name))
        cohort_refusal_send_by(options->resolver, status);
    cohort_across_tell(s, status);
    if (free_parts(s))
        cohort_free(s);
    else
        cohort_keep(s);
    return NULL;
}

cohort_strategy *cohort_strategy_create(const cohort_strategy_options *options)
{
    static const cohort_strategy_options none;
    return cohort_handle_made(COHORT_HANDLE_STRATEGY,
                              make(options != NULL ? options : &none, NULL, 0));
}

cohort_strategy *cohort_strategy_create_on(const cohort_strategy_options *options,
                                           const cohort_device *const hosts[], int32_t n)
{
    return make(options, hosts, n);
}

/* Enter a call that ends or clears what a step relies on, which is refused inside of that step. */
static cohort_status enter_outside(cohort_strategy *s, const char *call)
{
    bool is_there = cohort_handle_is(s, COHORT_HANDLE_STRATEGY);
    if (!is_there || (cohort_scope_of_merge() != s && cohort_scope_of_step() != s))
        return cohort_call_enter_broken(s, call);
    return cohort_call_end(
        s, cohort_error_set(COHORT_EINVAL,
                            "%s: called %s of its strategy; call it when the step has "
                            "returned",
                            call,
                            cohort_scope_of_step() == s
                                ? "inside a step function"
                                : "in the function of a cohort_merge_call, in a step"));
}

/* Twice, in a forked child, in its own step function, or beside a call of another thread nothing
 * can be freed. */
static bool may_be_destroyed(cohort_strategy *s)
{
    if (enter_outside(s, "cohort_strategy_destroy") >= 0)
        return true;
    if (!cohort_error_is_forked())
        cohort_log(COHORT_SUBSYSTEM_STRATEGY, COHORT_LOG_ERROR, "%s", cohort_error_slot());
    return false;
}

void cohort_strategy_destroy(cohort_strategy *s)
{
    if (s == NULL || !may_be_destroyed(s))
        return;
    cohort_scope_forget(s);
    cohort_farewell_settle(s);
    cohort_stats_say(s);
    cohort_monitor_end(s);
    const int64_t begin_ns = s->traced_from_ns;
    const uint64_t flow = cohort_tracks_flow(s->executor->lanes[0], s->executor->failure.call, 0);
    if (free_parts(s))
        cohort_handle_free(&s->handle, sizeof *s, NULL);
    else {
        cohort_handle_end(&s->handle, NULL);
        cohort_keep(s);
    }
    if (begin_ns > 0)
        cohort_trace_slice(&(cohort_trace_piece){ .name = "cohort_strategy_destroy",
                                                  .kind = COHORT_TRACE_CALL,
                                                  .replica = -1,
                                                  .begin_ns = begin_ns,
                                                  .end_ns = cohort_clock_ns(),
                                                  .flow = flow,
                                                  .begins = true });
}

/* ------------------------------------------------------------------ recovering */

cohort_status cohort_strategy_recover(cohort_strategy *s)
{
    cohort_status status = enter_outside(s, "cohort_strategy_recover");
    if (status < 0)
        return status;
    cohort_executor_wait_all(s->executor);
    if (!cohort_executor_is_whole(s->executor))
        return cohort_call_leave(s, cohort_loss_recover(s));
    if (s->workers != NULL)
        status = cohort_workers_recover(s->workers);
    else
        status = cohort_served_check(s, "cohort_strategy_recover");
    /* a failure of one worker, that the others have not heard of, is one of all: they go on
     * alike */
    if (status >= 0 && (s->workers != NULL || cohort_failure_is_set(&s->executor->failure)))
        cohort_loss_settle(s);
    if (status >= 0) {
        s->is_step_open = false;
        status = cohort_across_catch_up(s);
    }
    return cohort_call_leave(s, status);
}
