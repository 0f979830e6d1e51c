/* SPDX-License-Identifier: BSD-3-Clause */
/* Where all replicas pass the same, the run is the cohort_run of a recording. Else each is launched
 * with its own arguments, and has what is kept of its launch. */
#include "config.h"

#include "runtime/step/traced_run.h"

#include "runtime/call/first_row.h"
#include "runtime/function/parsed.h"
#include "runtime/run/recording.h"
#include "runtime/step/same_arguments.h"
#include "runtime/value/operand.h"

#include <stdio.h>

/* ------------------------------------------------------------------ in a replay */

static cohort_status launch(const cohort_rendezvous *rendezvous, const void *mine, int32_t replica)
{
    const cohort_traced_launch *l = mine;
    (void)rendezvous;
    if (l->updated == NULL)
        return cohort_dispatch_run(l->strategy, &l->invocation, COHORT_CALL_REPLICA, replica, 1);
    return cohort_dispatch_update(&(cohort_update_call){ .strategy = l->strategy,
                                                         .updated = l->updated,
                                                         .invocation = &l->invocation,
                                                         .component = replica });
}

static cohort_status plan(cohort_strategy *s, const cohort_rendezvous *rendezvous,
                          void *const all[])
{
    return cohort_trace_do_each(s, rendezvous, all, launch);
}

/* ------------------------------------------------------------------ in a recording */

static cohort_status keep_one(cohort_recorder *recorder, const char *call, void *mine)
{
    cohort_traced_launch *l = mine;
    if (l->updated == NULL)
        return cohort_recording_keep(recorder, call, &l->invocation, COHORT_CALL_RUN, NULL);
    cohort_status status = cohort_operand_keep_variable(recorder, call, l->updated);
    return status < 0 ? status
                      : cohort_recording_keep(recorder, call, &l->invocation, COHORT_CALL_UPDATE,
                                              l->updated);
}

static cohort_status keep(cohort_recorder *recorder, cohort_rendezvous *rendezvous, void *all[])
{
    return cohort_trace_keep_each(recorder, rendezvous->call, all, sizeof(cohort_traced_launch),
                                  keep_one);
}

static void leave(cohort_strategy *s, void *const all[])
{
    for (int32_t r = 0; r < s->n_replicas; r++)
        cohort_recording_leave(s, &((const cohort_traced_launch *)all[r])->invocation);
}

/* To count the rows of a value takes the same call of all. */
static cohort_status record(cohort_recorder *recorder, const cohort_rendezvous *rendezvous,
                            void *const all[])
{
    const cohort_traced_launch *first = all[0];
    bool is_alike = first->updated == NULL, asks = false;
    for (int32_t r = 0; r < recorder->strategy->n_replicas; r++) {
        const cohort_argument *arguments =
            ((const cohort_traced_launch *)all[r])->invocation.arguments;
        is_alike = is_alike && cohort_arguments_is_same(first->invocation.arguments, arguments);
        asks = asks || cohort_first_row_is_asked(arguments);
    }
    if (is_alike)
        return cohort_recording_add_run(recorder, rendezvous->call, &first->invocation);
    if (asks)
        return cohort_error_set(
            COHORT_EINVAL,
            first->updated != NULL
                ? "in a recording COHORT_FIRST_ROW is none of an update of components: let a run "
                  "write it into a value"
                : "in a recording all replicas pass the same arguments beside COHORT_FIRST_ROW");
    return cohort_trace_add(recorder, rendezvous, all);
}

/* ------------------------------------------------------------------ the call of a replica */

static void describe(const cohort_rendezvous *rendezvous, char *out, size_t size)
{
    const cohort_function *function = rendezvous->what;
    (void)snprintf(out, size, "%s", function->name);
}

static cohort_status check(const cohort_invocation *invocation, const char *call)
{
    cohort_status status = cohort_parsed_check(invocation->function, call);
    return status < 0 || invocation->arguments != NULL
               ? status
               : cohort_error_null(invocation->function->name, "the list of arguments");
}

static bool has_same_variable(const void *mine, const void *other)
{
    return ((const cohort_traced_launch *)mine)->updated ==
           ((const cohort_traced_launch *)other)->updated;
}

cohort_status cohort_traced_launch_meet(cohort_replica *me, const char *call, const char *site,
                                        cohort_traced_launch *l)
{
    static const cohort_traced traced = { .keep = keep, .leave = leave, .record = record };
    cohort_status status = check(&l->invocation, call);
    return status < 0 ? status
                      : cohort_stage_meet(me, &(cohort_rendezvous){ .call = call,
                                                                    .site = site,
                                                                    .what = l->invocation.function,
                                                                    .mine = l,
                                                                    .plan = plan,
                                                                    .is_same = has_same_variable,
                                                                    .describe = describe,
                                                                    .traced = &traced });
}
