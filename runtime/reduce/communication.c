/* SPDX-License-Identifier: BSD-3-Clause */
/* Options of communication: checked and set here, and used by those who pack (communication.h), by
 * the workers (runtime/exchange/workers.h) and by replicas that wait (runtime/step/lateness.h). */
#include "config.h"

#include "runtime/reduce/communication.h"

#include "runtime/base/digest.h"
#include "runtime/strategy/call.h"
#include "runtime/value/agreement.h"

#include <cohort/communication.h>

#include <math.h>
#include <string.h>

static const char call[] = "cohort_strategy_set_communication";

/* Of the settings, too (runtime/base/settings.h). */
static const double most_seconds = 1e9;

/* ------------------------------------------------------------------ checks */

/* In the order of cohort_workers_way. */
static const char *const ways[] = { [COHORT_WORKERS_AUTO] = "auto",
                                    [COHORT_WORKERS_WHOLE] = "whole",
                                    [COHORT_WORKERS_SLICES] = "slices",
                                    [COHORT_WORKERS_HIERARCHICAL] = "hierarchical" };

static cohort_status find_way(const char *name, cohort_workers_way *out)
{
    *out = COHORT_WORKERS_AUTO;
    for (size_t i = 0; i < sizeof ways / sizeof *ways && name != NULL; i++)
        if (strcmp(name, ways[i]) == 0) {
            *out = (cohort_workers_way)i;
            return COHORT_OK;
        }
    return name == NULL ? COHORT_OK
                        : cohort_error_set(COHORT_EINVAL,
                                           "%s: no implementation '%.40s'; \"auto\", \"whole\", "
                                           "\"slices\" and \"hierarchical\" are there",
                                           call, name);
}

static cohort_status check_numbers(const cohort_communication_options *o)
{
    bool is_time = o->timeout_seconds >= 0 &&
                   (o->timeout_seconds <= most_seconds || isinf(o->timeout_seconds));
    for (size_t i = 0; i < sizeof o->reserved / sizeof *o->reserved; i++)
        if (o->reserved[i] != NULL)
            return cohort_error_set(COHORT_EINVAL,
                                    "%s: reserved word %zu of the options is not zero", call, i);
    if (o->bytes_per_pack < 0)
        return cohort_error_set(COHORT_EINVAL, "%s: packs of %lld bytes; 0 is the default", call,
                                (long long)o->bytes_per_pack);
    return is_time ? COHORT_OK
                   : cohort_error_set(COHORT_EINVAL,
                                      "%s: a timeout of %g seconds; expected more than 0, up to "
                                      "%g, INFINITY, or 0 for that of the settings",
                                      call, o->timeout_seconds, most_seconds);
}

/* Replicas that sleep in a merge call look at the time meanwhile. */
static cohort_status check_place(const cohort_strategy *s)
{
    return cohort_scope_of_merge() != s
               ? COHORT_OK
               : cohort_error_set(COHORT_EINVAL,
                                  "%s: called in the function of a merge call; set the options "
                                  "outside of the step",
                                  call);
}

/* ------------------------------------------------------------------ setting */

/* At least 1 ns, for 0 is no limit. */
static int64_t limit_of(double seconds)
{
    double ns = seconds * 1e9;
    return isinf(seconds) ? 0 : ns < 1 ? 1 : (int64_t)ns;
}

static void set_limits(cohort_strategy *s, double seconds)
{
    bool is_given = seconds > 0;
    s->executor->limits_ns[COHORT_SETTING_TIMEOUT_COLLECTIVE] =
        is_given ? limit_of(seconds) : cohort_setting_ns(COHORT_SETTING_TIMEOUT_COLLECTIVE);
    if (s->workers != NULL)
        cohort_workers_set_limit(s->workers, is_given ? limit_of(seconds) : 0,
                                 is_given ? "timeout_seconds" : NULL);
}

/* Which values travel together, and how, is the same for all workers; a timeout need not be. */
static void tell_workers(cohort_strategy *s, int64_t bytes, cohort_workers_way way)
{
    int64_t said[] = { bytes, (int64_t)way };
    cohort_workers_set_way(s->workers, way);
    cohort_agreement_note(s, cohort_digest_add(COHORT_DIGEST_OF_NOTHING, said, sizeof said), call,
                          NULL, NULL);
}

static bool travels_alike(const cohort_strategy *s, int64_t bytes, cohort_workers_way way)
{
    const cohort_communication_options *o = &s->communication;
    return o->bytes_per_pack == bytes &&
           strcmp(o->implementation != NULL ? o->implementation : ways[0], ways[way]) == 0;
}

static cohort_status set(cohort_strategy *s, const cohort_communication_options *options)
{
    static const cohort_communication_options defaults;
    const cohort_communication_options *o = options != NULL ? options : &defaults;
    cohort_workers_way way;
    cohort_status status = check_place(s);
    if (status >= 0)
        status = check_numbers(o);
    if (status >= 0)
        status = find_way(o->implementation, &way);
    if (status < 0)
        return status;
    if (s->workers != NULL && !travels_alike(s, o->bytes_per_pack, way))
        tell_workers(s, o->bytes_per_pack, way);
    set_limits(s, o->timeout_seconds);
    s->communication = *o;
    s->communication.implementation = ways[way];
    return COHORT_OK;
}

cohort_status cohort_strategy_set_communication(cohort_strategy *strategy,
                                                const cohort_communication_options *options)
{
    cohort_status status = cohort_call_enter(strategy, call);
    return status < 0 ? status : cohort_call_leave(strategy, set(strategy, options));
}

cohort_communication_options cohort_strategy_communication(const cohort_strategy *strategy)
{
    cohort_communication_options none = { 0 };
    if (!cohort_handle_is(strategy, COHORT_HANDLE_STRATEGY))
        return none;
    cohort_communication_options set_last = strategy->communication;
    if (set_last.implementation == NULL)
        set_last.implementation = ways[COHORT_WORKERS_AUTO];
    return set_last;
}
