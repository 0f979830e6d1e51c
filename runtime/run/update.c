/* SPDX-License-Identifier: BSD-3-Clause */
/* cohort_update and cohort_update_non_slot. */
#include "config.h"

#include "runtime/base/memory.h"
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

static int32_t find_device(const cohort_strategy *s, const cohort_device *device)
{
    for (int32_t d = 0; d < s->n_devices; d++)
        if (cohort_strategy_opened(s, d)->device == device)
            return d;
    return -1;
}

static cohort_status mark_text(const cohort_strategy *s, const char *text, bool is_on[])
{
    const cohort_device **devices;
    int n;
    cohort_status status = cohort_registry_select(text, &devices, &n);
    if (status < 0)
        return status;
    for (int i = 0; i < n && status >= 0; i++) {
        int32_t d = find_device(s, devices[i]);
        if (d >= 0)
            is_on[d] = true;
        else
            status = cohort_error_set(COHORT_EINVAL, "cohort_update_non_slot: %s is no device of the strategy",
                                      devices[i]->id);
    }
    cohort_free(devices);
    return status;
}

static void mark_value(const cohort_strategy *s, const cohort_value *value, bool is_on[])
{
    bool has_place = false;
    for (int32_t r = 0; r < s->n_replicas && value->kind == COHORT_PER_REPLICA_VALUE; r++)
        is_on[s->host[r]] = has_place = true;
    for (int32_t i = 0; i < value->plain.n_places && value->kind != COHORT_PER_REPLICA_VALUE; i++)
        if (value->plain.places[i].buffer != NULL && value->plain.places[i].epoch == value->plain.epoch)
            is_on[value->plain.first_device + i] = has_place = true;
    if (!has_place)
        is_on[s->home] = true;
}

static cohort_status mark_devices(const cohort_strategy *s, const cohort_argument *at, bool is_on[])
{
    if (at->kind == COHORT_ARGUMENT_TEXT)
        return mark_text(s, at->as.p, is_on);
    if (at->kind == COHORT_ARGUMENT_VARIABLE)
        cohort_variable_mark_devices(at->as.p, is_on);
    else
        mark_value(s, at->as.p, is_on);
    return COHORT_OK;
}

static cohort_status update_non_slot(cohort_strategy *s, const cohort_argument *at, const cohort_function *function,
                                     const cohort_argument arguments[])
{
    bool *is_on = cohort_allocate((size_t)s->n_devices, sizeof *is_on);
    cohort_status status = is_on != NULL ? mark_devices(s, at, is_on) : cohort_error_memory("an update");
    if (status >= 0)
        status = update(
            &(cohort_update_call){
                .strategy = s, .function = function, .arguments = arguments, .component = -1, .is_on = is_on },
            "cohort_update_non_slot");
    cohort_free(is_on);
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
