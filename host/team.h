/* SPDX-License-Identifier: BSD-3-Clause */
/* The OpenMP team of a device, and what the calling thread's OpenMP settings are while it works for
 * one. */
#ifndef COHORT_HOST_TEAM_H
#define COHORT_HOST_TEAM_H

#include <cohort/plugin.h>

#include <stdbool.h>

struct team_settings {
    int threads, levels, dynamic;
};

typedef void (*team_fn)(void *context, uint64_t first, uint64_t count);

/* Do fn for 0..n in ranges that start at multiples of grain: in one piece on the calling thread, or
 * on the team. */
void team_split(const cohort_dev *dev, bool is_worth_it, uint64_t n, uint64_t grain, team_fn fn,
                void *context);

/* Between these, OpenMP regions that the calling thread meets are sized to the device and do not
 * nest. No system call and no allocation after the first time. */
struct team_settings team_enter(const cohort_dev *dev);
void team_leave(const struct team_settings *before);

/* Name of the OpenMP runtime that is loaded. */
const char *team_runtime(void);

#endif
