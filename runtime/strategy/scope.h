/* SPDX-License-Identifier: BSD-3-Clause */
/* Scopes: which strategy counts on a thread, and whether the thread is inside a step of one. */
#ifndef COHORT_STRATEGY_SCOPE_H
#define COHORT_STRATEGY_SCOPE_H

#include <cohort/strategy.h>

#include <stdint.h>

/* COHORT_EINVAL when another strategy is in scope on this thread, or has its step function
 * there. */
cohort_status cohort_scope_check(const cohort_strategy *strategy, const char *call);

/* The strategy is destroyed: it is no longer in scope on this thread. */
void cohort_scope_forget(const cohort_strategy *strategy);

/* The context of a thread, in the words of tf.distribute: replica context is that of a step
 * function; the function of a merge call is in cross-replica context, within a step. */
typedef struct cohort_inside {
    cohort_strategy *step;  /* whose step function runs on this thread; NULL: none */
    cohort_strategy *merge; /* whose merge function does; NULL: none */
    int64_t entered;        /* how often that function has entered the scope of its strategy */
} cohort_inside;

/* Be inside of something else from now on; returns what was before, to go back to. */
cohort_inside cohort_scope_swap(cohort_inside inside);

/* The parts of it. A merge function is admitted to calls of its strategy, which is busy with the
 * step. */
cohort_strategy *cohort_scope_of_step(void);
cohort_strategy *cohort_scope_of_merge(void);

#endif
