/* SPDX-License-Identifier: BSD-3-Clause */
/* The core on which each thread of a crew sits.
 *
 * The system wakes threads on the core of the one that wakes them more often than not, also where
 * another core is free, and then they take turns. So where a device has as many cores as threads,
 * each member of its crew is bound to one of its own, and none to the core that the caller is on.
 * Elsewhere members are bound to all of the cores. The caller is the program's, or a worker of the
 * library, and is not bound here. */
#ifndef COHORT_HOST_SEATS_H
#define COHORT_HOST_SEATS_H

#include "host/cores.h"

#include <stdatomic.h>

struct seat {
    atomic_int thread; /* for the system; 0: not there yet, or no more */
    int core;          /* the caller's, as the next: where it sits in the cores */
    bool is_bound;
};

struct seats {
    struct seat *members;
    int n_members;
    struct cores cores;
    int caller; /* the core that the caller is on, or was when it was last on one of them */
    int n_unbound;
};

/* The calling thread has this seat from now on, until it leaves. */
void seat_take(struct seat *seat);
void seat_leave(struct seat *seat);

/* Before a job: bind the members to these cores, and off the one that the calling thread is on. No
 * system call where nothing has changed since the last job. One caller at a time. */
void seats_settle(struct seats *seats, struct cores cores);

#endif
