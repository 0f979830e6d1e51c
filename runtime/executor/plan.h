/* SPDX-License-Identifier: BSD-3-Clause */
/* Plan: how the planner plans, and who is told what it plans. Data of the executor's, which whoever
 * has a step planned sets (runtime/program), and operations read and tell by way of
 * operation/ledger.h. */
#ifndef COHORT_EXECUTOR_PLAN_H
#define COHORT_EXECUTOR_PLAN_H

#include "runtime/executor/lane.h"

/* How words that the planner keeps beyond a step differ after the next step that is like it. */
typedef enum cohort_noted_kind {
    COHORT_NOTED_FENCES, /* sets of fences: each number grows as its ring does, or not at all */
    COHORT_NOTED_COUNT,  /* by the same in each turn */
    COHORT_NOTED_FIXED   /* not at all */
} cohort_noted_kind;

/* What is told of a step while it is planned. */
typedef struct cohort_plan_watch {
    /* an operation was posted behind executor->needs; a fence without a lane: its device is lost */
    void (*post)(void *user, const struct cohort_context *context, const cohort_op *op,
                 size_t bytes, cohort_fence fence);

    /* the next operation has a number in its record, so many bytes from its beginning, that may
     * grow */
    void (*grow)(void *user, size_t at);

    /* the next operation has the number of the step there, in which none above `most` fits */
    void (*count)(void *user, size_t at, uint64_t most);

    /* what was posted since the executor had posted n_posted operations uses the buffer, in a mode
     * of operation/use.h */
    void (*use)(void *user, const void *buffer, int mode, uint64_t n_posted);

    /* n words in a row are written there */
    void (*note)(void *user, cohort_noted_kind kind, uint64_t *at, int32_t n);

    /* words that were told of are gone */
    void (*end)(void *user);
} cohort_plan_watch;

typedef struct cohort_plan {
    /* how: the step is to be what the next ones like it post */
    bool posts_all;     /* nothing is done in the call itself */
    bool spares_caller; /* what one lane does alone is rather another's than the caller's */
    int32_t
        folds_alone; /* so many more sums of above fold_bytes are to be operations of their own */
    uint64_t fold_bytes;

    const cohort_plan_watch *watch; /* NULL: nobody is told */
    void *user;                     /* of the watch */

    /* counted, ever: calls that post all that they do, as the next one like them would; calls after
     * which steps may find something changed that nobody is told of */
    uint64_t n_repeatable, n_changes;
    /* [rings]: operations that give back memory of this process (operation/give_back.h), or show
     * it something (cohort_transfer_look): no buffer has a fence of theirs, and none goes with
     * them, as with the end of a buffer */
    uint64_t *unnoted;
    uint64_t moved; /* bytes that were copied between memories, ever */

    /* what the caller has done itself in the call of that number */
    uint64_t done_here_in, done_here_bytes;
    /* an exchange that was given up may use memory as long as the process lives: none is freed
     * (kept.h) */
    bool keeps_memory;
} cohort_plan;

#endif
