/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/strategy/loss.h"

#include "runtime/base/log.h"
#include "runtime/strategy/hosting.h"

#include <stdio.h>

static bool is_new(const cohort_strategy *s, int32_t device)
{
    return cohort_strategy_is_lost(s, device) && !cohort_strategy_context(s, device)->is_left_out;
}

/* ------------------------------------------------------------------ may it go on */

static bool may_be_lost(const cohort_strategy *s)
{
    bool may_be = false;
    for (int32_t d = 0; d < s->n_devices; d++) {
        const cohort_context *context = cohort_strategy_context(s, d);
        may_be = may_be || (!context->is_left_out && cohort_context_may_be_lost(context));
    }
    return may_be;
}

static int32_t count_hosts(const cohort_strategy *s)
{
    int32_t n = 0;
    for (int32_t d = 0; d < s->n_hosts; d++)
        n += !cohort_strategy_context(s, d)->is_left_out;
    return n;
}

bool cohort_loss_may_be_survived(const cohort_strategy *s)
{
    return s->loss != COHORT_LOSS_FAIL && s->has_rollback && s->workers == NULL &&
           s->servers == NULL && s->n_logical == 1 && count_hosts(s) > 1 && may_be_lost(s);
}

/* The first that hosts replicas, or may; -1: none is left. */
static int32_t first_host(const cohort_strategy *s)
{
    for (int32_t d = 0; d < s->n_hosts; d++)
        if (!cohort_strategy_is_lost(s, d))
            return d;
    return -1;
}

static cohort_status check(const cohort_strategy *s)
{
    char why[COHORT_ERROR_BYTES];
    const char *cure = s->loss == COHORT_LOSS_FAIL ? "its options say that it fails then"
                       : s->n_logical > 1          ? "its replicas have several devices each"
                       : first_host(s) < 0         ? "no other device hosts replicas"
                       : s->workers != NULL || s->servers != NULL
                           ? "it is one of several tasks of a cluster"
                           : NULL;
    if (cure == NULL)
        return COHORT_OK;
    cohort_failure_tell_stop(&s->executor->failure, why);
    return cohort_error_set(COHORT_ELOST,
                            "a device of the strategy is lost: %s; %s: make a new strategy without "
                            "it",
                            why[0] != '\0' ? why : "its plugin has said so", cure);
}

/* ------------------------------------------------------------------ going on */

/* Variables may live somewhere, and plain results are made somewhere. */
static void choose_places(cohort_strategy *s)
{
    bool is_any = false;
    if (cohort_strategy_is_lost(s, s->home))
        s->home = first_host(s);
    for (int32_t i = 0; i < s->n_parameters; i++)
        is_any = is_any || !cohort_strategy_is_lost(s, s->parameters[i]);
    if (!is_any)
        s->parameters[0] = s->home;
}

static void name_replicas(const cohort_strategy *s, int32_t first, int32_t end, char text[64])
{
    if (end - first == 1)
        (void)snprintf(text, 64, "replica %d", cohort_strategy_replica_id(s, first));
    else
        (void)snprintf(text, 64, "replicas %d to %d", cohort_strategy_replica_id(s, first),
                       cohort_strategy_replica_id(s, end - 1));
}

/* Of a device that hosts them still. */
static void say(const cohort_strategy *s, int32_t device, const char *why)
{
    char hosted[64] = "no replica";
    const int32_t first = s->first[device], end = s->first[device + 1];
    if (end > first)
        name_replicas(s, first, end, hosted);
    cohort_log(COHORT_SUBSYSTEM_STRATEGY, COHORT_LOG_WARNING,
               "%s is lost (%s); it had %s, and the strategy goes on without it",
               cohort_strategy_context(s, device)->device->id, why, hosted);
}

/* Who hosts what from now on, in a line. */
static void say_hosting(const cohort_strategy *s)
{
    char text[1024] = "", replicas[64];
    size_t used = 0;
    for (int32_t d = 0; d < s->n_hosts && used < sizeof text; d++) {
        if (s->first[d + 1] == s->first[d])
            continue;
        name_replicas(s, s->first[d], s->first[d + 1], replicas);
        used +=
            (size_t)snprintf(text + used, sizeof text - used, "%s%s on %s", used > 0 ? ", " : "",
                             replicas, cohort_strategy_context(s, d)->device->id);
    }
    cohort_log(COHORT_SUBSYSTEM_STRATEGY, COHORT_LOG_WARNING, "hosted from now on: %s", text);
}

static void abandon(cohort_context *context, const char *why)
{
    if (cohort_lane_is_lost(context->lane))
        cohort_context_abandon(context, why);
}

static cohort_status leave_out(cohort_strategy *s, const char *why)
{
    cohort_executor_part_with_lost(s->executor);
    choose_places(s);
    for (int32_t d = 0; d < s->n_devices; d++)
        if (is_new(s, d))
            say(s, d, why);
    cohort_status status = cohort_hosting_leave_lost(s);
    if (status < 0)
        return status;
    for (int32_t d = 0; d < s->n_devices; d++)
        if (is_new(s, d))
            abandon(cohort_strategy_context(s, d), why);
    cohort_executor_leave_out_lost(s->executor);
    say_hosting(s);
    return COHORT_OK;
}

/* ------------------------------------------------------------------ the whole of it */

/* Before the marks of the lanes are cleared, since these say which operations failed. */
void cohort_loss_settle(cohort_strategy *s)
{
    for (cohort_dependent *m = s->dependents.next; m != &s->dependents; m = m->next)
        if (m->settle != NULL)
            m->settle(m);
    cohort_executor_clear(s->executor);
}

static int32_t count_lost(const cohort_strategy *s)
{
    int32_t n = 0;
    for (int32_t d = 0; d < s->n_devices; d++)
        n += cohort_strategy_is_lost(s, d);
    return n;
}

static cohort_status recover_once(cohort_strategy *s)
{
    char why[COHORT_ERROR_BYTES];
    cohort_status status = check(s);
    if (status < 0)
        return status;
    cohort_failure_tell_stop(&s->executor->failure, why);
    cohort_loss_settle(s);
    return leave_out(s, why[0] != '\0' ? why : "its plugin has said so");
}

/* Another one may be lost while things move to it. */
cohort_status cohort_loss_recover(cohort_strategy *s)
{
    int32_t n_lost;
    cohort_status status;
    do {
        n_lost = count_lost(s);
        status = recover_once(s);
    } while (status < 0 && count_lost(s) > n_lost);
    s->is_step_open = s->is_step_open && status < 0;
    return status;
}
