/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs: what cohort/program.h declares, for the parts of runtime/program. */
#ifndef COHORT_PROGRAM_PROGRAM_H
#define COHORT_PROGRAM_PROGRAM_H

#include "runtime/operation/series.h"
#include "runtime/strategy/recorder.h"
#include "runtime/strategy/strategy.h"
#include "runtime/value/content.h"

#include <cohort/program.h>

/* A call that was recorded. What the request points to is in the program's arena. */
typedef struct cohort_recorded_call {
    const char *name; /* "cohort_run" */
    const cohort_recordable *recordable;
    void *request;
    uint64_t moved; /* bytes that its latest replay copied between memories; of calls that are made
                     * together with the first */
    /* of a call that may wait: the index of the one before which it is made, SIZE_MAX for the end of
     * the step; and bytes of what it fills, as all workers knew it in the last trial */
    size_t due;
    uint64_t bytes;
} cohort_recorded_call;

/* Calls of a step that wait. */
typedef struct cohort_deferral {
    size_t *calls;         /* [n], in their order */
    const void **requests; /* room for their requests */
    size_t n, due;         /* due: the first of theirs */
    uint64_t bytes;        /* of all that they fill */
} cohort_deferral;

/* Of a batch, for a component and a replica. */
typedef struct cohort_batch_part {
    cohort_content *content;
    uint64_t form; /* of the content, in the last step that was planned */
    /* in the entry of its number: what an import of the step is about to read */
    cohort_content *imported;
} cohort_batch_part;

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
    cohort_deferral deferral;
    bool defers;   /* calls wait that may: as the last trial has found, the same on all workers */
    int64_t steps; /* replays whose calls were all accepted */
    bool is_tried; /* all calls have passed a trial since the recording, or the last recover */
    char *description; /* what cohort_program_describe lent last */

    cohort_series series;     /* of the steps */
    cohort_batch_part *parts; /* by component, then replica; NULL: there is no room yet */
    /* functions that were destroyed when a step was planned last: no call checks them in a step
     * that is repeated */
    uint64_t n_destroyed;
};

/* Call the step function, which records the program's calls, by who holds the strategy. On failure
 * the program is to be freed. */
cohort_status cohort_program_record_calls(cohort_program *program, cohort_record_fn fn, void *user);

/* Does this call wait? Sums do, over workers that have recorded the same calls: they cross together
 * then, and while devices compute what was recorded behind them. */
static inline bool cohort_program_defers(const cohort_program *p, const cohort_recorded_call *call)
{
    return p->defers && call->recordable->deferrable != NULL;
}

/* The step, whose batch is there, may be posted without making the calls: they would do what they did in
 * the steps before (repeat.c). */
bool cohort_program_may_repeat(cohort_program *program);

/* Then: post it. is_last: no other step is to follow at once, so that what it leaves is stored. */
cohort_status cohort_program_repeat(cohort_program *program, bool is_last);

/* The calls of a step are made from now on; and were made, with this status. */
void cohort_program_look(cohort_program *program);
void cohort_program_look_away(cohort_program *program, cohort_status status);

#endif
