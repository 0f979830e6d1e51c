/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs: what cohort/program.h declares, for the parts of runtime/program. */
#ifndef COHORT_PROGRAM_PROGRAM_H
#define COHORT_PROGRAM_PROGRAM_H

#include "runtime/base/array.h"
#include "runtime/program/block.h"
#include "runtime/repeat/repeat.h"
#include "runtime/strategy/recorder.h"
#include "runtime/strategy/strategy.h"

#include <cohort/program.h>

/* A call that was recorded. The request points into the program's arena. */
typedef struct cohort_recorded_call {
    const char *name; /* "cohort_run" */
    const cohort_recordable *recordable;
    void *request;
    uint64_t moved; /* bytes that its latest replay copied between memories; of calls that are made
                     * together with the first */
    /* of a call that may wait: the index of the one before which it is made, SIZE_MAX for the end
     * of the step; and bytes of what it fills, as all workers knew it in the last trial */
    size_t due;
    uint64_t bytes;
    cohort_program_block *block;        /* that it begins; NULL: none, as of most calls */
    const cohort_program_block *inside; /* the innermost one that it stands in; NULL: none */
} cohort_recorded_call;

/* Calls of a step that wait. */
typedef struct cohort_deferral {
    size_t *calls;         /* [n], in their order */
    const void **requests; /* room for their requests */
    size_t n, due;         /* due: the first of theirs */
    uint64_t bytes;        /* of all that they fill */
} cohort_deferral;

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
    cohort_program_block *open; /* the innermost block whose end is not recorded yet */
    bool defers;   /* calls wait that may: as the last trial has found, the same on all workers */
    int64_t steps; /* replays whose calls were all accepted */
    bool is_tried; /* all calls have passed a trial since the recording, or the last recover */
    char *description; /* what cohort_program_describe lent last */

    /* of steps that are kept (kept.h): the step that is made is looked at, and how calls are made
     * otherwise; how often its batch was written before the calls of that step, and these write
     * it, too; a value that the program carries from step to step, in words, "": there is none */
    bool is_kept; /* its steps were, when they were made last */
    bool is_looked_at, changes_batch;
    uint64_t batch_writes;
    cohort_repeating usual;
    char carried[COHORT_SHAPE_BYTES];

    cohort_repeat repeat;
};

/* Call the step function, which records the program's calls, by who holds the strategy. On failure
 * the program is to be freed. */
cohort_status cohort_program_record_calls(cohort_program *program, cohort_record_fn fn, void *user);

/* What a recorder of recordings of programs records. */
cohort_program *cohort_program_of(cohort_recorder *recorder);

/* Would all calls be accepted, with the batch that is there? Nothing is posted, and nothing has
 * changed. */
cohort_status cohort_program_try(cohort_program *program);

extern const char cohort_program_run_name[]; /* "cohort_program_run" */

/* The text in the slot, which is about calls of one block, gets their names before it, which time
 * they were made in the blocks around them, and the number of the step. Returns status. */
cohort_status cohort_program_name_calls(const cohort_program *program, size_t first, size_t last,
                                        cohort_status status);

/* The call behind this one, and behind the block that it begins. */
static inline size_t cohort_program_behind(const cohort_program *p, size_t call)
{
    const cohort_program_block *b = p->calls[call].block;
    return b != NULL ? b->end : call + 1;
}

/* Does this call wait? Sums do, over workers that have recorded the same calls: they cross together
 * then, and while devices compute what was recorded behind them. */
static inline bool cohort_program_defers(const cohort_program *p, const cohort_recorded_call *call)
{
    return p->defers && call->recordable->deferrable != NULL;
}

#endif
