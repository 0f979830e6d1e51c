/* SPDX-License-Identifier: BSD-3-Clause */
/* Starting an input: its sources are opened, and opened again for each iteration. */
#include "config.h"

#include "runtime/input/input.h"

#include "runtime/call/binder.h"
#include "runtime/strategy/call.h"

#include <string.h>

/* Elements are read ahead by steps, and where replicas take them in turn, a step takes one for
 * each. */
cohort_status cohort_input_open_sources(const cohort_input *input, cohort_source sources[],
                                        int32_t n, uint64_t iteration)
{
    bool takes_in_turn = input->manner == COHORT_MANNER_ELEMENTS && !input->is_per_replica;
    int64_t per_step = takes_in_turn ? input->strategy->n_replicas : 1;
    const cohort_prefetch_room ahead = { input->ahead * per_step, input->ahead_bytes };
    cohort_status status = COHORT_OK;
    for (int32_t i = 0; i < n && status >= 0; i++)
        status = cohort_source_open(&sources[i], iteration, &ahead);
    return status;
}

cohort_status cohort_input_open(cohort_input *input)
{
    cohort_status status =
        cohort_input_open_sources(input, input->sources, input->n_sources, input->iteration);
    /* also when opening fails: the fault then answers every step until the input is started over */
    input->is_ready = true;
    input->is_unused = false;
    input->found.is_there = false;
    cohort_fault_forget(&input->fault);
    cohort_batches_forget(cohort_binder_of(input->strategy), &input->batch);
    input->turn = 0;
    input->turns = 0;
    if (status < 0)
        (void)cohort_fault_note(&input->fault, status, false);
    return status;
}

static cohort_status start_over(cohort_input *input)
{
    cohort_status status = COHORT_OK;
    if (input->is_resharded)
        status = cohort_input_plan(input);
    if (status >= 0) {
        input->is_resharded = false;
        input->iteration += input->is_ready;
        input->total_rows = 0;
        memset(input->rows, 0, (size_t)input->strategy->n_replicas * sizeof *input->rows);
        status = cohort_input_open(input);
    }
    return status;
}

cohort_status cohort_input_initialize(cohort_input *input)
{
    cohort_status status =
        cohort_call_about(input, COHORT_HANDLE_INPUT, "cohort_input_initialize", "the input", NULL);
    if (status >= 0)
        status = cohort_call_enter(input->strategy, "cohort_input_initialize");
    return status < 0 ? status : cohort_call_leave(input->strategy, start_over(input));
}
