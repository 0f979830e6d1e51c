/* SPDX-License-Identifier: BSD-3-Clause */
/* Kinds of strategies: a name stands for a placement policy and for defaults. `placement` of the
 * options replaces the policy; the name still says where variables live by default. */
#include "config.h"

#include "runtime/strategy/kind.h"

#include "runtime/base/guess.h"
#include "runtime/base/memory.h"

#include <cohort/server.h>

#include <string.h>

static const char multi_worker[] = "multi-worker-mirrored", served[] = "parameter-server";

static const char *policy_of(const char *kind)
{
    if (cohort_kind_is_multi_worker(kind))
        return "mirrored";
    return cohort_kind_is_served(kind) ? "round-robin" : kind;
}

/* A step is undone by what rollback keeps. Workers tell each other of it; a parameter server has no
 * steps. */
static cohort_status check_skip(const char *name, const cohort_strategy_options *options)
{
    const char *why =
        options->rollback == COHORT_ROLLBACK_OFF ? "needs rollback: COHORT_ROLLBACK_ON"
        : options->logical_devices > 1           ? "needs replicas of one device each"
        : cohort_kind_is_served(name) ? "needs variables that the workers hold, which parameter "
                                        "servers do not put back"
                                      : NULL;
    return why == NULL
               ? COHORT_OK
               : cohort_error_set(COHORT_ENOTSUP, "strategy '%s': COHORT_GUARD_SKIP %s", name, why);
}

cohort_status cohort_kind_apply(cohort_strategy *s, const cohort_strategy_options *options)
{
    const char *name = options->name != NULL ? options->name : "mirrored";
    const cohort_placement *named = cohort_placement_find(policy_of(name));
    const cohort_placement *placement = options->placement != NULL ? options->placement : named;
    if (named == NULL)
        return cohort_error_set(
            COHORT_EINVAL,
            "strategy: no strategy '%s'; mirrored, central, one-device, round-robin, sharded, %s, "
            "%s",
            name, multi_worker, served);
    if (options->guard < COHORT_GUARD_PROPAGATE || options->guard > COHORT_GUARD_SKIP)
        return cohort_error_set(COHORT_EINVAL,
                                "strategy: %d is no guard; COHORT_GUARD_PROPAGATE, "
                                "COHORT_GUARD_ERROR or COHORT_GUARD_SKIP",
                                (int)options->guard);
    if (options->loss < COHORT_LOSS_MOVE || options->loss > COHORT_LOSS_MOVE_CALLS)
        return cohort_error_set(COHORT_EINVAL,
                                "strategy: %d is no loss; COHORT_LOSS_MOVE, _FAIL or _MOVE_CALLS",
                                (int)options->loss);
    if (options->rollback < COHORT_ROLLBACK_ON || options->rollback > COHORT_ROLLBACK_OFF)
        return cohort_error_set(
            COHORT_EINVAL, "strategy: %d is no rollback; COHORT_ROLLBACK_ON or COHORT_ROLLBACK_OFF",
            (int)options->rollback);
    cohort_status status = cohort_placement_check(placement, "strategy");
    if (status >= 0 && options->guard == COHORT_GUARD_SKIP)
        status = check_skip(name, options);
    if (status < 0)
        return status;
    s->placement = *placement;
    s->guard = options->guard;
    s->keeps_steps = s->guard == COHORT_GUARD_SKIP;
    s->loss = options->loss;
    s->has_rollback = options->rollback == COHORT_ROLLBACK_ON;
    s->name = cohort_string_copy(name);
    return s->name != NULL ? COHORT_OK : cohort_error_memory("a strategy");
}

bool cohort_kind_was_meant_across(const char *name)
{
    static const char *const kinds[] = { "mirrored", "central",    "one-device", "round-robin",
                                         "sharded",  multi_worker, served };
    cohort_guess guess = { .name = name, .length = name != NULL ? strlen(name) : 0 };
    if (name == NULL || cohort_placement_find(policy_of(name)) != NULL)
        return false;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        cohort_guess_consider(&guess, kinds[i]);
    return cohort_kind_is_multi_worker(guess.best) || cohort_kind_is_served(guess.best);
}

bool cohort_kind_needs_ps(const cohort_strategy *s)
{
    return strcmp(s->name, "round-robin") == 0;
}

bool cohort_kind_is_one_device(const cohort_strategy *s)
{
    return strcmp(s->name, "one-device") == 0;
}

bool cohort_kind_is_multi_worker(const char *name)
{
    return name != NULL && strcmp(name, multi_worker) == 0;
}

bool cohort_kind_is_served(const char *name)
{
    return name != NULL && strcmp(name, served) == 0;
}

bool cohort_kind_has_parameters(const cohort_strategy *s)
{
    return strcmp(s->name, "mirrored") != 0 && !cohort_kind_is_one_device(s) &&
           !cohort_kind_is_multi_worker(s->name);
}

cohort_strategy *cohort_mirrored(const char *devices)
{
    return cohort_strategy_create(
        &(cohort_strategy_options){ .name = "mirrored", .devices = devices });
}

cohort_strategy *cohort_multi_worker_mirrored(cohort_resolver *resolver, const char *devices)
{
    return cohort_strategy_create(&(cohort_strategy_options){
        .name = multi_worker, .devices = devices, .resolver = resolver });
}

cohort_strategy *cohort_parameter_server(cohort_resolver *resolver,
                                         const cohort_placement *placement)
{
    return cohort_strategy_create(
        &(cohort_strategy_options){ .name = served, .resolver = resolver, .placement = placement });
}

cohort_strategy *cohort_central_storage(const char *compute_devices, const char *parameter_device)
{
    cohort_strategy *s = cohort_strategy_create(&(cohort_strategy_options){
        .name = "central", .devices = compute_devices, .parameter_devices = parameter_device });
    if (s == NULL || s->n_parameters == 1)
        return s;
    int n = s->n_parameters;
    cohort_strategy_destroy(s);
    (void)cohort_error_set(COHORT_EINVAL,
                           "central storage: '%s' names %d parameter devices; one is needed",
                           parameter_device, n);
    return cohort_handle_made(COHORT_HANDLE_STRATEGY, NULL);
}

cohort_strategy *cohort_one_device(const char *device)
{
    cohort_strategy *s = cohort_strategy_create(
        &(cohort_strategy_options){ .name = "one-device", .devices = device });
    if (s == NULL || s->n_hosts == 1)
        return s;
    int n = s->n_hosts;
    cohort_strategy_destroy(s);
    (void)cohort_error_set(COHORT_EINVAL, "one device: '%s' names %d devices",
                           device != NULL ? device : "(default)", n);
    return cohort_handle_made(COHORT_HANDLE_STRATEGY, NULL);
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
