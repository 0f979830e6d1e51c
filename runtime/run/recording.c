/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/run/recording.h"

#include "runtime/function/parsed.h"
#include "runtime/run/binder.h"
#include "runtime/run/served_call.h"
#include "runtime/value/operand.h"

static cohort_status find_bodies(cohort_binder *binder, const cohort_binding *b)
{
    cohort_executable *executable;
    cohort_status status = COHORT_OK;
    for (int32_t i = 0; i < b->count && status >= 0; i++)
        status = cohort_binder_find(binder, b->function, b->signature, cohort_binding_device(b, i),
                                    &executable);
    return status;
}

/* Parameter servers find a body when they are asked for it. */
static bool runs_on_servers(const cohort_binding *b)
{
    return b->kind == COHORT_CALL_UPDATE && b->updated->remote != NULL;
}

static cohort_status check(cohort_strategy *strategy, const cohort_function *function,
                           const cohort_argument arguments[], cohort_call_kind kind,
                           cohort_variable *updated)
{
    cohort_binder *binder = cohort_binder_of(strategy);
    if (binder == NULL)
        return COHORT_ENOMEM;
    cohort_binding *b = &binder->binding;
    cohort_status status =
        cohort_binding_begin_recording(b, strategy, function, arguments, kind, updated);
    if (status >= 0)
        status = runs_on_servers(b) ? cohort_served_call_check(b, updated == NULL)
                                    : find_bodies(binder, b);
    cohort_binding_end(b);
    return status;
}

cohort_status cohort_recording_keep(cohort_recorder *recorder, const char *call,
                                    const cohort_function *function,
                                    const cohort_argument **arguments, cohort_call_kind kind,
                                    cohort_variable *updated)
{
    cohort_status status = cohort_parsed_check(function, call);
    if (status >= 0 && *arguments == NULL)
        status = cohort_error_null(function->name, "the list of arguments");
    if (status >= 0)
        status = cohort_operand_keep_list(recorder, function->name, arguments);
    return status < 0 ? status : check(recorder->strategy, function, *arguments, kind, updated);
}
