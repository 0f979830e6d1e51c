/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/base/barrier.h"

#include "runtime/base/thread.h"

#include <errno.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#if defined(__has_include)
#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#define IS_SINGLE_THREADED __libc_single_threaded
#endif
#endif
#if !defined(IS_SINGLE_THREADED)
#define IS_SINGLE_THREADED false
#endif

/* As in linux/membarrier.h, which older systems have without them (Linux 4.14). */
enum { PRIVATE_EXPEDITED = 1 << 3, REGISTER_PRIVATE_EXPEDITED = 1 << 4 };

/* SHORT_NS: a process that is over by then is a short one, which light barriers save nothing.
 * STORED_NS: no processor keeps a store to itself for so long. */
enum { SHORT_NS = 250000000, STORED_NS = 1000000 };

/* In a line of its own: everybody reads it all the time. */
_Alignas(64) atomic_bool cohort_barrier_is_light;

/* Heavy barriers are to be those of the system: from before the first light one until the end. */
static atomic_bool is_registered;

static bool call(int command)
{
#if defined(SYS_membarrier)
    const int before = errno;
    bool is_done = syscall(SYS_membarrier, command, 0, 0) == 0;
    errno = before;
    return is_done;
#else
    (void)command;
    return false;
#endif
}

/* Between the two stores each thread passes a barrier: so who finds that barriers are light has
 * everything before it that a thread did which found that they are not the system's. */
static void ask(void)
{
    if (!call(REGISTER_PRIVATE_EXPEDITED))
        return;
    atomic_store(&is_registered, true);
    if (call(PRIVATE_EXPEDITED))
        atomic_store(&cohort_barrier_is_light, true);
    else
        atomic_store(&is_registered, false); /* no barrier was light yet */
}

static void sleep_for(int64_t ns)
{
    const int64_t end_ns = cohort_clock_ns() + ns;
    const struct timespec end = { .tv_sec = (time_t)(end_ns / 1000000000),
                                  .tv_nsec = (long)(end_ns % 1000000000) };
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, NULL) == EINTR)
        ;
}

static void *ask_aside(void *nothing)
{
    sleep_for(SHORT_NS);
    ask();
    return nothing;
}

/* A process of several threads is registered once all cores have passed a quiet state, 11 to 15 ms,
 * in which the thread that asks cannot be ended, so that a process which is over by then waits for
 * it. Short ones therefore are over before it asks: until then barriers are whole. Without such a
 * thread they stay so. */
static void begin_asking(void)
{
    pthread_t aside;
    if (IS_SINGLE_THREADED)
        ask();
    else if (cohort_thread_start(&aside, ask_aside, NULL) == 0)
        (void)pthread_detach(aside);
}

void cohort_barrier_prepare(void)
{
    static pthread_once_t is_asked = PTHREAD_ONCE_INIT;
    (void)pthread_once(&is_asked, begin_asking);
}

/* A program may have forbidden itself the call meanwhile (seccomp). Then what others have stored
 * before is waited for. */
static void wait_for_stores(void)
{
    sleep_for(STORED_NS);
}

/* The fence is before the look at is_registered: see ask. */
void cohort_barrier_heavy(void)
{
    atomic_thread_fence(memory_order_seq_cst);
    if (atomic_load(&is_registered) && !call(PRIVATE_EXPEDITED))
        wait_for_stores();
}
