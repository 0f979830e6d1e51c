/* SPDX-License-Identifier: BSD-3-Clause */
/* Replicas that do not come to a rendezvous. All held: lock of the stage. */
#ifndef COHORT_STEP_LATENESS_H
#define COHORT_STEP_LATENESS_H

#include "runtime/step/stage.h"

/* How long somebody has waited in a rendezvous since the latest replica came. Starts all zero. */
typedef struct cohort_lateness {
    int32_t arrived;
    int64_t waited_ns;
} cohort_lateness;

/* Waited slept_ns: an error when this replica waits in a rendezvous, and the next one is too late
 * for it. */
void cohort_lateness_look(cohort_replica *me, cohort_lateness *lateness, int64_t slept_ns);

/* Whether this replica is the one that has to look now and then while it sleeps. */
bool cohort_lateness_watches(const cohort_replica *me);

/* How long to wait before the next look. */
int64_t cohort_lateness_slice(const cohort_replica *me);

#endif
