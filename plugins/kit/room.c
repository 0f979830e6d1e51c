/* SPDX-License-Identifier: BSD-3-Clause */
/* The threads wait at a door that is shut until all of them are there. */
#include "config.h"

#include "plugins/kit/room.h"

#include "plugins/kit/thread.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

struct visitor {
    pthread_t thread;
    pthread_mutex_t *door;
    long id; /* the system's name of the thread */
};

static void *visit(void *argument)
{
    struct visitor *visitor = argument;
    visitor->id = syscall(SYS_gettid);
    pthread_mutex_lock(visitor->door);
    pthread_mutex_unlock(visitor->door);
    return NULL;
}

/* A thread that was joined still counts for the system's limits until it has no name any more,
 * which takes some microseconds; another one may have got the name meanwhile. */
static void wait_until_gone(long id)
{
    enum { LOOKS = 1000 };
    const struct timespec moment = { .tv_nsec = 20000 };
    for (int i = 0; i < LOOKS && syscall(SYS_tgkill, getpid(), id, 0) == 0; i++)
        (void)nanosleep(&moment, NULL);
}

/* How many were there at the same time; *out_error: why no more. */
static int count(struct visitor *visitors, int n, const pthread_attr_t *attributes, int *out_error)
{
    pthread_mutex_t door = PTHREAD_MUTEX_INITIALIZER;
    int there = 0;
    *out_error = 0;
    pthread_mutex_lock(&door);
    while (there < n && *out_error == 0) {
        visitors[there].door = &door;
        *out_error = thread_start(&visitors[there].thread, attributes, visit, &visitors[there]);
        there += *out_error == 0;
    }
    pthread_mutex_unlock(&door);
    for (int i = 0; i < there; i++) {
        (void)pthread_join(visitors[i].thread, NULL);
        wait_until_gone(visitors[i].id);
    }
    return there;
}

/* A size that the C library refuses leaves the default. */
static int count_with_stack(struct visitor *visitors, int n, size_t stack_bytes, int *out_error)
{
    pthread_attr_t attributes;
    *out_error = pthread_attr_init(&attributes);
    if (*out_error != 0)
        return 0;
    if (stack_bytes > 0)
        (void)pthread_attr_setstacksize(&attributes, stack_bytes);
    int there = count(visitors, n, &attributes, out_error);
    (void)pthread_attr_destroy(&attributes);
    return there;
}

/* A thread that has ended a moment ago, of whomever, may still count: so there is more than one
 * try. */
static int count_patiently(struct visitor *visitors, int n, size_t stack_bytes, int *out_error)
{
    enum { TRIES = 10 };
    const struct timespec moment = { .tv_nsec = 2000000 };
    int there = count_with_stack(visitors, n, stack_bytes, out_error);
    for (int i = 1; there < n && i < TRIES; i++) {
        (void)nanosleep(&moment, NULL);
        there = count_with_stack(visitors, n, stack_bytes, out_error);
    }
    return there;
}

/* A caller that is cancelled ends later, for visitors are at a door of its frame. */
int room_count(int threads, size_t stack_bytes, int *out_error)
{
    int there = 0, cancel;
    *out_error = 0;
    if (threads <= 0)
        return 0;
    (void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
    struct visitor *visitors = calloc((size_t)threads, sizeof *visitors);
    if (visitors != NULL)
        there = count_patiently(visitors, threads, stack_bytes, out_error);
    else
        *out_error = ENOMEM;
    free(visitors);
    (void)pthread_setcancelstate(cancel, NULL);
    return there;
}
