/* SPDX-License-Identifier: BSD-3-Clause */
/* Making and destroying a strategy, and the list of what was made from it.
 *
 * What a program makes of a strategy hangs in a ring of dependents, and dies with it: the ring is
 * the reason why a destroyed strategy leaves no value that points to it. The ring is changed only
 * by the one call that is inside of the strategy (call.c). */
#include "config.h"

#include "runtime/strategy/strategy.h"

#include "runtime/base/assert.h"
#include "runtime/base/kept.h"
#include "runtime/base/log.h"
#include "runtime/base/memory.h"
#include "runtime/cluster/refusal.h"
#include "runtime/strategy/across.h"
#include "runtime/strategy/call.h"
#include "runtime/strategy/device_list.h"
#include "runtime/strategy/farewell.h"
#include "runtime/strategy/hosting.h"
#include "runtime/strategy/kind.h"
#include "runtime/strategy/served.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------ creating */

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
    return COHORT_OK;
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
            cohort_log(COHORT_LOG_WARNING,
                       "%s is a CPU and shares its cores with %s: correct, but slower than either",
                       b->id, a->id);
            return;
        }
}

static cohort_status open_devices(cohort_strategy *s, const cohort_device *const devices[])
{
    s->executor = cohort_executor_create(devices, s->n_devices);
    if (s->executor == NULL)
        return COHORT_ENODEV;
    warn_of_shared_cores(devices, s->n_devices);
    for (int32_t r = 0; r < s->n_replicas; r++)
        s->executor->contexts[s->host[r]]->lane->n_replicas++;
    s->home = choose_home(s);
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
    if (status >= 0)
        status = join(s, options);
    if (status >= 0)
        status = hosts != NULL ? cohort_device_list_take(&list, hosts, n_hosts)
                               : cohort_device_list_choose(&list, options->devices,
                                                           options->parameter_devices, s->name);
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
        cohort_log(COHORT_LOG_WARNING, "a task of the cluster was lost; the memory of the strategy "
                                       "is not freed, for MPI may still use it");
        return false;
    }
    destroy_dependents(s);
    bool has_lost = s->executor != NULL && cohort_executor_has_lost(s->executor);
    cohort_executor_destroy(s->executor);
    if (has_lost) {
        cohort_served_leave(s); /* the others are not to wait for it */
        cohort_across_leave(s);
        return false;
    }
    cohort_free(s->first);
    cohort_free(s->host);
    cohort_free(s->parameters);
    free_attachments(s);
    cohort_served_leave(s);
    cohort_across_leave(s);
    cohort_membership_leave(&s->membership);
    cohort_config_destroy(s->config);
    cohort_free(s->name);
    free(s->description); /* by open_memstream */
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
    cohort_strategy *s = cohort_allocate(1, sizeof *s);
    if (s == NULL) {
        refuse(options, cohort_error_memory("a strategy"));
        return NULL;
    }
    cohort_handle_begin(&s->handle, COHORT_HANDLE_STRATEGY);
    s->dependents.next = s->dependents.previous = &s->dependents;
    cohort_status status = create(s, options, hosts, n_hosts);
    if (status >= 0) {
        cohort_farewell_owe(s);
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

cohort_status cohort_strategy_check_program(const cohort_strategy *s, const char *call)
{
    if (!s->wants_program || s->executor->failure.step > 0)
        return COHORT_OK;
    return cohort_error_set(COHORT_EINVAL,
                            "%s: a TPU-style strategy runs recorded steps alone: record the step "
                            "with cohort_program_record, and run that",
                            call);
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
        cohort_log(COHORT_LOG_ERROR, "%s", cohort_error_slot());
    return false;
}

void cohort_strategy_destroy(cohort_strategy *s)
{
    if (s == NULL || !may_be_destroyed(s))
        return;
    cohort_scope_forget(s);
    cohort_farewell_settle(s);
    if (free_parts(s))
        cohort_handle_free(&s->handle, sizeof *s, NULL);
    else {
        cohort_handle_end(&s->handle, NULL);
        cohort_keep(s);
    }
}

/* ------------------------------------------------------------------ dependents */

static void link_between(cohort_dependent *previous, cohort_dependent *d, cohort_dependent *next)
{
    d->previous = previous;
    d->next = next;
    previous->next = next->previous = d;
}

void cohort_strategy_adopt(cohort_strategy *s, cohort_dependent *dependent)
{
    link_between(s->dependents.previous, dependent, &s->dependents);
}

void cohort_strategy_adopt_user(cohort_strategy *s, cohort_dependent *user)
{
    link_between(&s->dependents, user, s->dependents.next);
}

void cohort_strategy_attach(cohort_strategy *s, const void *key, void *object,
                            void (*free)(void *object))
{
    cohort_attachment *place = s->attachments;
    cohort_assert(cohort_strategy_attached(s, key) == NULL);
    while (place->key != NULL)
        place++;
    cohort_assert(place < s->attachments + COHORT_STRATEGY_ATTACHMENTS);
    *place = (cohort_attachment){ key, object, free };
}

void cohort_strategy_disown(cohort_dependent *dependent)
{
    cohort_dependent *first = dependent->next, *m = first;
    dependent->previous->next = dependent->next;
    dependent->next->previous = dependent->previous;
    if (dependent->n_users == 0)
        return;
    do {
        if (m->forget != NULL)
            m->forget(m, dependent);
        m = m->next;
    } while (m != first);
}

/* ------------------------------------------------------------------ getters */

int cohort_strategy_num_replicas(const cohort_strategy *s)
{
    return cohort_handle_is(s, COHORT_HANDLE_STRATEGY) ? s->n_in_sync : 0;
}

cohort_status cohort_strategy_find_replica(const cohort_strategy *s, int32_t id, const char *call,
                                           int32_t *out_replica)
{
    if (id < 0 || id >= s->n_in_sync)
        return cohort_error_set(COHORT_EINVAL, "%s: replica %d of %d", call, id, s->n_in_sync);
    *out_replica = id - s->first_replica;
    return *out_replica >= 0 && *out_replica < s->n_replicas
               ? COHORT_OK
               : cohort_error_set(COHORT_EINVAL,
                                  "%s: another worker hosts replica %d of %d; this one has %d to "
                                  "%d",
                                  call, id, s->n_in_sync, s->first_replica,
                                  s->first_replica + s->n_replicas - 1);
}

int cohort_strategy_local_replicas(const cohort_strategy *s, int *out_first)
{
    bool is_there = cohort_handle_is(s, COHORT_HANDLE_STRATEGY);
    if (out_first != NULL)
        *out_first = is_there ? s->first_replica : 0;
    return is_there ? s->n_replicas : 0;
}

int64_t cohort_strategy_steps_per_run(const cohort_strategy *s)
{
    return cohort_handle_is(s, COHORT_HANDLE_STRATEGY) ? s->steps_per_run : 0;
}

int cohort_strategy_devices(const cohort_strategy *s, const cohort_device *out[], int capacity)
{
    if (!cohort_handle_is(s, COHORT_HANDLE_STRATEGY))
        return 0;
    for (int32_t d = 0; d < s->n_hosts && d < capacity; d++)
        out[d] = s->executor->contexts[d]->device;
    return s->n_hosts;
}

int cohort_strategy_parameter_devices(const cohort_strategy *s, const cohort_device *out[],
                                      int capacity)
{
    if (!cohort_handle_is(s, COHORT_HANDLE_STRATEGY))
        return 0;
    for (int32_t i = 0; i < s->n_parameters && i < capacity; i++)
        out[i] = s->executor->contexts[s->parameters[i]]->device;
    return s->n_parameters;
}

cohort_resolver *cohort_strategy_cluster_resolver(const cohort_strategy *s)
{
    return cohort_handle_is(s, COHORT_HANDLE_STRATEGY) ? s->membership.resolver : NULL;
}

int cohort_strategy_role(const cohort_strategy *s)
{
    if (!cohort_handle_is(s, COHORT_HANDLE_STRATEGY))
        return 0;
    const cohort_membership *m = &s->membership;
    bool is_chief = m->resolver == NULL || m->is_chief,
         is_between = cohort_membership_has_cluster(m) || cohort_kind_has_parameters(s);
    return (is_chief ? COHORT_SHOULD_CHECKPOINT | COHORT_SHOULD_SAVE_SUMMARY | COHORT_SHOULD_INIT
                     : 0) |
           (is_between ? COHORT_BETWEEN_GRAPH : 0);
}

int cohort_strategy_hosted(const cohort_strategy *s, int device)
{
    bool is_host =
        cohort_handle_is(s, COHORT_HANDLE_STRATEGY) && device >= 0 && device < s->n_hosts;
    return is_host ? s->first[device + 1] - s->first[device] : 0;
}

cohort_status cohort_strategy_status(const cohort_strategy *s)
{
    cohort_status status =
        cohort_handle_check(s, COHORT_HANDLE_STRATEGY, "cohort_strategy_status", "the strategy");
    return status < 0 ? status : cohort_failure_tell(&s->executor->failure);
}

static cohort_status refuse_lost(cohort_strategy *s)
{
    char why[COHORT_ERROR_BYTES];
    cohort_failure_tell_stop(&s->executor->failure, why);
    return cohort_error_set(COHORT_ELOST,
                            "a device of the strategy is lost: %s; make a new strategy without it",
                            why[0] != '\0' ? why : "its plugin has said so");
}

/* Every dependent looks at what its operations have come to before the marks of the lanes are
 * cleared, since these say which operations failed. */
static void settle(cohort_strategy *s)
{
    for (cohort_dependent *m = s->dependents.next; m != &s->dependents; m = m->next)
        if (m->settle != NULL)
            m->settle(m);
    cohort_executor_clear(s->executor);
}

/* Only a whole strategy recovers: memory of a lost device cannot be trusted, nor freed. */
cohort_status cohort_strategy_recover(cohort_strategy *s)
{
    cohort_status status = enter_outside(s, "cohort_strategy_recover");
    if (status < 0)
        return status;
    cohort_executor_wait_all(s->executor);
    if (!cohort_executor_is_whole(s->executor))
        status = refuse_lost(s);
    else if (s->workers != NULL)
        status = cohort_workers_recover(s->workers);
    else
        status = cohort_served_check(s, "cohort_strategy_recover");
    /* a failure of one worker, that the others have not heard of, is one of all: they go on alike */
    if (status >= 0 && (s->workers != NULL || cohort_failure_is_set(&s->executor->failure)))
        settle(s);
    if (status >= 0)
        status = cohort_across_catch_up(s);
    return cohort_call_leave(s, status);
}
