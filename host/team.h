/* SPDX-License-Identifier: BSD-3-Clause */
/* The OpenMP team of a device, and the OpenMP settings of a thread that works for the device. */
#ifndef COHORT_HOST_TEAM_H
#define COHORT_HOST_TEAM_H

#include <cohort/plugin.h>

#include <stdbool.h>

struct team_settings {
    int threads, levels, dynamic;
};

typedef void (*team_fn)(void *context, uint64_t first, uint64_t count);

/* Call fn for all of 0..n, in ranges that start at multiples of grain.
 *
 * is_worth_it  false: in one range, on the calling thread; true: on the team */
void team_split(const cohort_dev *dev, bool is_worth_it, uint64_t n, uint64_t grain, team_fn fn,
                void *context);

/* Between enter and leave, OpenMP regions of the calling thread have as many threads as the device,
 * and do not nest. No system call and no allocation after the first time. */
struct team_settings team_enter(const cohort_dev *dev);
void team_leave(const struct team_settings *before);

/* Name of the OpenMP runtime that is loaded. */
const char *team_runtime(void);

#endif
