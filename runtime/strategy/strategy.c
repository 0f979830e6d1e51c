/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/strategy/strategy.h"

#include "runtime/base/log.h"
#include "runtime/base/memory.h"
#include "runtime/strategy/device_list.h"
#include "runtime/strategy/hosting.h"
#include "runtime/strategy/kind.h"

#include <stdio.h>
#include <string.h>

_Thread_local cohort_strategy *cohort_strategy_of_step, *cohort_strategy_of_merge;

/* ------------------------------------------------------------------ creating */

static cohort_status check_options(const cohort_strategy_options *options)
{
    for (size_t i = 0; i < sizeof options->reserved / sizeof *options->reserved; i++)
        if (options->reserved[i] != NULL)
            return cohort_error_set(COHORT_EINVAL,
                                    "strategy: reserved[%zu] of the options is not zero; start from "
                                    "(cohort_strategy_options){ 0 }",
                                    i);
    return COHORT_OK;
}

static int32_t choose_home(const cohort_strategy *s)
{
    for (int32_t d = 0; d < s->n_devices; d++)
        if (s->crew->opened[d]->lane->index == s->crew->caller)
            return d;
    return 0;
}

/* Two plugins each think that the cores are theirs: right, but a surprise to whoever wants speed. */
static void warn_of_shared_cores(const cohort_device *const devices[], int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            const cohort_device *a = devices[j], *b = devices[i];
            if (a->loaded == b->loaded || a->info->type != COHORT_DEVICE_CPU || b->info->type != COHORT_DEVICE_CPU)
                continue;
            cohort_log(COHORT_LOG_WARNING, "%s is a CPU and shares its cores with %s: correct, but slower than either",
                       b->id, a->id);
            return;
        }
}

static cohort_status open_devices(cohort_strategy *s, const cohort_device *const devices[])
{
    s->crew = cohort_crew_create(devices, s->n_devices);
    if (s->crew == NULL)
        return COHORT_ENODEV;
    warn_of_shared_cores(devices, s->n_devices);
    s->home = choose_home(s);
    return COHORT_OK;
}

static cohort_status create(cohort_strategy *s, const cohort_strategy_options *options)
{
    cohort_device_list list = { 0 };
    cohort_status status = cohort_kind_apply(s, options);
    if (status >= 0)
        status = cohort_device_list_choose(&list, options->devices, options->parameter_devices, s->name);
    if (status >= 0) {
        s->n_devices = list.n;
        s->n_hosts = list.n_hosts;
        s->n_parameters = list.n_parameters;
        s->parameters = list.parameters;
        list.parameters = NULL;
        status = cohort_hosting_make(s, options);
    }
    if (status >= 0)
        status = open_devices(s, list.devices);
    cohort_device_list_free(&list);
    return status;
}

static cohort_strategy *make(const cohort_strategy_options *options)
{
    if (cohort_error_if_forked() < 0 || check_options(options) < 0)
        return NULL;
    cohort_strategy *s = cohort_allocate(1, sizeof *s);
    if (s == NULL) {
        (void)cohort_error_memory("a strategy");
        return NULL;
    }
    s->dependents.next = s->dependents.previous = &s->dependents;
    if (create(s, options) >= 0)
        return s;
    cohort_strategy_destroy(s);
    return NULL;
}

cohort_strategy *cohort_strategy_create(const cohort_strategy_options *options)
{
    static const cohort_strategy_options none;
    return cohort_error_made("strategy", make(options != NULL ? options : &none));
}

static void destroy_dependents(cohort_strategy *s)
{
    while (s->dependents.next != &s->dependents)
        s->dependents.next->destroy(s->dependents.next);
}

/* A call that ends what the step stands on. */
static cohort_status check_outside(const cohort_strategy *s, const char *call)
{
    return cohort_strategy_of_merge != s
               ? COHORT_OK
               : cohort_error_set(COHORT_EINVAL,
                                  "%s: called in the function of a cohort_merge_call, in a step of this "
                                  "very strategy; call it when the step has returned",
                                  call);
}

void cohort_strategy_destroy(cohort_strategy *s)
{
    if (s == NULL || check_outside(s, "cohort_strategy_destroy") < 0 ||
        (s->crew != NULL && cohort_strategy_enter_broken(s, "cohort_strategy_destroy") < 0))
        return; /* in a forked child, or in its own step function: nothing can be freed there */
    cohort_scope_forget(s);
    if (s->crew != NULL)
        cohort_crew_wait_all(s->crew);
    destroy_dependents(s);
    bool has_lost = s->crew != NULL && cohort_crew_has_lost(s->crew);
    cohort_crew_destroy(s->crew);
    if (has_lost)
        return; /* a replica that wakes up late still looks at the strategy */
    cohort_free(s->first);
    cohort_free(s->host);
    cohort_free(s->parameters);
    cohort_free(s->name);
    cohort_free(s->description);
    cohort_free(s);
}

/* ------------------------------------------------------------------ dependents and calls */

void cohort_strategy_adopt(cohort_strategy *s, cohort_dependent *dependent)
{
    dependent->previous = s->dependents.previous;
    dependent->next = &s->dependents;
    dependent->previous->next = dependent->next->previous = dependent;
}

void cohort_strategy_disown(cohort_dependent *dependent)
{
    dependent->previous->next = dependent->next;
    dependent->next->previous = dependent->previous;
}

/* What stands for a call in a step function. */
static const char *instead_of(const char *call)
{
    static const struct {
        const char *call, *instead;
    } calls[] = { { "cohort_run", "cohort_replica_run" },
                  { "cohort_update", "cohort_replica_update" },
                  { "cohort_reduce", "cohort_all_reduce" },
                  { "cohort_reduce_list", "cohort_all_reduce" },
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

cohort_status cohort_strategy_enter_broken(cohort_strategy *s, const char *call)
{
    if (s == NULL)
        return cohort_error_null(call, "the strategy");
    if (cohort_error_if_forked() < 0)
        return COHORT_ENODEV;
    if (cohort_strategy_of_step == s)
        return cohort_error_set(COHORT_EINVAL, "%s: called inside a step function of its strategy; use %s there", call,
                                instead_of(call));
    if (cohort_strategy_of_merge == s)
        return COHORT_OK;
    if (atomic_exchange_explicit(&s->is_busy, true, memory_order_acquire))
        return cohort_error_set(COHORT_EINVAL,
                                "%s: a call of this strategy is under way already, on another thread or around this "
                                "one (in a function that the library calls); it takes one call at a time",
                                call);
    return COHORT_OK;
}

cohort_status cohort_strategy_enter(cohort_strategy *s, const char *call)
{
    cohort_status status = cohort_strategy_enter_broken(s, call);
    if (status < 0)
        return status;
    status = cohort_failure_tell(&s->crew->failure);
    if (status < 0)
        cohort_strategy_leave(s);
    return status;
}

void cohort_strategy_leave(cohort_strategy *s)
{
    if (cohort_strategy_of_merge == s)
        return; /* whoever plays the step leaves it */
    atomic_store_explicit(&s->is_busy, false, memory_order_release);
}

cohort_status cohort_strategy_advance(cohort_strategy *s, cohort_status status)
{
    if (status >= 0) {
        cohort_crew_advance(s->crew);
        status = cohort_failure_tell(&s->crew->failure);
    }
    cohort_strategy_leave(s);
    return status;
}

/* ------------------------------------------------------------------ getters */

int cohort_strategy_num_replicas(const cohort_strategy *s)
{
    return s != NULL ? s->n_replicas : 0;
}

int cohort_strategy_devices(const cohort_strategy *s, const cohort_device *out[], int capacity)
{
    if (s == NULL)
        return 0;
    for (int32_t d = 0; d < s->n_hosts && d < capacity; d++)
        out[d] = s->crew->opened[d]->device;
    return s->n_hosts;
}

int cohort_strategy_parameter_devices(const cohort_strategy *s, const cohort_device *out[], int capacity)
{
    if (s == NULL)
        return 0;
    for (int32_t i = 0; i < s->n_parameters && i < capacity; i++)
        out[i] = s->crew->opened[s->parameters[i]]->device;
    return s->n_parameters;
}

cohort_resolver *cohort_strategy_cluster_resolver(const cohort_strategy *s)
{
    (void)s; /* every strategy has one worker */
    return NULL;
}

int cohort_strategy_hosted(const cohort_strategy *s, int device)
{
    return s != NULL && device >= 0 && device < s->n_hosts ? s->first[device + 1] - s->first[device] : 0;
}

cohort_status cohort_strategy_status(const cohort_strategy *s)
{
    return s != NULL ? cohort_failure_tell(&s->crew->failure)
                     : cohort_error_null("cohort_strategy_status", "the strategy");
}

cohort_status cohort_strategy_recover(cohort_strategy *s)
{
    cohort_status status = s != NULL ? check_outside(s, "cohort_strategy_recover") : COHORT_OK;
    if (status >= 0)
        status = cohort_strategy_enter_broken(s, "cohort_strategy_recover");
    if (status < 0)
        return status;
    cohort_crew_wait_all(s->crew);
    if (!cohort_crew_is_whole(s->crew)) {
        char text[COHORT_ERROR_BYTES / 2];
        (void)cohort_failure_tell(&s->crew->failure);
        (void)snprintf(text, sizeof text, "%s", cohort_error_text());
        status = cohort_error_set(COHORT_ELOST, "a device of the strategy is lost: %s; make a new strategy without it",
                                  text);
    } else if (cohort_failure_is_set(&s->crew->failure)) {
        for (cohort_dependent *m = s->dependents.next; m != &s->dependents; m = m->next)
            if (m->settle != NULL)
                m->settle(m);
        cohort_crew_clear(s->crew);
    }
    cohort_strategy_leave(s);
    return status;
}
