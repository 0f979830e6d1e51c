/* SPDX-License-Identifier: BSD-3-Clause */
/* A strategy: the list of what was made from it, and what it answers about itself.
 *
 * Objects that a program makes of a strategy hang in a ring of dependents, and die with it: the
 * ring is the reason why a destroyed strategy leaves no value that points to it. The ring is
 * changed only by the one call that is inside of the strategy (call.c). */
#include "config.h"

#include "runtime/strategy/strategy.h"

#include "runtime/base/assert.h"

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

void cohort_strategy_detach(cohort_strategy *s, const void *key)
{
    cohort_attachment *place = s->attachments;
    while (place->key != key)
        place++;
    *place = (cohort_attachment){ 0 };
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
    for (int32_t d = 0; out != NULL && d < cohort_strategy_hosting(s) && d < capacity; d++)
        out[d] = s->executor->contexts[d]->device;
    return cohort_strategy_hosting(s);
}

int cohort_strategy_parameter_devices(const cohort_strategy *s, const cohort_device *out[],
                                      int capacity)
{
    if (!cohort_handle_is(s, COHORT_HANDLE_STRATEGY))
        return 0;
    for (int32_t i = 0; out != NULL && i < s->n_parameters && i < capacity; i++)
        out[i] = s->executor->contexts[s->parameters[i]]->device;
    return s->n_parameters;
}

cohort_resolver *cohort_strategy_cluster_resolver(const cohort_strategy *s)
{
    return cohort_handle_is(s, COHORT_HANDLE_STRATEGY) ? s->membership.resolver : NULL;
}

int cohort_strategy_hosted(const cohort_strategy *s, int device)
{
    bool is_host = cohort_handle_is(s, COHORT_HANDLE_STRATEGY) && device >= 0 &&
                   device < cohort_strategy_hosting(s);
    int32_t d = is_host ? device % s->n_hosts : 0;
    return is_host ? s->first[d + 1] - s->first[d] : 0;
}

cohort_status cohort_strategy_status(const cohort_strategy *s)
{
    cohort_status status =
        cohort_handle_check(s, COHORT_HANDLE_STRATEGY, "cohort_strategy_status", "the strategy");
    return status < 0 ? status : cohort_failure_tell(&s->executor->failure);
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
