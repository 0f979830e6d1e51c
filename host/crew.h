/* SPDX-License-Identifier: BSD-3-Clause */
/* The crew of a device: threads of the plugin that work on ranges beside the one that calls.
 *
 * OpenMP's own regions are left to the bodies of programs. At the end of one every thread waits
 * for every other, also for one that has lost its core to another process, and spins meanwhile.
 * A crew shares a job as pieces that are taken and never given: whoever has a core takes the next,
 * and in the end the caller waits only for pieces that somebody has begun, for a short time awake
 * and then asleep. */
#ifndef COHORT_HOST_CREW_H
#define COHORT_HOST_CREW_H

#include "host/cores.h"

#include <stdint.h>

struct crew;

typedef void (*crew_fn)(void *context, uint64_t first, uint64_t count);

/* A crew of n_members threads beside the caller, or of fewer where the system starts no more.
 * spin_ns: the longest that one looks for more before it sleeps. NULL: out of memory. */
struct crew *crew_create(int n_members, int64_t spin_ns);

/* Ends the threads; in a process that was forked from theirs there are none. NULL is allowed. */
void crew_destroy(struct crew *crew);

/* Call fn for all of 0..n, in ranges that start at multiples of grain, and return when all of it
 * is done. One caller at a time. False: fn has ended a thread of the crew (pthread_exit) in its
 * range.
 *
 * cores  where members work, seats.h says how; more than there are members */
bool crew_split(struct crew *crew, struct cores cores, uint64_t n, uint64_t grain, crew_fn fn,
                void *context);

int crew_members(const struct crew *crew); /* that were started */

/* No member sleeps: a job costs no system call. */
bool crew_is_awake(struct crew *crew);

/* Members look for a next job before they sleep. */
bool crew_looks(const struct crew *crew);

#endif
