/* SPDX-License-Identifier: BSD-3-Clause */
/* cohort_update and cohort_update_non_slot. */
#include "config.h"

#include "runtime/reduce/destination.h"
#include "runtime/run/dispatch.h"
#include "runtime/strategy/call.h"
#include "runtime/value/operand.h"

#include <cohort/run.h>

cohort_status cohort_update_arguments(cohort_variable *variable, const cohort_function *function,
                                      const cohort_argument arguments[])
{
    cohort_status status =
        cohort_call_about(variable, COHORT_HANDLE_VARIABLE, "cohort_update", "the variable",
                          cohort_operand_strategy_of_list(arguments));
    if (status < 0)
        return status;
    const cohort_update_call call = { .strategy = variable->strategy,
                                      .updated = variable,
                                      .function = function,
                                      .arguments = arguments,
                                      .component = -1 };
    status = cohort_call_enter(call.strategy, "cohort_update");
    return status < 0 ? status : cohort_call_advance(call.strategy, cohort_dispatch_update(&call));
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

static cohort_status update_non_slot(cohort_strategy *s, const cohort_argument *at,
                                     const cohort_function *function,
                                     const cohort_argument arguments[])
{
    cohort_destination to;
    cohort_status status = cohort_destination_init(&to, non_slot, s, at);
    if (status < 0)
        return status;
    status = cohort_dispatch_update(&(cohort_update_call){ .strategy = s,
                                                           .function = function,
                                                           .arguments = arguments,
                                                           .component = -1,
                                                           .only_on = &to });
    cohort_destination_fini(&to);
    return status;
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

cohort_status cohort_update_non_slot_arguments(cohort_argument at, const cohort_function *function,
                                               const cohort_argument arguments[])
{
    cohort_strategy *s = find_strategy(&at, arguments);
    cohort_status status = check_place(&at, s);
    if (status < 0)
        return cohort_call_refuse(s, non_slot, status);
    status = cohort_call_enter(s, non_slot);
    return status < 0 ? status
                      : cohort_call_advance(s, update_non_slot(s, &at, function, arguments));
}
