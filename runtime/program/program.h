/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs: what cohort/program.h declares, for the parts of runtime/program. */
#ifndef COHORT_PROGRAM_PROGRAM_H
#define COHORT_PROGRAM_PROGRAM_H

#include "runtime/strategy/recorder.h"
#include "runtime/strategy/strategy.h"

#include <cohort/program.h>

/* A call that was recorded. What the request points to is in the program's arena. */
typedef struct cohort_recorded_call {
    const char *name; /* "cohort_run" */
    const cohort_recordable *recordable;
    void *request;
    uint64_t moved; /* bytes that its latest replay copied between memories */
} cohort_recorded_call;

struct cohort_program {
    cohort_dependent dependent; /* first */
    cohort_strategy *strategy;
    cohort_arena arena;
    cohort_recorded_call *calls; /* [n_calls], in the order of the recording */
    size_t n_calls, calls_capacity;
    cohort_used_object *used; /* [n_used]: every object that some call uses */
    size_t n_used;
    cohort_spec *specs;   /* [n_components]: of a batch */
    cohort_spec *offered; /* [n_components]: room for those of an input */
    cohort_value **batch; /* [n_components]: what the input fills, the program's own */
    int32_t n_components;
    int64_t steps;     /* replays whose calls were all accepted */
    bool is_tried;     /* all calls have passed a trial since the recording, or the last recover */
    char *description; /* what cohort_program_describe lent last */
};

/* Call the step function, which records the program's calls, by who holds the strategy. On failure
 * the program is to be freed. */
cohort_status cohort_program_record_calls(cohort_program *program, cohort_record_fn fn, void *user);

#endif
