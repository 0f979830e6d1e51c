/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "opencl/event.h"

#include "opencl/error.h"
#include "opencl/opencl.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

enum { EVENTS_PER_BLOCK = 64, LAST_CALLBACK_NS = 1000000000 };

struct cohort_event {
    cl_event cl;
    struct opencl_events *events;
    uint64_t enqueued_ns;         /* CLOCK_MONOTONIC */
    bool is_watched, is_complete; /* held: lock, and below. The driver will call back; it has. */
    bool is_released;             /* goes back once the driver has called */
    cohort_notify_fn notify;
    void *user;
    cohort_event *next_free;
};

struct event_block {
    struct event_block *next;
    cohort_event events[EVENTS_PER_BLOCK];
};

static uint64_t now_ns(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static struct timespec deadline_of(uint64_t timeout_ns)
{
    uint64_t now = now_ns(), end = timeout_ns < INT64_MAX - now ? now + timeout_ns : INT64_MAX;
    return (struct timespec){ .tv_sec = (time_t)(end / 1000000000u),
                              .tv_nsec = (long)(end % 1000000000u) };
}

/* ---- The list. */

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

/* held: lock. Those who were called back late left the cl_event to us. */
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

bool opencl_events_fini(struct opencl_events *events)
{
    struct timespec end = deadline_of(LAST_CALLBACK_NS);
    pthread_mutex_lock(&events->lock);
    while (events->n_watched > 0 &&
           pthread_cond_timedwait(&events->changed, &events->lock, &end) != ETIMEDOUT)
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

/* held: lock */
static void give(cohort_event *event)
{
    event->next_free = event->events->free;
    event->events->free = event;
}

cohort_event *opencl_event_take(struct opencl_events *events)
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
    *event = (cohort_event){ .events = events, .enqueued_ns = now_ns() };
    return event;
}

cl_event *opencl_event_slot(cohort_event *event)
{
    return &event->cl;
}

/* ---- What the driver calls when a command is over. */

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
        give(event);
    pthread_mutex_unlock(&events->lock);
    if (notify != NULL)
        notify(argument, opencl_error_status(result));
    pthread_mutex_lock(&events->lock);
    events->n_watched--;
    pthread_cond_broadcast(&events->changed);
    pthread_mutex_unlock(&events->lock);
}

/* Ask the driver, once, to call when the event is complete. */
static cl_int watch(cohort_event *event)
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

/* ---- Operations. */

cohort_status opencl_event_started(cohort_dev *dev, cohort_event *event, cl_int code,
                                   const char *what, cohort_event **out_event, cohort_error *err)
{
    if (code == CL_SUCCESS)
        code = clFlush(dev->queue);
    if (code != CL_SUCCESS) {
        (void)opencl_event_release(dev, event, NULL);
        return opencl_dev_fail(dev, err, code, "%s", what);
    }
    *out_event = event;
    return COHORT_OK;
}

static cl_int ask(cohort_event *event, cl_int *out_result)
{
    return clGetEventInfo(event->cl, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof *out_result,
                          out_result, NULL);
}

/* Until the event is complete or the time is over. */
static void wait_for_callback(cohort_event *event, uint64_t timeout_ns)
{
    struct timespec end = deadline_of(timeout_ns);
    struct opencl_events *events = event->events;
    pthread_mutex_lock(&events->lock);
    while (!event->is_complete &&
           pthread_cond_timedwait(&events->changed, &events->lock, &end) != ETIMEDOUT)
        continue;
    pthread_mutex_unlock(&events->lock);
}

cohort_status opencl_event_wait(cohort_dev *dev, cohort_event *event, uint64_t timeout_ns,
                                cohort_error *err)
{
    cl_int result = CL_QUEUED;
    cl_int code = ask(event, &result);
    if (code == CL_SUCCESS && result > CL_COMPLETE && timeout_ns > 0) {
        code = watch(event);
        if (code == CL_SUCCESS)
            wait_for_callback(event, timeout_ns);
        if (code == CL_SUCCESS)
            /* PoCL calls back with CL_COMPLETE whatever happened, and some never call */
            code = ask(event, &result);
    }
    if (code != CL_SUCCESS)
        return opencl_dev_fail(dev, err, code, "asking for an event");
    if (result > CL_COMPLETE)
        return cohort_fail(err, COHORT_EAGAIN, 0, "not complete after %llu ns",
                           (unsigned long long)timeout_ns);
    if (result != CL_COMPLETE)
        return opencl_dev_fail(dev, err, result, "the command failed while it ran");
    return COHORT_OK;
}

cohort_status opencl_event_release(cohort_dev *dev, cohort_event *event, cohort_error *err)
{
    (void)dev;
    (void)err;
    struct opencl_events *events = event->events;
    pthread_mutex_lock(&events->lock);
    bool is_owed = event->is_watched && !event->is_complete;
    event->is_released = true;
    pthread_mutex_unlock(&events->lock);
    if (is_owed)
        return COHORT_OK;
    if (event->cl != NULL)
        (void)clReleaseEvent(event->cl);
    event->cl = NULL;
    pthread_mutex_lock(&events->lock);
    give(event);
    pthread_mutex_unlock(&events->lock);
    return COHORT_OK;
}

/* False when somebody waits for the event already: there is one call for each. */
static bool claim(cohort_event *event, cohort_notify_fn fn, void *user)
{
    pthread_mutex_lock(&event->events->lock);
    bool is_ours = !event->is_watched;
    if (is_ours) {
        event->notify = fn;
        event->user = user;
    }
    pthread_mutex_unlock(&event->events->lock);
    return is_ours;
}

/* Not every driver calls for what is complete already. */
cohort_status opencl_event_notify(cohort_dev *dev, cohort_event *event, cohort_notify_fn fn,
                                  void *user, cohort_error *err)
{
    cl_int result = CL_QUEUED, code = ask(event, &result);
    if (code == CL_SUCCESS && result <= CL_COMPLETE) {
        fn(user, opencl_error_status(result));
        return COHORT_OK;
    }
    if (!claim(event, fn, user))
        return cohort_fail(err, COHORT_ENOTSUP, 0, "somebody waits for the event already");
    if (code == CL_SUCCESS)
        code = watch(event);
    if (code != CL_SUCCESS)
        return opencl_dev_fail(dev, err, code, "asking for a call when an event is complete");
    return COHORT_OK;
}

/* The driver's clock is any: what the command's entry into the queue was on it is known on ours. */
cohort_status opencl_event_time(cohort_dev *dev, cohort_event *event, uint64_t *out_start_ns,
                                uint64_t *out_end_ns, cohort_error *err)
{
    (void)dev;
    cl_ulong queued = 0, start = 0, end = 0;
    cl_int code = clGetEventProfilingInfo(event->cl, CL_PROFILING_COMMAND_QUEUED, sizeof queued,
                                          &queued, NULL);
    if (code == CL_SUCCESS)
        code = clGetEventProfilingInfo(event->cl, CL_PROFILING_COMMAND_START, sizeof start, &start,
                                       NULL);
    if (code == CL_SUCCESS)
        code = clGetEventProfilingInfo(event->cl, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL);
    if (code != CL_SUCCESS || queued == 0 || start < queued || end < start)
        return cohort_fail(err, COHORT_ENOTSUP, code, "the driver has no times of the event");
    *out_start_ns = event->enqueued_ns + (start - queued);
    *out_end_ns = event->enqueued_ns + (end - queued);
    return COHORT_OK;
}
