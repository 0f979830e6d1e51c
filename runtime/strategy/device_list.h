/* SPDX-License-Identifier: BSD-3-Clause */
/* The devices of a strategy: those that host replicas, and those on which variables may live. */
#ifndef COHORT_STRATEGY_DEVICE_LIST_H
#define COHORT_STRATEGY_DEVICE_LIST_H

#include "runtime/strategy/strategy.h"

typedef struct cohort_device_list {
    const cohort_device **devices; /* [n]: hosts first, in the strategy's order (strategy.h) */
    int32_t n, n_hosts;            /* hosts: of all logical devices */
    int32_t *parameters;           /* [n_parameters]: places in devices */
    int32_t n_parameters;
    bool has_own_parameters; /* they are the hosts */
} cohort_device_list;

/* From two lists of device ids, which may be NULL, the number of logical devices, which stand side
 * by side in the list of hosts, and the name of the kind. Errors of cohort_registry_select;
 * COHORT_EINVAL: the hosts are not divisible. */
cohort_status cohort_device_list_choose(cohort_device_list *list, const char *hosts,
                                        const char *parameters, int32_t n_logical,
                                        const char *kind);

/* The same from devices themselves, each once, which host replicas and variables. COHORT_ENOMEM. */
cohort_status cohort_device_list_take(cohort_device_list *list, const cohort_device *const hosts[],
                                      int32_t n, int32_t n_logical);
void cohort_device_list_free(cohort_device_list *list);

#endif
