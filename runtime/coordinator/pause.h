/* SPDX-License-Identifier: BSD-3-Clause */
/* How a thread rests between two looks at what is under way, which the engine goes on with only
 * while somebody looks: the longer it waits, the less it takes of its core. */
#ifndef COHORT_COORDINATOR_PAUSE_H
#define COHORT_COORDINATOR_PAUSE_H

#include "runtime/base/thread.h"

#include <sched.h>
#include <time.h>

enum { COHORT_PAUSE_LOOK_NS = 20000, COHORT_PAUSE_YIELD_NS = 20000000 };

/* since_ns: when something last happened. */
static inline void cohort_pause_since(int64_t since_ns)
{
    const struct timespec nap = { 0, 100000 };
    int64_t waited = cohort_clock_ns() - since_ns;
    if (waited < COHORT_PAUSE_LOOK_NS)
        cohort_thread_relax();
    else if (waited < COHORT_PAUSE_YIELD_NS)
        (void)sched_yield();
    else
        (void)nanosleep(&nap, NULL);
}

#endif
