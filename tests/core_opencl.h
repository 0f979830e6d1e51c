/* SPDX-License-Identifier: BSD-3-Clause */
/* Claims that hold on every place of core.h, and have the same bits on an OpenCL device. */
#ifndef COHORT_TESTS_CORE_OPENCL_H
#define COHORT_TESTS_CORE_OPENCL_H

#include "tests/core.h"

typedef struct core_claim {
    core_check_fn check;
    const char *claim;
} core_claim;

static inline void core_all_everywhere(const core_claim claims[], int n)
{
    for (int i = 0; i < n; i++)
        core_everywhere(claims[i].check, claims[i].claim);
}

static inline void core_all_on(const core_claim claims[], int n, const char *devices, int replicas)
{
    cohort_strategy *s = cohort_strategy_create(
        &(cohort_strategy_options){ .devices = devices, .replicas = replicas });
    for (int i = 0; i < n; i++)
        ok(claims[i].check(s, replicas), "on %s: %s", devices, claims[i].claim);
    cohort_strategy_destroy(s);
}

/* The first one; NULL: there is none. */
static inline const char *core_opencl_id(void)
{
    for (const cohort_device *d = cohort_device_next(NULL); d != NULL; d = cohort_device_next(d))
        if (strcmp(cohort_device_property(d, "plugin"), "opencl") == 0)
            return cohort_device_id(d);
    return NULL;
}

/* With so many replicas on an OpenCL device, and on the host beside it; 0: not these. */
static inline void core_all_on_opencl(const core_claim claims[], int n, int alone, int beside)
{
    char both[128];
    const char *id = core_opencl_id();
    if (id == NULL || !HAS_EQUAL_BITS) {
        skip("the bits of the host on OpenCL", id == NULL ? "no OpenCL device" : UNEQUAL_BITS);
        return;
    }
    core_all_on(claims, n, id, alone);
    (void)snprintf(both, sizeof both, "host,%s", id);
    if (beside > 0)
        core_all_on(claims, n, both, beside);
}

#endif
