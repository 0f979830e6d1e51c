/* SPDX-License-Identifier: BSD-3-Clause */
/* The threads wait at a door that is shut until all of them are there. */
#include "config.h"

#include "host/room.h"

#include "host/stack.h"
#include "host/thread.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
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

/* A thread that was joined still counts for the system's limits until it has no name any more, which
 * takes some microseconds; another one may have got the name meanwhile. */
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

/* A size that the C library refuses leaves the runtime with the default. */
static int count_with_stack(struct visitor *visitors, int n, int *out_error)
{
    pthread_attr_t attributes;
    *out_error = pthread_attr_init(&attributes);
    if (*out_error != 0)
        return 0;
    if (stack_get()->bytes > 0)
        (void)pthread_attr_setstacksize(&attributes, stack_get()->bytes);
    int there = count(visitors, n, &attributes, out_error);
    (void)pthread_attr_destroy(&attributes);
    return there;
}

static cohort_status refuse(int there, int n, int error, cohort_error *err)
{
    const struct stack *stack = stack_get();
    char or_stack[80] = "";
    if (stack->variable != NULL)
        (void)snprintf(or_stack, sizeof or_stack, " or %s (%s)", stack->variable, stack->text);
    return cohort_fail(
        err, COHORT_ENOMEM, 0,
        "the system starts %d of the %d more threads that regions of OpenMP in a body "
        "may have: %s; lower OMP_NUM_THREADS%s, or raise what limits threads and their "
        "memory (ulimit -u, ulimit -v, pids.max of the control group)",
        there, n, strerror(error), or_stack);
}

/* A thread that has ended a moment ago, of whomever, may still count: so there is more than one try. */
static int count_patiently(struct visitor *visitors, int n, int *out_error)
{
    enum { TRIES = 10 };
    const struct timespec moment = { .tv_nsec = 2000000 };
    int there = count_with_stack(visitors, n, out_error);
    for (int i = 1; there < n && i < TRIES; i++) {
        (void)nanosleep(&moment, NULL);
        there = count_with_stack(visitors, n, out_error);
    }
    return there;
}

/* A caller that is cancelled ends later, for visitors are at a door of its frame. */
cohort_status room_find(int threads, cohort_error *err)
{
    int error = ENOMEM, there = 0, cancel;
    if (threads <= 0)
        return COHORT_OK;
    (void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
    struct visitor *visitors = calloc((size_t)threads, sizeof *visitors);
    if (visitors != NULL)
        there = count_patiently(visitors, threads, &error);
    free(visitors);
    (void)pthread_setcancelstate(cancel, NULL);
    return there == threads ? COHORT_OK : refuse(there, threads, error, err);
}
