/* SPDX-License-Identifier: BSD-3-Clause */
/* cohort_update and cohort_update_non_slot. */
#include "config.h"

#include "runtime/reduce/destination.h"
#include "runtime/run/dispatch.h"
#include "runtime/run/recording.h"
#include "runtime/run/rollback_words.h"
#include "runtime/strategy/call.h"
#include "runtime/value/agreement.h"
#include "runtime/value/operand.h"

#include <cohort/run.h>

/* ------------------------------------------------------------------ of a variable */

typedef struct update_request {
    cohort_variable *variable;
    cohort_invocation invocation;
    const char *site;
} update_request;

static cohort_status keep_update(cohort_recorder *recorder, const char *call, void *request)
{
    update_request *r = request;
    cohort_status status = cohort_operand_keep_variable(recorder, call, r->variable);
    return status < 0 ? status
                      : cohort_recording_keep(recorder, call, &r->invocation, COHORT_CALL_UPDATE,
                                              r->variable);
}

static cohort_status run_update(cohort_strategy *strategy, const void *request)
{
    const update_request *r = request;
    return cohort_dispatch_update(&(cohort_update_call){ .strategy = strategy,
                                                         .updated = r->variable,
                                                         .invocation = &r->invocation,
                                                         .component = -1 });
}

static void describe_update(const cohort_strategy *strategy, const void *request, FILE *out)
{
    const update_request *r = request;
    (void)fprintf(out, "%s of ", r->invocation.function->name);
    cohort_variable_describe_stores(strategy, r->variable, out);
    cohort_rollback_describe(strategy, r->variable, r->invocation.function, out);
}

static void leave_update(cohort_strategy *strategy, const void *request)
{
    cohort_recording_leave(strategy, &((const update_request *)request)->invocation);
}

/* Of components each worker updates its own. */
static void agree_update(cohort_strategy *strategy, const void *request)
{
    const update_request *r = request;
    if (!r->variable->is_per_replica)
        cohort_agreement_note_update(strategy, "cohort_update", r->variable->name,
                                     r->invocation.function, r->invocation.arguments, r->site);
}

static const cohort_recordable recordable = { .bytes = sizeof(update_request),
                                              .keep = keep_update,
                                              .run = run_update,
                                              .describe = describe_update,
                                              .leave = leave_update,
                                              .agree = agree_update };

cohort_status cohort_recording_add_update(cohort_recorder *recorder, const char *call,
                                          cohort_variable *variable,
                                          const cohort_invocation *invocation, const char *site)
{
    const update_request request = { variable, *invocation, site };
    cohort_status status = recorder->add(recorder, call, &recordable, &request);
    if (status >= 0 && recorder->strategy->workers != NULL)
        agree_update(recorder->strategy, &request);
    return status;
}

cohort_status cohort_update_arguments(const char *site, cohort_variable *variable,
                                      const cohort_function *function,
                                      const cohort_argument arguments[])
{
    cohort_status status =
        cohort_call_about(variable, COHORT_HANDLE_VARIABLE, "cohort_update", "the variable",
                          cohort_operand_strategy_of_list(arguments));
    if (status < 0)
        return status;
    const update_request request = { variable, { function, arguments, NULL }, site };
    return cohort_call_make(variable->strategy, "cohort_update", &recordable, &request);
}

/* ------------------------------------------------------------------ not of a slot */

static const char non_slot[] = "cohort_update_non_slot";

/* Of the destination, or, when that has none, of the first object that is passed. NULL: there is
 * none. */
static cohort_strategy *find_strategy(const cohort_argument *at, const cohort_argument arguments[])
{
    cohort_strategy *s = cohort_operand_strategy(at);
    return s != NULL ? s : cohort_operand_strategy_of_list(arguments);
}

typedef struct non_slot_request {
    cohort_argument at;
    cohort_invocation invocation;
    const char *site;
} non_slot_request;

static cohort_status keep_non_slot(cohort_recorder *recorder, const char *call, void *request)
{
    non_slot_request *r = request;
    cohort_status status = cohort_operand_keep(recorder, call, &r->at);
    return status < 0
               ? status
               : cohort_recording_keep(recorder, call, &r->invocation, COHORT_CALL_UPDATE, NULL);
}

static cohort_status run_non_slot(cohort_strategy *strategy, const void *request)
{
    const non_slot_request *r = request;
    cohort_destination to;
    cohort_status status = cohort_destination_init(&to, non_slot, strategy, &r->at);
    if (status < 0)
        return status;
    status = cohort_dispatch_update(&(cohort_update_call){
        .strategy = strategy, .invocation = &r->invocation, .component = -1, .only_on = &to });
    cohort_destination_fini(&to);
    return status;
}

static void describe_non_slot(const cohort_strategy *strategy, const void *request, FILE *out)
{
    (void)strategy;
    (void)fprintf(out, "%s", ((const non_slot_request *)request)->invocation.function->name);
}

static void leave_non_slot(cohort_strategy *strategy, const void *request)
{
    cohort_recording_leave(strategy, &((const non_slot_request *)request)->invocation);
}

static void agree_non_slot(cohort_strategy *strategy, const void *request)
{
    const non_slot_request *r = request;
    cohort_agreement_note_update(strategy, non_slot, NULL, r->invocation.function,
                                 r->invocation.arguments, r->site);
}

/* Asked before the strategy is entered, because the place is where the strategy may come from. */
static cohort_status check_place(const cohort_argument *at, const cohort_strategy *s)
{
    bool is_place = at->kind == COHORT_ARGUMENT_TEXT || at->kind == COHORT_ARGUMENT_VARIABLE ||
                    at->kind == COHORT_ARGUMENT_VALUE;
    if (!is_place)
        return cohort_error_set(
            COHORT_EINVAL, "%s: where? COHORT_AT of a variable, a value or a list of device ids",
            non_slot);
    if (at->kind == COHORT_ARGUMENT_TEXT && at->as.p == NULL)
        return cohort_error_null(non_slot, "the place");
    cohort_status status = COHORT_OK;
    if (at->kind != COHORT_ARGUMENT_TEXT)
        status = cohort_handle_check(at->as.p,
                                     at->kind == COHORT_ARGUMENT_VALUE ? COHORT_HANDLE_VALUE
                                                                       : COHORT_HANDLE_VARIABLE,
                                     non_slot, "the place");
    if (status < 0)
        return status;
    if (s == NULL)
        return cohort_error_set(
            COHORT_EINVAL, "%s: no variable is passed, so there is nothing to update", non_slot);
    return COHORT_OK;
}

cohort_status cohort_update_non_slot_arguments(const char *site, cohort_argument at,
                                               const cohort_function *function,
                                               const cohort_argument arguments[])
{
    static const cohort_recordable update = { .bytes = sizeof(non_slot_request),
                                              .keep = keep_non_slot,
                                              .run = run_non_slot,
                                              .describe = describe_non_slot,
                                              .leave = leave_non_slot,
                                              .agree = agree_non_slot };
    cohort_strategy *s = find_strategy(&at, arguments);
    cohort_status status = check_place(&at, s);
    if (status < 0)
        return cohort_call_refuse(s, non_slot, status);
    const non_slot_request request = { at, { function, arguments, NULL }, site };
    return cohort_call_make(s, non_slot, &update, &request);
}
