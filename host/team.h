/* SPDX-License-Identifier: BSD-3-Clause */
/* The threads that work for a device: its crew, for what the library splits itself, and the OpenMP
 * settings under which bodies of the program open regions of their own. */
#ifndef COHORT_HOST_TEAM_H
#define COHORT_HOST_TEAM_H

#include "host/crew.h"

#include <cohort/plugin.h>

struct team_settings {
    int threads, levels, dynamic;
};

/* The most threads that a device may have: what OMP_NUM_THREADS and OMP_THREAD_LIMIT said when
 * this was first asked. */
int team_limit(void);

/* Call fn for all of 0..n, in ranges that start at multiples of grain.
 *
 * is_worth_it  false: in one range, on the calling thread; true: by the device's crew, which is
 *              made at the first such call
 * False: fn has ended a thread of the crew. */
bool team_split(cohort_dev *dev, bool is_worth_it, uint64_t n, uint64_t grain, crew_fn fn,
                void *context);

/* From now on regions of the calling thread have one thread: it is one of a crew. */
void team_be_alone(void);

/* Between enter and leave, OpenMP regions of the calling thread have as many threads as the device,
 * and do not nest; after a body that may have changed that it is entered again. No system call and
 * no allocation after the first time, in which it is found out whether the system starts so many.
 *
 * COHORT_ENOMEM: it does not. There is nothing to leave. */
cohort_status team_enter(const cohort_dev *dev, struct team_settings *out_before,
                         cohort_error *err);

/* Or they have one thread, as those of a crew, and none is started for them. */
void team_enter_alone(struct team_settings *out_before);

void team_leave(const struct team_settings *before);

/* Name of the OpenMP runtime that is loaded. */
const char *team_runtime(void);

#endif
