/* SPDX-License-Identifier: BSD-3-Clause */
/* cohort_replica_update: one update that all replicas ask for. */
#include "config.h"

#include "runtime/run/dispatch.h"
#include "runtime/run/recording.h"
#include "runtime/step/replica_first_row.h"
#include "runtime/step/same_arguments.h"
#include "runtime/step/stage.h"
#include "runtime/step/traced_run.h"
#include "runtime/value/agreement.h"
#include "runtime/value/operand.h"

#include <stdio.h>

static const char call[] = "cohort_replica_update";

/* What a replica asks for. */
typedef struct request {
    cohort_variable *variable;
    const cohort_function *function;
    const cohort_argument *arguments;
} request;

/* ------------------------------------------------------------------ the same on all replicas */

static bool is_same_request(const void *mine, const void *other)
{
    const request *a = mine, *b = other;
    return a->function == b->function && cohort_arguments_is_same(a->arguments, b->arguments);
}

static void describe(const cohort_rendezvous *rendezvous, char *out, size_t size)
{
    const request *r = rendezvous->mine;
    int32_t n = cohort_arguments_count(r->arguments);
    (void)snprintf(out, size, "variable '%s', function %s, %d argument%s", r->variable->name,
                   r->function->name != NULL ? r->function->name : "", n, n == 1 ? "" : "s");
}

/* ------------------------------------------------------------------ update */

/* component: of one replica alone, or -1. */
static cohort_status dispatch(const request *r, int32_t component)
{
    const cohort_invocation invocation = { r->function, r->arguments, NULL };
    return cohort_dispatch_update(&(cohort_update_call){ .strategy = r->variable->strategy,
                                                         .updated = r->variable,
                                                         .invocation = &invocation,
                                                         .component = component });
}

/* All ask for the same (is_same_request), so that the request of replica 0 stands for all. */
static cohort_status plan(cohort_strategy *strategy, const cohort_rendezvous *rendezvous,
                          void *const all[])
{
    const request *r = all[0];
    cohort_status status = dispatch(r, -1);
    if (status >= 0 && strategy->workers != NULL)
        cohort_agreement_note_update(strategy, call, r->variable->name, r->function, r->arguments,
                                     rendezvous->site);
    return status;
}

/* It is the cohort_update of a recording. */
static cohort_status record(cohort_recorder *recorder, const cohort_rendezvous *rendezvous,
                            void *const all[])
{
    const request *r = all[0];
    const cohort_invocation invocation = { r->function, r->arguments, NULL };
    return cohort_recording_add_update(recorder, rendezvous->call, r->variable, &invocation,
                                       rendezvous->site);
}

static cohort_status check(cohort_replica *me, const cohort_variable *variable,
                           const cohort_function *function, const cohort_argument arguments[])
{
    cohort_status status = cohort_stage_check(me, call);
    if (status < 0)
        return status;
    status = cohort_handle_check(variable, COHORT_HANDLE_VARIABLE, call, "the variable");
    if (status < 0)
        return status;
    if (variable->strategy != cohort_stage_strategy(me))
        return cohort_error_set(COHORT_EINVAL, "%s: variable '%s' belongs to another strategy",
                                call, variable->name);
    if (function == NULL)
        return cohort_handle_refuse(function, COHORT_HANDLE_FUNCTION, call, "the function");
    return arguments != NULL ? COHORT_OK : cohort_error_null(call, "the list of arguments");
}

/* A replica's own component: no other replica has to come, but for COHORT_FIRST_ROW of a value, and
 * the lock alone keeps them apart. */
static cohort_status update_component(cohort_replica *me, const char *site, const request *r)
{
    if (cohort_trace_is_on(me))
        return cohort_traced_launch_meet(
            me, call, site,
            &(cohort_traced_launch){
                cohort_stage_strategy(me), r->variable, { r->function, r->arguments, NULL } });
    cohort_status status =
        cohort_replica_find_first_row(me, &(cohort_replica_call){ .name = call,
                                                                  .site = site,
                                                                  .function = r->function,
                                                                  .arguments = r->arguments,
                                                                  .updated = r->variable });
    if (status < 0)
        return status;
    cohort_stage_lock(me);
    status = dispatch(r, me->id);
    cohort_status sticky = cohort_stage_unlock(me);
    return status < 0 ? status : sticky;
}

cohort_status cohort_replica_update_arguments(const char *site, cohort_replica *me,
                                              cohort_variable *variable,
                                              const cohort_function *function,
                                              const cohort_argument arguments[])
{
    static const cohort_traced traced = { .record = record };
    request r = { variable, function, arguments };
    cohort_status status = check(me, variable, function, arguments);
    if (status >= 0 && variable->is_per_replica)
        return cohort_stage_end(me, NULL, update_component(me, site, &r));
    if (status < 0)
        return cohort_stage_end(me, cohort_operand_strategy_of_variable(variable), status);
    return cohort_stage_meet(me, &(cohort_rendezvous){ .call = call,
                                                       .site = site,
                                                       .what = variable,
                                                       .mine = &r,
                                                       .plan = plan,
                                                       .is_same = is_same_request,
                                                       .describe = describe,
                                                       .traced = &traced });
}
