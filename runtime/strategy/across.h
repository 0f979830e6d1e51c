/* SPDX-License-Identifier: BSD-3-Clause */
/* A strategy across the workers of a cluster: who they are, and what has to be the same for all. */
#ifndef COHORT_STRATEGY_ACROSS_H
#define COHORT_STRATEGY_ACROSS_H

#include "runtime/strategy/strategy.h"

/* The workers of a resolver, before the strategy has devices. NULL: the cluster of TF_CONFIG; where
 * there is none, the processes that mpirun has started, or this process alone. A cluster of one
 * worker is joined by nothing. COHORT_EINVAL: a cluster that nothing carries bytes in, or that is
 * not the one which mpirun has started; a task that is no worker. */
cohort_status cohort_across_find(cohort_strategy *strategy, cohort_resolver *resolver);

/* The strategy is whole: all meet, compare what they were made of, and number their replicas. Does
 * nothing where it is alone, nor do the others. COHORT_EINVAL, COHORT_EINCOMPATIBLE name what
 * differs; the errors of cohort_workers_meet. */
cohort_status cohort_across_greet(cohort_strategy *strategy,
                                  const cohort_strategy_options *options);

/* The others are told that this one has failed: with the text in the slot, or with the error that
 * sticks, if there is one. */
void cohort_across_tell(cohort_strategy *strategy, cohort_status status);
void cohort_across_tell_failure(cohort_strategy *strategy);

/* How far something has come that every worker has. */
typedef struct cohort_progress {
    char name[64]; /* "variable 'w'"; cut where it is longer */
    uint64_t lap, steps;
} cohort_progress;

/* After cohort_workers_recover: everything that all workers have catches up (cohort_dependent). The
 * errors of cohort_workers_meet; COHORT_EINVAL: a worker has something else than the others. Does
 * nothing where it is alone. */
cohort_status cohort_across_catch_up(cohort_strategy *strategy);

/* A meeting about one of these things, of which all have the same name. *out_furthest: the first of
 * the workers that have come furthest; -1: they are where all the others are. */
cohort_status cohort_across_compare(cohort_strategy *strategy, const cohort_progress *mine,
                                    int32_t *out_furthest);

/* The text of a worker in it, until the next meeting. */
cohort_progress cohort_across_progress(const cohort_strategy *strategy, int32_t worker);

/* Memory that was exchanged when a worker was lost may be used for ever. */
bool cohort_across_has_given_up(const cohort_strategy *strategy);

/* The process ends, and the strategy is not destroyed: the others are told at once, or when what
 * another thread says to them is over; not where this thread is in the middle of that. */
void cohort_across_end(cohort_strategy *strategy);

void cohort_across_leave(cohort_strategy *strategy);

#endif
