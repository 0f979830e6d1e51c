/* SPDX-License-Identifier: BSD-3-Clause */
/* cohort_update and cohort_update_non_slot. */
#include "config.h"

#include "runtime/reduce/destination.h"
#include "runtime/run/dispatch.h"
#include "runtime/value/operand.h"

#include <cohort/run.h>

#include <stdio.h>

static cohort_status update(const cohort_update_call *call, const char *name)
{
    char what[COHORT_ERROR_BYTES / 4];
    (void)snprintf(what, sizeof what, "%s: the variable", name);
    cohort_status status = cohort_scope_check(call->strategy, what);
    if (status >= 0)
        status = cohort_strategy_enter(call->strategy, name);
    return status < 0 ? status : cohort_strategy_advance(call->strategy, cohort_dispatch_update(call));
}

cohort_status cohort_update_arguments(cohort_variable *variable, const cohort_function *function,
                                      const cohort_argument arguments[])
{
    if (variable == NULL)
        return cohort_error_null("cohort_update", "the variable");
    return update(&(cohort_update_call){ .strategy = variable->strategy,
                                         .updated = variable,
                                         .function = function,
                                         .arguments = arguments,
                                         .component = -1 },
                  "cohort_update");
}

/* ------------------------------------------------------------------ not of a slot */

/* Of the destination, or, when that is a text, of the first variable that is passed. */
static cohort_strategy *find_strategy(const cohort_argument *at, const cohort_argument arguments[])
{
    if (at->kind != COHORT_ARGUMENT_TEXT)
        return cohort_operand_strategy(at);
    for (int32_t i = 0; arguments != NULL && i <= COHORT_MAX_ARGUMENTS && arguments[i].kind != COHORT_ARGUMENT_END; i++)
        if (arguments[i].kind == COHORT_ARGUMENT_VARIABLE && arguments[i].as.p != NULL)
            return ((const cohort_variable *)arguments[i].as.p)->strategy;
    return NULL;
}

static cohort_status update_non_slot(cohort_strategy *s, const cohort_argument *at, const cohort_function *function,
                                     const cohort_argument arguments[])
{
    cohort_destination to;
    cohort_status status = cohort_destination_init(&to, "cohort_update_non_slot", s, at);
    if (status < 0)
        return status;
    status = update(
        &(cohort_update_call){
            .strategy = s, .function = function, .arguments = arguments, .component = -1, .only_on = &to },
        "cohort_update_non_slot");
    cohort_destination_fini(&to);
    return status;
}

cohort_status cohort_update_non_slot_arguments(cohort_argument at, const cohort_function *function,
                                               const cohort_argument arguments[])
{
    bool is_place =
        at.kind == COHORT_ARGUMENT_TEXT || at.kind == COHORT_ARGUMENT_VARIABLE || at.kind == COHORT_ARGUMENT_VALUE;
    if (!is_place)
        return cohort_error_set(COHORT_EINVAL, "cohort_update_non_slot: where? COHORT_AT of a variable, a value or a "
                                               "list of device ids");
    if (at.as.p == NULL)
        return cohort_error_null("cohort_update_non_slot", "the place");
    cohort_strategy *s = find_strategy(&at, arguments);
    if (s == NULL)
        return cohort_error_set(COHORT_EINVAL, "cohort_update_non_slot: no variable is passed, so there is nothing to "
                                               "update");
    return update_non_slot(s, &at, function, arguments);
}
