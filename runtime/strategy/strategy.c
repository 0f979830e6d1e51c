/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/strategy/strategy.h"

#include "runtime/base/limits.h"
#include "runtime/base/log.h"
#include "runtime/base/memory.h"

#include <stdio.h>
#include <string.h>

_Thread_local cohort_strategy *cohort_strategy_of_step;

/* ------------------------------------------------------------------ hosting map */

static int32_t hosted_evenly(int32_t n_replicas, int32_t n_devices, int32_t device)
{
    return n_replicas / n_devices + (device < n_replicas % n_devices);
}

static cohort_status check_hosting(const cohort_strategy_options *options, int32_t n_devices, int32_t n_replicas)
{
    if (n_replicas < 0 || n_replicas > COHORT_LIMIT_REPLICAS)
        return cohort_error_set(COHORT_EINVAL, "strategy: %d replicas; from 1 to %d, or 0 for one per device",
                                n_replicas, COHORT_LIMIT_REPLICAS);
    if (n_replicas < n_devices)
        return cohort_error_set(COHORT_EINVAL,
                                "strategy: %d replicas on %d devices: every device hosts at least one; name "
                                "fewer devices or ask for more replicas",
                                n_replicas, n_devices);
    int64_t sum = 0;
    for (int32_t d = 0; options->hosted != NULL && d < n_devices; d++) {
        if (options->hosted[d] < 1)
            return cohort_error_set(COHORT_EINVAL,
                                    "strategy: hosted[%d] is %d; every device hosts at least one replica", d,
                                    options->hosted[d]);
        sum += options->hosted[d];
    }
    if (options->hosted != NULL && sum != n_replicas)
        return cohort_error_set(COHORT_EINVAL, "strategy: hosted[] sums to %lld, but there are %d replicas",
                                (long long)sum, n_replicas);
    return COHORT_OK;
}

static cohort_status make_hosting(cohort_strategy *s, const cohort_strategy_options *options)
{
    s->n_replicas = options->replicas == 0 ? s->n_devices : options->replicas;
    cohort_status status = check_hosting(options, s->n_devices, s->n_replicas);
    if (status < 0)
        return status;
    s->first = cohort_allocate((size_t)s->n_devices + 1, sizeof *s->first);
    s->host = cohort_allocate((size_t)s->n_replicas, sizeof *s->host);
    if (s->first == NULL || s->host == NULL)
        return cohort_error_memory("a strategy");
    for (int32_t d = 0; d < s->n_devices; d++) {
        int32_t n = options->hosted != NULL ? options->hosted[d] : hosted_evenly(s->n_replicas, s->n_devices, d);
        s->first[d + 1] = s->first[d] + n;
        for (int32_t r = s->first[d]; r < s->first[d + 1]; r++)
            s->host[r] = d;
    }
    return COHORT_OK;
}

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

static cohort_status create(cohort_strategy *s, const cohort_strategy_options *options)
{
    const cohort_device **devices = NULL;
    int n = 0;
    cohort_status status = cohort_registry_select(options->devices, &devices, &n);
    if (status >= 0) {
        s->n_devices = n;
        status = make_hosting(s, options);
    }
    if (status >= 0) {
        s->crew = cohort_crew_create(devices, n);
        status = s->crew != NULL ? COHORT_OK : COHORT_ENODEV;
    }
    if (status >= 0)
        warn_of_shared_cores(devices, n);
    cohort_free(devices);
    if (status >= 0) {
        s->home = choose_home(s);
        s->placement = cohort_placement_find("mirrored");
    }
    return status;
}

cohort_strategy *cohort_strategy_create(const cohort_strategy_options *options)
{
    static const cohort_strategy_options none;
    options = options != NULL ? options : &none;
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

cohort_strategy *cohort_mirrored(const char *devices)
{
    return cohort_strategy_create(&(cohort_strategy_options){ .devices = devices });
}

cohort_strategy *cohort_one_device(const char *device)
{
    cohort_strategy *s = cohort_mirrored(device);
    if (s == NULL || s->n_devices == 1)
        return s;
    int n = s->n_devices;
    cohort_strategy_destroy(s);
    (void)cohort_error_set(COHORT_EINVAL, "one device: '%s' names %d devices", device != NULL ? device : "(default)",
                           n);
    return NULL;
}

static void destroy_dependents(cohort_strategy *s)
{
    while (s->dependents.next != &s->dependents)
        s->dependents.next->destroy(s->dependents.next);
}

void cohort_strategy_destroy(cohort_strategy *s)
{
    if (s == NULL || (s->crew != NULL && cohort_strategy_enter_broken(s, "cohort_strategy_destroy") < 0))
        return; /* in a forked child, or in its own step function: nothing can be freed there */
    if (s->crew != NULL)
        cohort_crew_wait_all(s->crew);
    destroy_dependents(s);
    bool has_lost = s->crew != NULL && cohort_crew_has_lost(s->crew);
    cohort_crew_destroy(s->crew);
    if (has_lost)
        return; /* a replica that wakes up late still looks at the strategy */
    cohort_free(s->first);
    cohort_free(s->host);
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

cohort_status cohort_strategy_enter_broken(cohort_strategy *s, const char *call)
{
    if (s == NULL)
        return cohort_error_null(call, "the strategy");
    if (cohort_error_if_forked() < 0)
        return COHORT_ENODEV;
    if (cohort_strategy_of_step == s)
        return cohort_error_set(COHORT_EINVAL,
                                "%s: called inside a step function of its strategy; use the calls of "
                                "cohort/replica.h there",
                                call);
    if (atomic_exchange_explicit(&s->is_busy, true, memory_order_acquire))
        return cohort_error_set(COHORT_EINVAL,
                                "%s: another thread is inside a call of this strategy, which one thread uses "
                                "at a time",
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
    for (int32_t d = 0; d < s->n_devices && d < capacity; d++)
        out[d] = s->crew->opened[d]->device;
    return s->n_devices;
}

int cohort_strategy_hosted(const cohort_strategy *s, int device)
{
    return s != NULL && device >= 0 && device < s->n_devices ? s->first[device + 1] - s->first[device] : 0;
}

cohort_status cohort_strategy_status(const cohort_strategy *s)
{
    return s != NULL ? cohort_failure_tell(&s->crew->failure)
                     : cohort_error_null("cohort_strategy_status", "the strategy");
}

cohort_status cohort_strategy_recover(cohort_strategy *s)
{
    cohort_status status = cohort_strategy_enter_broken(s, "cohort_strategy_recover");
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

const char *cohort_strategy_describe(cohort_strategy *s)
{
    if (s == NULL)
        return "";
    if (s->description != NULL)
        return s->description;
    size_t bytes = 64 + (size_t)s->n_devices * 160, used = 0;
    s->description = cohort_allocate(bytes, 1);
    if (s->description == NULL)
        return "";
    used += (size_t)snprintf(s->description, bytes, "%s: %d replicas on %d devices\n", s->placement->name,
                             s->n_replicas, s->n_devices);
    for (int32_t d = 0; d < s->n_devices; d++)
        used += (size_t)snprintf(s->description + used, bytes - used, "  %s hosts replicas %d to %d\n",
                                 s->crew->opened[d]->device->id, s->first[d], s->first[d + 1] - 1);
    return s->description;
}
