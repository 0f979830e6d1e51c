/* SPDX-License-Identifier: BSD-3-Clause */
/* cohort_run. */
#include "config.h"

#include "runtime/run/dispatch.h"
#include "runtime/run/recording.h"
#include "runtime/strategy/call.h"
#include "runtime/value/operand.h"

#include <cohort/run.h>

typedef struct run_request {
    const cohort_function *function;
    const cohort_argument *arguments;
} run_request;

static cohort_status keep(cohort_recorder *recorder, const char *call, void *request)
{
    run_request *r = request;
    return cohort_recording_keep(recorder, call, r->function, &r->arguments, COHORT_CALL_RUN, NULL);
}

static cohort_status run(cohort_strategy *strategy, const void *request)
{
    const run_request *r = request;
    cohort_status status = cohort_strategy_check_program(strategy, "cohort_run");
    if (status < 0)
        return status;
    return cohort_dispatch_run(strategy, r->function, r->arguments, COHORT_CALL_RUN, 0,
                               strategy->n_replicas);
}

static void describe(const cohort_strategy *strategy, const void *request, FILE *out)
{
    (void)fprintf(out, "%s on", ((const run_request *)request)->function->name);
    for (int32_t d = 0; d < strategy->n_hosts; d++)
        (void)fprintf(out, " %s", cohort_strategy_context(strategy, d)->device->id);
}

cohort_status cohort_run_arguments(cohort_strategy *strategy, const cohort_function *function,
                                   const cohort_argument arguments[])
{
    static const cohort_recordable recordable = {
        .bytes = sizeof(run_request), .keep = keep, .run = run, .describe = describe, .fills = true
    };
    if (strategy == NULL)
        return cohort_call_about(NULL, COHORT_HANDLE_STRATEGY, "cohort_run", "the strategy",
                                 cohort_operand_strategy_of_list(arguments));
    const run_request request = { function, arguments };
    return cohort_call_make(strategy, "cohort_run", &recordable, &request);
}
