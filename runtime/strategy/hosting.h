/* SPDX-License-Identifier: BSD-3-Clause */
/* The hosting map: which device hosts which replicas. */
#ifndef COHORT_STRATEGY_HOSTING_H
#define COHORT_STRATEGY_HOSTING_H

#include "runtime/strategy/strategy.h"

/* From options->replicas and ->hosted, for the devices that the strategy has. COHORT_EINVAL,
 * COHORT_ENOMEM. */
cohort_status cohort_hosting_make(cohort_strategy *strategy,
                                  const cohort_strategy_options *options);

#endif
