/* SPDX-License-Identifier: BSD-3-Clause */
/* Kinds of strategies: names for what the options may say one by one. */
#ifndef COHORT_STRATEGY_KIND_H
#define COHORT_STRATEGY_KIND_H

#include "runtime/strategy/strategy.h"

/* Fill in the name and the placement. COHORT_EINVAL: no such name, or a placement that is none. */
cohort_status cohort_kind_apply(cohort_strategy *strategy, const cohort_strategy_options *options);

/* Its variables live on parameter servers, where it is part of a cluster. */
bool cohort_kind_needs_ps(const cohort_strategy *strategy);

/* One replica on one device. */
bool cohort_kind_is_one_device(const cohort_strategy *strategy);

/* There is no such kind, and of all that there are the nearest one is of a cluster. name: of the
 * options, may be NULL. */
bool cohort_kind_was_meant_across(const char *name);

/* Its replicas are those of all workers of a cluster. name: of the options, may be NULL. */
bool cohort_kind_is_multi_worker(const char *name);

/* Its variables are on parameter servers, which it asks. name: as above. */
bool cohort_kind_is_served(const char *name);

/* Its variables live on devices of their own: central storage, and those of parameter servers. */
bool cohort_kind_has_parameters(const cohort_strategy *strategy);

#endif
