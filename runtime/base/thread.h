/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads of ours, and timed waits on the monotonic clock. */
#ifndef COHORT_BASE_THREAD_H
#define COHORT_BASE_THREAD_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Start a thread to which none of the program's signals is delivered but those of its own faults.
 * 0, or the error number of pthread_create. */
int cohort_thread_start(pthread_t *out_thread, void *(*run)(void *), void *argument);

/* Have this thread, which is one of ours, run on that CPU alone; where the system does not, it runs
 * where it did. */
void cohort_thread_bind(int cpu);

/* Note the CPU on which this thread is, where others look at it. */
void cohort_thread_say_where(atomic_int *cpu);

/* A number that is another one in each child that the process forks: so who started threads in
 * the parent sees that they are not in the child. No system call but the first time, in which
 * counting begins. */
unsigned cohort_thread_forks(void);

/* One round of a thread that looks for what another one is about to do: the core may be of use to
 * its other threads meanwhile. */
static inline void cohort_thread_relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/* CLOCK_MONOTONIC in nanoseconds. */
int64_t cohort_clock_ns(void);

/* Waits under a deadline are made in slices of SLICE_NS; what was waited between two looks at the
 * clock counts MOST_NS at most, so that a process that was stopped or starved blames nobody for
 * it. */
#define COHORT_SLICE_NS INT64_C(40000000)
#define COHORT_SLICE_MOST_NS INT64_C(50000000)

static inline int64_t cohort_slice_counted(int64_t waited_ns)
{
    return waited_ns < COHORT_SLICE_MOST_NS ? waited_ns : COHORT_SLICE_MOST_NS;
}

/* A condition whose timed waits go by that clock. */
void cohort_condition_init(pthread_cond_t *condition);

/* Wait until woken or until the clock says end_ns (INT64_MAX: without an end); false: that time has
 * come. A thread that is cancelled meanwhile ends later, for here it holds the lock. held: lock */
bool cohort_condition_wait_until(pthread_cond_t *condition, pthread_mutex_t *lock, int64_t end_ns);

#endif
