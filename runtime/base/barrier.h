/* SPDX-License-Identifier: BSD-3-Clause */
/* Barriers of memory, a light and a heavy one, for two threads of which each stores and then looks
 * at what the other stores, where at least one must see the other's: as who tells news looks for
 * sleepers, and who goes to sleep looks for news.
 *
 * A processor lets a load pass a store that it has not brought to the cache yet, so both need a
 * barrier between the two, at which all their stores are waited for: 20 to 100 ns where another
 * core has looked at the lines. The thread that sleeps may well pay for both. The heavy barrier has
 * every thread of the process pass one, by membarrier(2), and the light one then is only an order
 * for the compiler:
 *
 *     store news;     cohort_barrier_light();   look for sleepers      often
 *     store sleeper;  cohort_barrier_heavy();   look for news          seldom
 *
 * (P1202 proposes the pair for C++.) Where the system does not have that call, both are barriers of
 * their own. */
#ifndef COHORT_BASE_BARRIER_H
#define COHORT_BASE_BARRIER_H

#include <stdatomic.h>
#include <stdbool.h>

/* Ask the system for it, which takes less than a microsecond, or, where there are threads already,
 * some ms of a thread that is started for it, a quarter of a second later, and ends then: the end
 * of a short process does not wait for the system. Once in a process is enough. Until the system
 * has it, and where nobody has asked, light barriers are whole ones. Threads: any. */
void cohort_barrier_prepare(void);

extern atomic_bool cohort_barrier_is_light;

static inline void cohort_barrier_light(void)
{
    if (atomic_load_explicit(&cohort_barrier_is_light, memory_order_acquire))
        atomic_signal_fence(memory_order_seq_cst);
    else
        atomic_thread_fence(memory_order_seq_cst);
}

/* About 2 us; a system call, which changes no errno. */
void cohort_barrier_heavy(void);

#endif
