/* SPDX-License-Identifier: BSD-3-Clause */
/* The events of a device: taken for a command, given back, used again.
 *
 * An event is given back by event_release, or, where the driver still owes its callback, by that
 * callback. The lock is never held while OpenCL is called, since a driver may call back from inside
 * of any call. The list can be freed when no callback is owed any more (n_watched). */
#include "config.h"

#include "opencl/events.h"

#include "opencl/error.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

enum { EVENTS_PER_BLOCK = 64, LAST_CALLBACK_NS = 1000000000 };

struct event_block {
    struct event_block *next;
    cohort_event events[EVENTS_PER_BLOCK];
};

uint64_t opencl_events_now_ns(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t opencl_events_end_ns(uint64_t timeout_ns)
{
    uint64_t now = opencl_events_now_ns();
    return timeout_ns < INT64_MAX - now ? now + timeout_ns : INT64_MAX;
}

bool opencl_events_init(struct opencl_events *events)
{
    pthread_condattr_t monotonic;
    *events = (struct opencl_events){ .blocks = NULL };
    if (pthread_condattr_init(&monotonic) != 0)
        return false;
    bool is_good = pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC) == 0 &&
                   pthread_cond_init(&events->changed, &monotonic) == 0;
    (void)pthread_condattr_destroy(&monotonic);
    if (is_good && pthread_mutex_init(&events->lock, NULL) != 0) {
        (void)pthread_cond_destroy(&events->changed);
        is_good = false;
    }
    return is_good;
}

/* Events whose callback came after their release still have their cl_event, which goes here. Called
 * when no callback is owed, so nobody else is here. */
static void free_blocks(struct opencl_events *events)
{
    for (struct event_block *block = events->blocks, *next; block != NULL; block = next) {
        next = block->next;
        for (int i = 0; i < EVENTS_PER_BLOCK; i++)
            if (block->events[i].cl != NULL)
                (void)clReleaseEvent(block->events[i].cl);
        free(block);
    }
}

bool opencl_events_sleep(struct opencl_events *events, uint64_t end_ns)
{
    int cancel;
    struct timespec end = { .tv_sec = (time_t)(end_ns / 1000000000u),
                            .tv_nsec = (long)(end_ns % 1000000000u) };
    (void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
    int error = pthread_cond_timedwait(&events->changed, &events->lock, &end);
    (void)pthread_setcancelstate(cancel, NULL);
    return error != ETIMEDOUT;
}

/* Callbacks are waited for a second at most: a driver that owes one for longer gets a list that
 * stays. */
bool opencl_events_fini(struct opencl_events *events)
{
    uint64_t end_ns = opencl_events_end_ns(LAST_CALLBACK_NS);
    pthread_mutex_lock(&events->lock);
    while (events->n_watched > 0 && opencl_events_sleep(events, end_ns))
        continue;
    bool is_quiet = events->n_watched == 0;
    pthread_mutex_unlock(&events->lock);
    if (!is_quiet)
        return false;
    free_blocks(events);
    (void)pthread_mutex_destroy(&events->lock);
    (void)pthread_cond_destroy(&events->changed);
    return true;
}

/* held: lock */
static bool grow(struct opencl_events *events)
{
    struct event_block *block = calloc(1, sizeof *block);
    if (block == NULL)
        return false;
    block->next = events->blocks;
    events->blocks = block;
    for (int i = 0; i < EVENTS_PER_BLOCK; i++) {
        block->events[i].events = events;
        block->events[i].next_free = events->free;
        events->free = &block->events[i];
    }
    return true;
}

void opencl_events_give(cohort_event *event)
{
    event->next_free = event->events->free;
    event->events->free = event;
}

/* An event that was given back while its callback was still to come has kept its cl_event: it is
 * released here, without the lock, since OpenCL may call back. */
cohort_event *opencl_events_take(struct opencl_events *events)
{
    pthread_mutex_lock(&events->lock);
    cohort_event *event = events->free != NULL || grow(events) ? events->free : NULL;
    if (event != NULL)
        events->free = event->next_free;
    pthread_mutex_unlock(&events->lock);
    if (event == NULL)
        return NULL;
    if (event->cl != NULL)
        (void)clReleaseEvent(event->cl);
    *event = (cohort_event){ .events = events };
    return event;
}

cl_event *opencl_events_slot(cohort_event *event)
{
    return &event->cl;
}

/* ---- What the driver calls when a command is over. */

/* On a thread of the driver. `notify` is called without the lock, as it may be anything; n_watched
 * counts down last, when nothing of the list is touched any more. */
static void CL_CALLBACK on_complete(cl_event cl, cl_int result, void *user)
{
    (void)cl;
    cohort_event *event = user;
    struct opencl_events *events = event->events;
    pthread_mutex_lock(&events->lock);
    event->is_complete = true;
    cohort_notify_fn notify = event->notify;
    void *argument = event->user;
    if (event->is_released)
        opencl_events_give(event);
    /* the event may be somebody else's from here on; the list stays until n_watched is 0 */
    pthread_mutex_unlock(&events->lock);
    if (notify != NULL)
        notify(argument, opencl_error_status(result));
    pthread_mutex_lock(&events->lock);
    events->n_watched--;
    pthread_cond_broadcast(&events->changed);
    pthread_mutex_unlock(&events->lock);
}

/* Counted before the driver is asked: it may call back before clSetEventCallback returns. */
cl_int opencl_events_watch(cohort_event *event)
{
    pthread_mutex_lock(&event->events->lock);
    bool is_new = !event->is_watched;
    event->is_watched = true;
    event->events->n_watched += is_new;
    pthread_mutex_unlock(&event->events->lock);
    cl_int code =
        is_new ? clSetEventCallback(event->cl, CL_COMPLETE, on_complete, event) : CL_SUCCESS;
    if (code != CL_SUCCESS) {
        pthread_mutex_lock(&event->events->lock);
        event->is_watched = false;
        event->events->n_watched--;
        pthread_mutex_unlock(&event->events->lock);
    }
    return code;
}
