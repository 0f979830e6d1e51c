/* SPDX-License-Identifier: BSD-3-Clause */
/* Who coordinates, and who works: the chief of a cluster with parameter servers, and its
 * workers. */
#ifndef COHORT_COORDINATOR_ROLE_H
#define COHORT_COORDINATOR_ROLE_H

#include "runtime/strategy/strategy.h"

/* COHORT_EINVAL: the strategy has no parameter servers, its cluster no chief or no worker, this
 * process is another one, or it coordinates or works already; COHORT_ELOST: a server is lost. */
cohort_status cohort_role_check(const cohort_strategy *strategy, const char *call, bool is_chief);

/* COHORT_EINVAL: the program has finalised its MPI, or allows it for another thread alone. */
cohort_status cohort_role_check_engine(const cohort_servers *servers, const char *call);

#endif
