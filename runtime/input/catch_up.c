/* SPDX-License-Identifier: BSD-3-Clause */
/* After a failure the workers' inputs may stand at different steps: one was told of it before it
 * asked for its rows, or its call with them was wrong. A worker that is behind passes over the
 * steps that others have used, since data cannot be given back. */
#include "config.h"

#include "runtime/input/input.h"

#include "runtime/base/log.h"
#include "runtime/strategy/across.h"

/* Rows of a call that was wrong here are used when they were right elsewhere. */
static void forget_unused(cohort_input *input, uint64_t *steps, uint64_t furthest)
{
    if (input->is_unused && *steps < furthest) {
        input->is_unused = false;
        ++*steps;
    }
}

static cohort_status pass_over(cohort_input *input, uint64_t steps, const cohort_progress *furthest)
{
    cohort_status status = cohort_input_make_values(input);
    if (status < 0)
        return status;
    cohort_log(COHORT_SUBSYSTEM_INPUT, COHORT_LOG_WARNING,
               "input: %llu steps are passed over, which other workers have had before a failure",
               (unsigned long long)(furthest->steps - steps));
    for (; status >= 0 && steps < furthest->steps; steps++)
        status = cohort_input_step(input, input->values); /* a failure stays with the input */
    return COHORT_OK;
}

/* There is no step that would be the next one of all. */
static void want_start(cohort_input *input, const cohort_progress *mine, int32_t worker,
                       const cohort_progress *furthest)
{
    input->iteration = furthest->lap - 1;
    input->is_ready = true;
    cohort_status status = cohort_error_set(
        COHORT_EINVAL,
        "before a failure worker %d had step %llu of iteration %llu of the input, and this one "
        "step %llu of iteration %llu; initialize it on all workers",
        (int)worker, (unsigned long long)furthest->steps, (unsigned long long)furthest->lap,
        (unsigned long long)mine->steps, (unsigned long long)mine->lap);
    (void)cohort_fault_note(&input->fault, status, false);
}

cohort_status cohort_input_catch_up(cohort_dependent *dependent)
{
    cohort_input *input = (cohort_input *)dependent;
    cohort_progress mine = { .name = "an input",
                             .lap = input->is_ready ? input->iteration + 1 : 0,
                             .steps = (uint64_t)(input->turns - input->is_unused) };
    int32_t worker;
    cohort_status status = cohort_across_compare(input->strategy, &mine, &worker);
    if (status < 0 || worker < 0)
        return status;
    const cohort_progress furthest = cohort_across_progress(input->strategy, worker);
    uint64_t steps = mine.steps;
    forget_unused(input, &steps, furthest.steps);
    if (mine.lap != furthest.lap ||
        (steps < furthest.steps && input->manner != COHORT_MANNER_SHARED))
        want_start(input, &mine, worker, &furthest);
    else if (steps < furthest.steps)
        status = pass_over(input, steps, &furthest);
    return status;
}
