/* SPDX-License-Identifier: BSD-3-Clause */
/* The next step's rows, for the program or for a function at once. */
#include "config.h"

#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/call/binder.h"
#include "runtime/input/input.h"
#include "runtime/run/recording.h"
#include "runtime/strategy/call.h"
#include "runtime/value/operand.h"
#include "runtime/value/value.h"

#include <string.h>

/* An input has one component at least. */
static cohort_status enter(cohort_input *input, cohort_value *const components[], int n,
                           const char *call)
{
    cohort_status status = cohort_call_about(input, COHORT_HANDLE_INPUT, call, "the input",
                                             cohort_operand_strategy_of_values(components, n != 0));
    return status < 0 ? status : cohort_call_enter(input->strategy, call);
}

/* The values of a call: n of them, as far as that is known. */
typedef struct value_list {
    cohort_value *const *list;
    int n;
} value_list;

static cohort_status check_length(const cohort_input *input, const value_list *v, const char *call)
{
    int32_t wanted = cohort_input_components(input);
    return v->list == NULL || v->n < 0 || v->n >= wanted
               ? COHORT_OK
               : cohort_error_set(COHORT_EINVAL,
                                  "%s: %d value%s for elements of %d components; each component "
                                  "goes into a value of its own",
                                  call, v->n, v->n == 1 ? "" : "s", wanted);
}

static cohort_status next(cohort_input *input, const value_list *v, const char *call)
{
    cohort_value *const *components = v->list;
    cohort_status status = check_length(input, v, call);
    if (status >= 0)
        status = cohort_input_check_values(input, components, call);
    if (status < 0)
        return status;
    status = cohort_input_step(input, components);
    cohort_batches_settle(cohort_binder_of(input->strategy));
    return status < 0 ? cohort_error_prefix(status, "%s", call) : status;
}

cohort_status cohort_input_next_list(cohort_input *input, cohort_value *const components[], int n)
{
    static const char call[] = "cohort_input_next";
    const value_list v = { components, n };
    cohort_status status = enter(input, components, n, call);
    return status < 0 ? status : cohort_call_conclude(input->strategy, next(input, &v, call));
}

cohort_status cohort_input_next_optional_list(cohort_input *input, cohort_value *const components[],
                                              int n, bool *has_value)
{
    static const char call[] = "cohort_input_next_as_optional";
    const value_list v = { components, n };
    cohort_status status = enter(input, components, n, call);
    if (has_value != NULL)
        /* whatever the call answers, so that a caller who looks at it alone stops */
        *has_value = false;
    if (status < 0)
        return status;
    status = has_value != NULL ? next(input, &v, call) : cohort_error_null(call, "has_value");
    status = cohort_call_conclude(input->strategy, status);
    if (status == COHORT_OK)
        *has_value = true;
    return status == COHORT_END ? COHORT_OK : status;
}

/* ------------------------------------------------------------------ a function at once */

cohort_status cohort_input_make_values(cohort_input *input)
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
        cohort_value_drop(values[k]);
    cohort_free(values);
    return status;
}

/* The components, then what the caller gave. One argument is the list of components, which binding
 * spreads (COHORT_VALUES). */
static cohort_status join_arguments(const cohort_input *input, const cohort_argument arguments[],
                                    cohort_argument out[])
{
    int32_t n = 1, more = 0;
    out[0] = cohort_argument_list_(input->values, cohort_input_components(input));
    while (arguments != NULL && arguments[more].kind != COHORT_ARGUMENT_END) {
        if (n == COHORT_MAX_ARGUMENTS)
            return cohort_error_set(COHORT_EINVAL, "cohort_run_next: more than %d arguments",
                                    COHORT_MAX_ARGUMENTS - 1);
        out[n++] = arguments[more++];
    }
    out[n] = (cohort_argument){ .kind = COHORT_ARGUMENT_END };
    return COHORT_OK;
}

/* Where the call may be made again behind this one: then nobody knows which input it steps. */
static void count_rows(const cohort_input *input, cohort_argument joined[])
{
    if (input->strategy->transaction == NULL)
        return;
    const int64_t rows = cohort_batches_rows(cohort_binder_of(input->strategy), input);
    for (int32_t i = 0; rows >= 0 && joined[i].kind != COHORT_ARGUMENT_END; i++)
        if (joined[i].kind == COHORT_ARGUMENT_CONSTANT &&
            joined[i].as.i == COHORT_CONSTANT_BATCH_ROWS) {
            joined[i].kind = COHORT_ARGUMENT_INT;
            joined[i].as.i = rows;
        }
}

static cohort_status step_and_run(cohort_strategy *strategy, const cohort_function *function,
                                  cohort_input *input, const cohort_argument arguments[])
{
    cohort_argument joined[COHORT_MAX_ARGUMENTS + 1];
    cohort_status status = cohort_input_make_values(input);
    if (status >= 0)
        status = join_arguments(input, arguments, joined);
    if (status >= 0) {
        status = cohort_input_step(input, input->values);
        if (status < 0)
            return cohort_error_prefix(status, "cohort_run_next");
    }
    if (status != COHORT_OK)
        return status;
    count_rows(input, joined);
    status = cohort_recording_run(strategy, "cohort_run_next",
                                  &(cohort_invocation){ function, joined, NULL });
    /* the rows were taken from the data; when the call was wrong, the next step gets them */
    input->is_unused = status < 0;
    cohort_batches_settle(cohort_binder_of(strategy));
    return status;
}

cohort_status cohort_run_next_arguments(cohort_strategy *strategy, const cohort_function *function,
                                        cohort_input *input, const cohort_argument arguments[])
{
    cohort_status status = cohort_call_enter(strategy, "cohort_run_next");
    if (status < 0)
        return status;
    status = cohort_handle_check(input, COHORT_HANDLE_INPUT, "cohort_run_next", "the input");
    if (status >= 0 && input->strategy != strategy)
        status = cohort_error_set(COHORT_EINVAL,
                                  "cohort_run_next: the input belongs to another strategy");
    if (status >= 0)
        status = cohort_strategy_check_program(strategy, "cohort_run_next");
    if (status >= 0)
        status = step_and_run(strategy, function, input, arguments);
    return cohort_call_conclude(strategy, status);
}
