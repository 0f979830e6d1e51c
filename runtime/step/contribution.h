/* SPDX-License-Identifier: BSD-3-Clause */
/* Contributions: the values that replicas bring to a collective, and that get what comes out of
 * it. */
#ifndef COHORT_STEP_CONTRIBUTION_H
#define COHORT_STEP_CONTRIBUTION_H

#include "runtime/reduce/plan.h"
#include "runtime/reduce/reducer.h"
#include "runtime/step/stage.h"

/* As one replica calls it: may `me` call this, and are the values its strategy's? COHORT_EINVAL
 * with "call: ...". */
cohort_status cohort_contribution_check(const cohort_replica *me, cohort_value *const values[],
                                        int n, const char *call);

/* The same of a value or a variable, and of the value that gets the outcome, which is another
 * one. */
cohort_status cohort_contribution_check_operand(const cohort_replica *me, const cohort_argument *x,
                                                const cohort_value *into, const char *call);

/* The strategy of either, for an error outside of step functions; NULL: they have none. */
cohort_strategy *cohort_contribution_strategy(const cohort_argument *x, cohort_value *into);

/* Has no replica of any worker a row of it? Then there is nothing to combine, and nothing to get.
 * Workers meet for it: the errors of cohort_workers_meet. */
cohort_status cohort_contribution_find_absent(const cohort_value *value, const char *call,
                                              bool *out_is_absent);

/* Bookkeeping for a component of each replica, where it is. COHORT_ENOMEM. */
cohort_status cohort_contribution_prepare_components(cohort_value *value);

/* Bookkeeping for writing what every replica sees of a value, before anything is posted.
 * COHORT_ENOMEM. */
cohort_status cohort_contribution_prepare(const cohort_value *value);

/* Combine into a total at home, from where it is handed out; NULL in a trial. out_shape: all
 * zero. COHORT_ENOMEM. */
cohort_status cohort_contribution_combine(const cohort_reduce_plan *plan, cohort_reducer *reducer,
                                          cohort_content *out_shape, cohort_buffer **out_total);

/* The component of a replica, or what all see, becomes a copy of `from`, which has the bytes of
 * that shape; NULL: it has no element, the failure is set, or this is a trial. A component without
 * rows is absent. Prepared. */
void cohort_contribution_store(cohort_value *value, int32_t replica, const cohort_content *shape,
                               cohort_buffer *from);

/* The same for all. */
void cohort_contribution_hand_out(cohort_value *value, const cohort_content *shape,
                                  cohort_buffer *from);

/* "sum", for cohort_rendezvous. */
void cohort_contribution_describe_op(const cohort_rendezvous *rendezvous, char *out, size_t size);

#endif
