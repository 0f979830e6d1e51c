/* SPDX-License-Identifier: BSD-3-Clause */
/* The hosting map: which device hosts which replicas. */
#ifndef COHORT_STRATEGY_HOSTING_H
#define COHORT_STRATEGY_HOSTING_H

#include "runtime/strategy/strategy.h"

/* From options->replicas and ->hosted, for the devices that the strategy has. COHORT_EINVAL,
 * COHORT_ENOMEM. */
cohort_status cohort_hosting_make(cohort_strategy *strategy,
                                  const cohort_strategy_options *options);

/* COHORT_EINVAL with "call: ...": hosted, of n numbers, is no hosting of so many replicas by so
 * many devices. A list whose length is not said is never read. */
cohort_status cohort_hosting_check(const int32_t hosted[], int32_t n, int32_t n_devices,
                                   int32_t n_replicas, const char *call);

/* COHORT_EINVAL with "call: ...": in a merge function, whose step goes on where its replicas
 * are. */
cohort_status cohort_hosting_check_time(const cohort_strategy *strategy, const char *call);

/* As cohort_strategy_set_hosted, of a hosting that was checked, in a call that was entered. */
cohort_status cohort_hosting_change(cohort_strategy *strategy, const int32_t hosted[]);

/* The replicas of devices that are lost go to the others, and whatever else lay there goes where
 * its owner has it from now on. When nothing is posted, and no error is up; COHORT_ENOMEM, or the
 * error of another device: nothing has moved. */
cohort_status cohort_hosting_leave_lost(cohort_strategy *strategy);

/* Lanes know of how many replicas they run the bodies. */
void cohort_hosting_count(const cohort_strategy *strategy);

#endif
