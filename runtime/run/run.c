/* SPDX-License-Identifier: BSD-3-Clause */
/* cohort_run. */
#include "config.h"

#include "runtime/run/dispatch.h"
#include "runtime/run/recording.h"
#include "runtime/strategy/call.h"
#include "runtime/value/operand.h"

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

static void describe(const cohort_strategy *strategy, const void *request, FILE *out)
{
    (void)fprintf(out, "%s on", ((const cohort_invocation *)request)->function->name);
    for (int32_t d = 0; d < strategy->n_hosts; d++)
        (void)fprintf(out, " %s", cohort_strategy_context(strategy, d)->device->id);
}

static void leave(cohort_strategy *strategy, const void *request)
{
    cohort_recording_leave(strategy, request);
}

cohort_status cohort_run_arguments(cohort_strategy *strategy, const cohort_function *function,
                                   const cohort_argument arguments[])
{
    static const cohort_recordable recordable = { .bytes = sizeof(cohort_invocation),
                                                  .keep = keep,
                                                  .run = run,
                                                  .describe = describe,
                                                  .leave = leave,
                                                  .fills = true };
    if (strategy == NULL)
        return cohort_call_about(NULL, COHORT_HANDLE_STRATEGY, "cohort_run", "the strategy",
                                 cohort_operand_strategy_of_list(arguments));
    const cohort_invocation request = { function, arguments, NULL };
    return cohort_call_make(strategy, "cohort_run", &recordable, &request);
}
