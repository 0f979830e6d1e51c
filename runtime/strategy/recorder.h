/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls as data: what a program (runtime/program) keeps of a call in order to make it again.
 *
 * A call that can be recorded consists of a request, which is all that its caller passed, and of
 * functions: keep, run, describe, agree where workers compare what was given to it, and leave where
 * keeping begins something that has to end. The public function fills the request and hands it to
 * cohort_call_make (call.h), which runs it, or, where the thread records the strategy, gives it to
 * the recorder. So a call is made in one way, whoever makes it. */
#ifndef COHORT_STRATEGY_RECORDER_H
#define COHORT_STRATEGY_RECORDER_H

#include "runtime/function/arena.h"
#include "runtime/strategy/strategy.h"

#include <stdint.h>
#include <stdio.h>

typedef struct cohort_recorder cohort_recorder;

/* A call that fills values alone, and may wait: it is made later in its step, together with others
 * of this very kind, before any call that uses an object of it, or that is no
 * cohort_recordable.fills. */
typedef struct cohort_deferrable {
    /* n calls, at least 2, none of which uses what another one fills. All are made, or none is, and
     * *out_failed is the one that cannot be; n where it is not known which. */
    cohort_status (*run)(cohort_strategy *strategy, const void *const requests[], size_t n,
                         size_t *out_failed);

    /* Of what it fills, by the shape that this has. */
    uint64_t (*bytes)(const void *request);
} cohort_deferrable;

typedef struct cohort_recordable {
    size_t bytes; /* of a request */

    /* Replace what the request borrows of its caller by copies (cohort_recorder_copy), check what
     * can be known before the call is made, and name every object that it uses
     * (cohort_recorder_use). On failure nothing has to be undone. */
    cohort_status (*keep)(cohort_recorder *recorder, const char *call, void *request);

    /* The call itself, by who holds the strategy. In a trial (strategy->is_trial) everything that
     * may fail is done and nothing is posted; what the call would write gets its shape. */
    cohort_status (*run)(cohort_strategy *strategy, const void *request);

    /* Describe a request for people: what it is about and where it runs, "saxpy on host:0.0
     * host:0.1". */
    void (*describe)(const cohort_strategy *strategy, const void *request, FILE *out);

    /* The end of a request that was kept, whether or not it was ever made, by who holds the
     * strategy: what its runs have left in it. NULL: nothing has to be undone. */
    void (*leave)(cohort_strategy *strategy, const void *request);

    /* It was made, or recorded, where there are workers: what was given to it that all have to give
     * alike joins the writes of its worker (runtime/value/agreement.h). NULL: nothing. */
    void (*agree)(cohort_strategy *strategy, const void *request);

    bool fills;                          /* values alone; nothing else is changed by it */
    const cohort_deferrable *deferrable; /* NULL: it is made at its place */
} cohort_recordable;

/* Something made from the strategy that a recorded call uses, and which may be destroyed before the
 * call is made. */
typedef struct cohort_used_object {
    cohort_dependent *object; /* not to be looked at when is_gone */
    bool is_gone;
    const char *call, *what; /* for messages; last as long as the recording */
    size_t last, before;     /* numbers of the latest two calls that use it; 0: there is none */
} cohort_used_object;

/* A recording that is under way: of one strategy, by one thread, which holds the strategy. Where a
 * step is traced, by whoever concludes a call of its replicas. */
struct cohort_recorder {
    cohort_strategy *strategy;
    cohort_recorder *outer; /* of the same thread, and of another strategy; NULL: none */
    cohort_arena *arena;    /* of what is kept */
    size_t number;          /* of the call that is kept, from 1; 0: none is */
    /* what is kept is made at once, and then no longer than all of it is there that its caller
     * lends, arrays too: none of it has to be checked, or told of its end */
    bool is_borrowing;
    cohort_used_object *used;
    size_t n_used, used_capacity;
    /* Keeps the call. The errors of its keep, and COHORT_ENOMEM. */
    cohort_status (*add)(cohort_recorder *recorder, const char *call,
                         const cohort_recordable *recordable, const void *request);
};

/* From begin to end the calling thread records the strategy. Strictly nested. */
void cohort_recorder_begin(cohort_recorder *recorder);
void cohort_recorder_end(cohort_recorder *recorder);

/* The recording of this strategy by the calling thread, which is in no step function of it; NULL:
 * there is none. Any thread. */
cohort_recorder *cohort_recorder_here(const cohort_strategy *strategy);

/* The one by whichever thread, for replicas of a step. A step is traced while its strategy is
 * recorded, and at no other time, for the recording holds the strategy; what its replicas see was
 * written before the step began. */
static inline cohort_recorder *cohort_recorder_of(const cohort_strategy *strategy)
{
    return atomic_load_explicit(&strategy->recorder, memory_order_relaxed);
}

/* A copy that lasts as long as what is recorded; NULL of nothing, and with the error text set when
 * memory is out. */
void *cohort_recorder_copy(cohort_recorder *recorder, const void *from, size_t count, size_t size);
char *cohort_recorder_text(cohort_recorder *recorder, const char *text);

/* The object is there, and used from now on. COHORT_EINVAL with "call: what ...", COHORT_ENOMEM. */
cohort_status cohort_recorder_use(cohort_recorder *recorder, const void *object,
                                  cohort_handle_kind kind, const char *call, const char *what);

/* The object has one user less, who knew of its end until now. */
void cohort_used_object_leave(const cohort_used_object *used);

/* COHORT_EINVAL in the words of the call that was to use it, when it is gone. */
cohort_status cohort_used_object_check(const cohort_used_object *used);

/* The error of a call that cannot be recorded: what to do instead. */
cohort_status cohort_recorder_refuse(const char *call);

#endif
