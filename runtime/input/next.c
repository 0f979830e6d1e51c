/* SPDX-License-Identifier: BSD-3-Clause */
/* The next step's rows, for the program or for a function at once. */
#include "config.h"

#include "runtime/input/input.h"

#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/run/dispatch.h"
#include "runtime/value/value.h"

#include <string.h>

static cohort_status next(cohort_input *input, cohort_value *const components[], const char *call)
{
    if (input == NULL)
        return cohort_error_null(call, "the input");
    cohort_status status = cohort_strategy_enter(input->strategy, call);
    if (status < 0)
        return status;
    status = cohort_input_check_values(input, components, call);
    if (status >= 0) {
        status = cohort_input_step(input, components);
        if (status < 0)
            (void)cohort_error_prefix(status, "%s", call);
    }
    cohort_strategy_leave(input->strategy);
    return status;
}

cohort_status cohort_input_next(cohort_input *input, cohort_value *const components[])
{
    return next(input, components, "cohort_input_next");
}

cohort_status cohort_input_next_as_optional(cohort_input *input, cohort_value *const components[], bool *has_value)
{
    if (has_value == NULL)
        return cohort_error_null("cohort_input_next_as_optional", "has_value");
    cohort_status status = next(input, components, "cohort_input_next_as_optional");
    *has_value = status == COHORT_OK;
    return status == COHORT_END ? COHORT_OK : status;
}

/* ------------------------------------------------------------------ a function at once */

/* Values of the input's own, one per component, made at the first call. */
static cohort_status make_values(cohort_input *input)
{
    int32_t n = cohort_input_components(input);
    if (input->values != NULL)
        return COHORT_OK;
    cohort_value **values = cohort_allocate((size_t)n, sizeof(cohort_value *));
    cohort_status status = values != NULL ? COHORT_OK : cohort_error_memory("cohort_run_next");
    for (int32_t k = 0; k < n && status >= 0; k++) {
        values[k] = cohort_value_allocate(input->strategy);
        status = values[k] != NULL ? COHORT_OK : COHORT_ENOMEM;
    }
    if (status >= 0) {
        input->values = values;
        return COHORT_OK;
    }
    for (int32_t k = 0; values != NULL && k < n; k++)
        if (values[k] != NULL)
            values[k]->dependent.destroy(&values[k]->dependent);
    cohort_free(values);
    return status;
}

/* The components, then what the caller gave. */
static cohort_status join_arguments(const cohort_input *input, const cohort_argument arguments[], cohort_argument out[])
{
    int32_t n = 1, more = 0;
    out[0] = cohort_argument_list_(input->values, cohort_input_components(input));
    while (arguments != NULL && arguments[more].kind != COHORT_ARGUMENT_END) {
        if (n == COHORT_MAX_ARGUMENTS)
            return cohort_error_set(COHORT_EINVAL, "cohort_run_next: more than %d arguments", COHORT_MAX_ARGUMENTS - 1);
        out[n++] = arguments[more++];
    }
    out[n] = (cohort_argument){ .kind = COHORT_ARGUMENT_END };
    return COHORT_OK;
}

static cohort_status step_and_run(cohort_strategy *strategy, const cohort_function *function, cohort_input *input,
                                  const cohort_argument arguments[])
{
    cohort_argument joined[COHORT_MAX_ARGUMENTS + 1];
    cohort_status status = make_values(input);
    if (status >= 0)
        status = join_arguments(input, arguments, joined);
    if (status >= 0) {
        status = cohort_input_step(input, input->values);
        if (status < 0)
            return cohort_error_prefix(status, "cohort_run_next");
    }
    if (status != COHORT_OK)
        return status;
    status = cohort_dispatch_run(strategy, function, joined, COHORT_CALL_RUN, 0, strategy->n_replicas);
    input->is_unused = status < 0;
    return status;
}

cohort_status cohort_run_next_arguments(cohort_strategy *strategy, const cohort_function *function, cohort_input *input,
                                        const cohort_argument arguments[])
{
    if (input == NULL)
        return cohort_error_null("cohort_run_next", "the input");
    if (strategy != NULL && input->strategy != strategy)
        return cohort_error_set(COHORT_EINVAL, "cohort_run_next: the input belongs to another strategy");
    cohort_status status = cohort_strategy_enter(strategy, "cohort_run_next");
    if (status < 0)
        return status;
    status = step_and_run(strategy, function, input, arguments);
    if (status == COHORT_END) {
        cohort_strategy_leave(strategy);
        return COHORT_END;
    }
    return cohort_strategy_advance(strategy, status);
}
