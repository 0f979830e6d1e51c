/* SPDX-License-Identifier: BSD-3-Clause */
/* cohort_run. */
#include "config.h"

#include "runtime/run/dispatch.h"
#include "runtime/run/recording.h"
#include "runtime/strategy/call.h"
#include "runtime/value/operand.h"

#include <cohort/logical.h>
#include <cohort/run.h>

static cohort_status keep(cohort_recorder *recorder, const char *call, void *request)
{
    return cohort_recording_keep(recorder, call, request, COHORT_CALL_RUN, NULL);
}

static cohort_status run(cohort_strategy *strategy, const void *request)
{
    cohort_status status = cohort_strategy_check_program(strategy, "cohort_run");
    return status < 0
               ? status
               : cohort_dispatch_run(strategy, request, COHORT_CALL_RUN, 0, strategy->n_replicas);
}

/* Where the first argument that lies on one logical device does; else the one in use. */
static int32_t logical_of(const cohort_strategy *strategy, const cohort_argument arguments[])
{
    int32_t logical = -1;
    for (; logical < 0 && arguments->kind != COHORT_ARGUMENT_END; arguments++) {
        const void *p = arguments->as.p;
        if (arguments->kind == COHORT_ARGUMENT_VALUE && cohort_handle_is(p, COHORT_HANDLE_VALUE))
            logical = cohort_value_logical_device(p);
        else if (arguments->kind == COHORT_ARGUMENT_VARIABLE &&
                 cohort_handle_is(p, COHORT_HANDLE_VARIABLE))
            logical = cohort_variable_logical_device(p);
    }
    return logical >= 0 ? logical : strategy->in_use;
}

static void describe(const cohort_strategy *strategy, const void *request, FILE *out)
{
    const cohort_invocation *invocation = request;
    int32_t first = logical_of(strategy, invocation->arguments) * strategy->n_hosts;
    (void)fprintf(out, "%s on", invocation->function->name);
    for (int32_t d = first; d < first + strategy->n_hosts; d++)
        (void)fprintf(out, " %s", cohort_strategy_context(strategy, d)->device->id);
}

static void leave(cohort_strategy *strategy, const void *request)
{
    cohort_recording_leave(strategy, request);
}

static const cohort_recordable recordable = { .bytes = sizeof(cohort_invocation),
                                              .keep = keep,
                                              .run = run,
                                              .describe = describe,
                                              .leave = leave,
                                              .fills = true };

cohort_status cohort_recording_add_run(cohort_recorder *recorder, const char *call,
                                       const cohort_invocation *invocation)
{
    return recorder->add(recorder, call, &recordable, invocation);
}

cohort_status cohort_recording_run(cohort_strategy *strategy, const char *call,
                                   const cohort_invocation *invocation)
{
    return cohort_call_make_part(strategy, call, &recordable, invocation);
}

cohort_status cohort_run_arguments(cohort_strategy *strategy, const cohort_function *function,
                                   const cohort_argument arguments[])
{
    if (strategy == NULL)
        return cohort_call_about(NULL, COHORT_HANDLE_STRATEGY, "cohort_run", "the strategy",
                                 cohort_operand_strategy_of_list(arguments));
    const cohort_invocation request = { function, arguments, NULL };
    return cohort_call_make(strategy, "cohort_run", &recordable, &request);
}
