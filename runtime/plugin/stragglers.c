/* SPDX-License-Identifier: BSD-3-Clause */
/* exit() runs first what its own thread has registered for the end of that thread, then what was
 * registered for the end of the process, the latest first, and the destructors of libraries at
 * last. A driver registers while it is asked, perhaps up to the very moment in which the program
 * ends. So only the first of these is certain to be before all of a driver's: the main thread, by
 * which most programs end, is given it when the library is loaded. For those that end by another
 * thread there is the second, registered anew for each that is left behind: it is before all that a
 * driver had registered until then. */
#include "config.h"

#include "runtime/plugin/stragglers.h"

#include "runtime/base/futex.h"
#include "runtime/base/thread.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MOST_NS INT64_C(1000000000)

static atomic_int n_away;              /* threads that are waited for */
static atomic_uint returns;            /* changes with each that is back */
static atomic_llong ns_left = MOST_NS; /* of what may be waited, in all */
static _Thread_local int is_away;      /* this thread is an errand's */

/* ---- At the end. */

static void wait_for_all(void)
{
    const int64_t begin = cohort_clock_ns(), end = begin + atomic_load(&ns_left);
    int64_t now = begin;
    for (; now < end; now = cohort_clock_ns()) {
        unsigned seen = atomic_load(&returns);
        if (atomic_load(&n_away) <= is_away)
            break;
        cohort_futex_wait(&returns, seen, end);
    }
    atomic_fetch_sub(&ns_left, now - begin);
}

static void wait_at_thread_end(void *nothing)
{
    (void)nothing;
    wait_for_all();
}

/* Where C++ registers destructors of thread_local objects; not every C library has it. Nothing is
 * destroyed, so the object is any. */
extern int __cxa_thread_atexit_impl(void (*destroy)(void *), void *object, void *of_library)
    __attribute__((weak));

__attribute__((constructor)) static void watch_main_thread(void)
{
    bool is_main = syscall(SYS_gettid) == getpid();
    if (is_main && __cxa_thread_atexit_impl != NULL)
        (void)__cxa_thread_atexit_impl(wait_at_thread_end, NULL, &ns_left);
}

void cohort_stragglers_expect(void)
{
    (void)atexit(wait_for_all); /* without memory for it there is no better way */
}

/* ---- Who is away. */

/* A child has none of its parent's threads. */
static void forget_all(void)
{
    atomic_store(&n_away, 0);
}

static void watch_forks(void)
{
    (void)pthread_atfork(NULL, NULL, forget_all);
}

void cohort_stragglers_add(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, watch_forks);
    atomic_fetch_add(&n_away, 1);
}

void cohort_stragglers_remove(void)
{
    atomic_fetch_sub(&n_away, 1);
    cohort_futex_wake(&returns);
}

void cohort_stragglers_enter(void)
{
    is_away = 1;
}

void cohort_stragglers_leave(void)
{
    is_away = 0;
    cohort_stragglers_remove();
}
