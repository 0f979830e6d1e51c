/* SPDX-License-Identifier: BSD-3-Clause */
/* Rendezvous: the replicas of a step call a collective, each at its time. All held: lock of the
 * stage. */
#ifndef COHORT_RUN_RENDEZVOUS_H
#define COHORT_RUN_RENDEZVOUS_H

#include "runtime/run/stage.h"

/* How long somebody has waited in a rendezvous since the latest replica came. Starts all zero. */
typedef struct cohort_lateness {
    int32_t arrived;
    int64_t waited_ns;
} cohort_lateness;

/* Waited slept_ns: an error when this replica waits in a rendezvous, and the next one is too late
 * for it. */
void cohort_rendezvous_look(cohort_replica *me, cohort_lateness *lateness, int64_t slept_ns);

/* Whether this replica is the one that has to look now and then while it sleeps. */
bool cohort_rendezvous_watches(const cohort_replica *me);

/* How long to wait before the next look. */
int64_t cohort_rendezvous_slice(const cohort_replica *me);

/* A replica returns from the step function: an error when others wait for it. */
void cohort_rendezvous_check_end(cohort_replica *me, cohort_frame *frame);

#endif
