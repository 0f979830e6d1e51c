/* SPDX-License-Identifier: BSD-3-Clause */
/* The OpenMP team of a device, and the settings under which bodies of the program open regions of
 * their own. */
#ifndef COHORT_HOST_TEAM_H
#define COHORT_HOST_TEAM_H

#include <cohort/plugin.h>

struct team_settings {
    int threads, levels, dynamic;
};

/* The most threads that a device may have: what OMP_NUM_THREADS and OMP_THREAD_LIMIT said when
 * this was first asked. */
int team_limit(void);

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
