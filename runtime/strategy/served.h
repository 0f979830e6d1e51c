/* SPDX-License-Identifier: BSD-3-Clause */
/* A strategy whose variables are on parameter servers. */
#ifndef COHORT_STRATEGY_SERVED_H
#define COHORT_STRATEGY_SERVED_H

#include "runtime/strategy/served_across.h"
#include "runtime/strategy/strategy.h"

/* Before the strategy has devices: joins the cluster and tells its servers. COHORT_EINVAL for
 * another strategy whose options have what only this one knows. The errors of
 * cohort_parameter_server. */
cohort_status cohort_served_join(cohort_strategy *strategy, const cohort_strategy_options *options);

/* The common parts of a worker and a server: this process as a task of the cluster, and who carries
 * its bytes. resolver NULL: TF_CONFIG. membership and *out_transport are the caller's, also where
 * it fails, which the others are told. */
cohort_status cohort_served_find(cohort_membership *membership, cohort_resolver *resolver,
                                 const cohort_served_task *task, cohort_ranks *out_ranks,
                                 cohort_resolver **out_transport);

/* All tasks meet, and say of the cluster alike. status: of making what this one needs to go on
 * afterwards, with its text in the slot; where it fails, nobody is met, and the others are told.
 * The errors of cohort_served_across. */
cohort_status cohort_served_meet(const cohort_membership *membership,
                                 const cohort_served_task *task, const cohort_ranks *ranks,
                                 const cohort_resolver *transport, cohort_status status);

void cohort_served_leave(cohort_strategy *strategy);

/* A server has not answered, and what was exchanged with it may be used for ever. */
bool cohort_served_has_given_up(const cohort_strategy *strategy);

/* COHORT_ELOST after that. */
cohort_status cohort_served_check(const cohort_strategy *strategy, const char *call);

#endif
