/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads and clocks as the library wants them: no thread of ours runs a handler of the program
 * but for faults of its own, and a change of the wall clock moves no deadline. */
#include "config.h"

#include "runtime/base/thread.h"

#include "runtime/base/assert.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>

/* The signals that a thread raises by a fault of its own: where they were blocked, a fault would
 * end the process past the program's handlers. */
static void leave_faults(sigset_t *set)
{
    static const int faults[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        (void)sigdelset(set, faults[i]);
}

int cohort_thread_start(pthread_t *out_thread, void *(*run)(void *), void *argument)
{
    /* a thread begins with the mask of its creator, which gets its own back at once */
    sigset_t all, before;
    sigfillset(&all);
    leave_faults(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(out_thread, NULL, run, argument);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
}

/* A set that is larger than the C library's, which ends at CPU 1023. */
void cohort_thread_bind(int cpu)
{
    enum { SETS = 8 };
    cpu_set_t sets[SETS];
    if (cpu < 0 || cpu >= SETS * CPU_SETSIZE)
        return;
    CPU_ZERO_S(sizeof sets, sets);
    CPU_SET_S((size_t)cpu, sizeof sets, sets);
    (void)sched_setaffinity(0, sizeof sets, sets);
}

/* Written where it has changed alone, for others look at it. */
void cohort_thread_say_where(atomic_int *cpu)
{
    int now = sched_getcpu();
    if (now != atomic_load_explicit(cpu, memory_order_relaxed))
        atomic_store_explicit(cpu, now, memory_order_relaxed);
}

/* Counted by the C library's own call in each child. Relaxed: a child starts with the one thread
 * that has counted. */
static atomic_uint forks;

static void count_fork(void)
{
    atomic_fetch_add_explicit(&forks, 1, memory_order_relaxed);
}

static void watch_forks(void)
{
    (void)pthread_atfork(NULL, NULL, count_fork);
}

unsigned cohort_thread_forks(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, watch_forks);
    return atomic_load_explicit(&forks, memory_order_relaxed);
}

int64_t cohort_clock_ns(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

void cohort_condition_init(pthread_cond_t *condition)
{
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(condition, &monotonic);
    pthread_condattr_destroy(&monotonic);
}

/* A condition may also wake for nothing: callers look again at what they wait for. */
bool cohort_condition_wait_until(pthread_cond_t *condition, pthread_mutex_t *lock, int64_t end_ns)
{
    cohort_assert_held(lock);
    struct timespec until = { .tv_sec = (time_t)(end_ns / 1000000000),
                              .tv_nsec = (long)(end_ns % 1000000000) };
    int cancel;
    (void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
    int error = end_ns == INT64_MAX ? pthread_cond_wait(condition, lock)
                                    : pthread_cond_timedwait(condition, lock, &until);
    (void)pthread_setcancelstate(cancel, NULL);
    return error != ETIMEDOUT;
}
