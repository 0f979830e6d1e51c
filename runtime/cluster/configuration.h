/* SPDX-License-Identifier: BSD-3-Clause */
/* A configuration: counted, and changed by nothing but a strategy that is configured with it. */
#ifndef COHORT_CLUSTER_CONFIGURATION_H
#define COHORT_CLUSTER_CONFIGURATION_H

#include "runtime/base/handle.h"

#include <cohort/config.h>

#include <stdatomic.h>

struct cohort_config {
    cohort_handle handle; /* first */
    atomic_int shares;
    char **filters; /* [n_filters] */
    int32_t n_filters;
    char *collective_leader; /* "": none */
    bool isolates_session_state, allows_soft_placement;
};

/* NULL: out of memory, with the error. */
cohort_config *cohort_config_copy(const cohort_config *config);

/* One more owner. */
cohort_config *cohort_config_share(cohort_config *config);

/* Each has what the other one had. */
void cohort_config_swap(cohort_config *a, cohort_config *b);

#endif
