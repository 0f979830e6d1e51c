/* SPDX-License-Identifier: BSD-3-Clause */
/* Mistakes that pass the gate, and train wrongly without a word: for the check of plugins, which
 * finds each. */
#include "config.h"

#include "plugins/chaos/fault.h"

#include <fenv.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>

enum { BLOCKS = 256 };

/* held: lock, for all of these. What is noted is noted of all devices, and each has a thread; the
 * faults that look at it are planned for one device alone. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    const cohort_mem *mem;
    uint64_t bytes;
} blocks[BLOCKS];
static unsigned n_blocks;
static unsigned char *late_at;
static void *latest[CHAOS_OBJECTS];
static void *latest_address;
static const cohort_event *over;

static void wait_for(const chaos_call *call, cohort_event *event)
{
    while (event != NULL &&
           chaos_base.event_wait(call->dev, event, UINT64_C(1000000000), NULL) == COHORT_EAGAIN)
        continue;
}

/* ---- The thread. */

/* One is let through that was not, or the other way round. */
static void change_signal(void)
{
    sigset_t signals, before;
    (void)sigemptyset(&signals);
    (void)sigaddset(&signals, SIGURG); /* harmless where it comes */
    (void)pthread_sigmask(SIG_BLOCK, NULL, &before);
    (void)pthread_sigmask(sigismember(&before, SIGURG) != 0 ? SIG_UNBLOCK : SIG_BLOCK, &signals,
                          NULL);
}

/* To the first of its CPUs, and where that is the only one, to none that there is: no change. */
static void pin(void)
{
    cpu_set_t all, one;
    int first = 0;
    if (sched_getaffinity(0, sizeof all, &all) != 0)
        return;
    while (!CPU_ISSET(first, &all))
        first++;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    (void)sched_setaffinity(0, sizeof one, &one);
}

void mistake_of_thread(chaos_fault fault)
{
    if (fault == CHAOS_FLOAT)
        (void)fesetround(FE_UPWARD);
    if (fault == CHAOS_SIGNALS)
        change_signal();
    if (fault == CHAOS_CPUS)
        pin();
}

/* ---- Objects. */

void mistake_twice(int object, void **out)
{
    (void)pthread_mutex_lock(&lock);
    if (out != NULL && *out != NULL && latest[object] != NULL)
        *out = latest[object];
    else if (out != NULL)
        latest[object] = *out;
    (void)pthread_mutex_unlock(&lock);
}

void mistake_gone(const void *object)
{
    (void)pthread_mutex_lock(&lock);
    for (int i = 0; i < CHAOS_OBJECTS; i++)
        if (latest[i] == object)
            latest[i] = NULL;
    over = (const void *)over == object ? NULL : over;
    (void)pthread_mutex_unlock(&lock);
}

void mistake_note(int object, void *made)
{
    (void)pthread_mutex_lock(&lock);
    latest[object] = made;
    (void)pthread_mutex_unlock(&lock);
}

void mistake_of_address(const chaos_call *call, void **out)
{
    void *right = *out;
    (void)pthread_mutex_lock(&lock);
    if (call->strike.fault == CHAOS_OVERLAP && latest_address != NULL)
        *out = latest_address;
    if (call->strike.fault == CHAOS_MOVED)
        *out = (char *)*out + 4096;
    latest_address = right;
    (void)pthread_mutex_unlock(&lock);
}

cohort_status mistake_of_wait(const chaos_call *call, cohort_event *event, cohort_status status)
{
    if (call->strike.fault != CHAOS_ANSWER || status == COHORT_EAGAIN)
        return status;
    (void)pthread_mutex_lock(&lock);
    const bool was_over = over == event;
    over = event;
    (void)pthread_mutex_unlock(&lock);
    return was_over ? COHORT_EINTERNAL : status;
}

/* ---- Memory. */

void mistake_of_alloc(cohort_mem *mem, uint64_t bytes)
{
    (void)pthread_mutex_lock(&lock);
    blocks[n_blocks % BLOCKS].mem = mem;
    blocks[n_blocks++ % BLOCKS].bytes = bytes;
    (void)pthread_mutex_unlock(&lock);
}

/* 0: it is not known. */
static uint64_t bytes_of(const cohort_mem *mem)
{
    uint64_t bytes = 0;
    (void)pthread_mutex_lock(&lock);
    for (unsigned i = 0; i < BLOCKS && bytes == 0; i++)
        bytes = blocks[i].mem == mem ? blocks[i].bytes : 0;
    (void)pthread_mutex_unlock(&lock);
    return bytes;
}

/* The last byte that the plugin was asked for, which is behind what the core wanted. */
static void write_behind(const chaos_call *call, cohort_mem *mem)
{
    cohort_event *event = NULL;
    const uint64_t bytes = bytes_of(mem);
    if (bytes == 0)
        return;
    (void)chaos_base.write(call->dev, NULL, mem, bytes - 1, "", 1, &event, NULL);
    wait_for(call, event);
    if (event != NULL)
        (void)chaos_base.event_release(call->dev, event, NULL);
}

void mistake_of_write(const chaos_call *call, cohort_mem *mem, const void *from,
                      cohort_event *event)
{
    unsigned char *byte = (unsigned char *)(uintptr_t)from;
    if (call->strike.fault != CHAOS_FROM && call->strike.fault != CHAOS_BLOCK)
        return;
    wait_for(call, event);
    if (call->strike.fault == CHAOS_FROM)
        byte[0] ^= 1;
    else
        write_behind(call, mem);
}

void mistake_of_read(const chaos_call *call, void *into, uint64_t bytes, cohort_event *event)
{
    unsigned char *read = into;
    (void)pthread_mutex_lock(&lock);
    if (late_at != NULL)
        *late_at ^= 0x55;
    late_at = call->strike.fault == CHAOS_LATE ? read + bytes - 1 : NULL;
    (void)pthread_mutex_unlock(&lock);
    if (call->strike.fault != CHAOS_INTO)
        return;
    wait_for(call, event);
    read[bytes] ^= 1;
}

/* Further behind than any result of a number ends. */
void mistake_of_launch(const chaos_call *call, const cohort_launch *launch, cohort_event *event)
{
    enum { BEHIND = 40 };
    if (call->strike.fault != CHAOS_RET || launch->ret == NULL)
        return;
    wait_for(call, event);
    ((unsigned char *)launch->ret)[BEHIND] ^= 1;
}

/* The terms from the last to the first, in a tree of the same form. */
const cohort_reduction *mistake_of_reduce(const chaos_call *call, const cohort_reduction *reduction,
                                          cohort_reduction *wrong, cohort_term *terms)
{
    if (call->strike.fault != CHAOS_ORDER)
        return reduction;
    *wrong = *reduction;
    wrong->terms = terms;
    for (uint32_t i = 0; i < reduction->nterms; i++) {
        terms[i] = reduction->terms[reduction->nterms - 1 - i];
        terms[i].merges = reduction->terms[i].merges;
    }
    return wrong;
}
