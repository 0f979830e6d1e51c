/* SPDX-License-Identifier: BSD-3-Clause */
/* Before the first line of a program of the guide, of README.md or of the examples (-include):
 * whatever strategy it asks for, it has as many replicas as $RIGHT_REPLICAS says, on
 * $RIGHT_DEVICES. */
#ifndef COHORT_TESTS_RIGHT_PLACE_H
#define COHORT_TESTS_RIGHT_PLACE_H

#include <cohort/cohort.h>

#include <stdlib.h>
#include <string.h>

static inline cohort_strategy *right_create(const cohort_strategy_options *options)
{
    cohort_strategy_options placed;
    memset(&placed, 0, sizeof placed);
    if (options != NULL)
        placed = *options;
    placed.devices = getenv("RIGHT_DEVICES");
    placed.replicas = atoi(getenv("RIGHT_REPLICAS"));
    placed.n_hosted = 0;
    placed.hosted = NULL;
    return cohort_strategy_create(&placed);
}

static inline cohort_strategy *right_mirrored(const char *devices)
{
    (void)devices;
    return right_create(NULL);
}

static inline cohort_strategy *right_workers(cohort_resolver *resolver, const char *devices)
{
    (void)resolver;
    return right_mirrored(devices);
}

static inline cohort_strategy *right_tpu(cohort_resolver *resolver,
                                         const cohort_assignment *assignment, int64_t steps_per_run)
{
    cohort_strategy_options options;
    memset(&options, 0, sizeof options);
    options.steps_per_run = steps_per_run;
    (void)resolver, (void)assignment;
    return right_create(&options);
}

#define cohort_strategy_create right_create
#define cohort_mirrored right_mirrored
#define cohort_multi_worker_mirrored right_workers
#define cohort_tpu right_tpu

#endif
