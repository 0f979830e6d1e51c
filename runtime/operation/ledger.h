/* SPDX-License-Identifier: BSD-3-Clause */
/* Ledger: what planning tells of a step, so that the next one like it can be posted without being
 * planned.
 *
 * Whoever plans writes three things down here, whether anybody is told of them or not:
 *
 *   - each operation, as it is posted, what it uses, and the numbers of its record that grow, that
 *     of the step among them;
 *   - each word that is kept beyond the step: it is a cohort_noted, which nothing but the functions
 *     below writes, so that none is written without a word about how it grows;
 *   - of a call, that it posts all that it does, as the next one like it would.
 *
 * How a step is to be planned says the plan of the executor (executor/plan.h), never the question
 * who is told. All of this is the planner's. */
#ifndef COHORT_OPERATION_LEDGER_H
#define COHORT_OPERATION_LEDGER_H

#include "runtime/executor/executor.h"

/* A word that the planner keeps beyond a step: read as `.now`. */
typedef struct cohort_noted {
    const uint64_t now;
} cohort_noted;

static inline const cohort_plan *cohort_ledger_plan(const cohort_executor *executor)
{
    return &executor->plan;
}

/* ---- Operations. */

/* cohort_executor_post, and told. */
cohort_fence cohort_ledger_post(cohort_executor *executor, const cohort_context *context,
                                const cohort_op *op, size_t bytes);

/* The next operation has a number in its record, so many bytes from its beginning, that may
 * grow. */
static inline void cohort_ledger_grow(cohort_executor *executor, size_t at)
{
    if (executor->plan.watch != NULL)
        executor->plan.watch->grow(executor->plan.user, at);
}

/* The next operation has the number of the step there, by itself in a word, as an integer in which
 * none above `most` fits. */
static inline void cohort_ledger_count(cohort_executor *executor, size_t at, uint64_t most)
{
    if (executor->plan.watch != NULL)
        executor->plan.watch->count(executor->plan.user, at, most);
}

/* What was posted since executor->n_posted was that uses a buffer, in a mode of use.h. */
static inline void cohort_ledger_use(cohort_executor *executor, const void *buffer, int mode,
                                     uint64_t n_posted)
{
    if (executor->plan.watch != NULL)
        executor->plan.watch->use(executor->plan.user, buffer, mode, n_posted);
}

/* ---- Words. */

/* A row of them, as functions of the executor read sets of fences. */
static inline const uint64_t *cohort_noted_row(const cohort_noted row[])
{
    return (const uint64_t *)(const void *)row;
}

/* n words in a row are written, by whoever calls this, before anything else is posted. */
static inline uint64_t *cohort_ledger_open(cohort_executor *executor, cohort_noted_kind kind,
                                           cohort_noted row[], int32_t n)
{
    uint64_t *words = (uint64_t *)(void *)row;
    if (executor->plan.watch != NULL)
        executor->plan.watch->note(executor->plan.user, kind, words, n);
    return words;
}

/* A set of fences. */
static inline uint64_t *cohort_ledger_open_set(cohort_executor *executor, cohort_noted set[])
{
    return cohort_ledger_open(executor, COHORT_NOTED_FENCES, set, cohort_executor_rings(executor));
}

static inline void cohort_ledger_set(cohort_executor *executor, cohort_noted_kind kind,
                                     cohort_noted *word, uint64_t value)
{
    *cohort_ledger_open(executor, kind, word, 1) = value;
}

/* Told to nobody: a word that means something beside others alone, all of which a step that is
 * posted again leaves as they are; so it means the same. */
static inline void cohort_ledger_set_relative(cohort_noted *word, uint64_t value)
{
    *(uint64_t *)(void *)word = value;
}

/* Told to nobody, as nothing is posted: of something new, in a trial, or after a failure, when
 * whoever was told forgets. */
static inline void cohort_ledger_reset(cohort_noted row[], int32_t n, uint64_t value)
{
    for (int32_t i = 0; i < n; i++)
        cohort_ledger_set_relative(&row[i], value);
}

/* Memory with words that were written in the step, or may have been in one before, is gone. */
static inline void cohort_ledger_end(cohort_executor *executor)
{
    if (executor->plan.watch != NULL)
        executor->plan.watch->end(executor->plan.user);
}

/* ---- Calls. */

/* The call that is planned posts all that it does, as the next one like it would. */
static inline void cohort_ledger_say_repeatable(cohort_executor *executor)
{
    executor->plan.n_repeatable++;
}

/* A call begins, after which steps may find something changed; or not, since it only waits or
 * reads. */
static inline void cohort_ledger_count_change(cohort_executor *executor)
{
    executor->plan.n_changes++;
}

static inline void cohort_ledger_say_quiet(cohort_executor *executor)
{
    executor->plan.n_changes--;
}

/* Is a sum of so many bytes to be an operation of its own? Counted, for there are to be few. */
bool cohort_ledger_folds_alone(cohort_executor *executor, uint64_t bytes);

#endif
