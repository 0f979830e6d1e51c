/* SPDX-License-Identifier: BSD-3-Clause */
/* Waiting for commands.
 *
 * The driver's own wait has no timeout, so a wait that is not short asks for a callback and sleeps
 * on a condition.
 * The status of the callback is not believed: afterwards the event is asked for it. */
#include "config.h"

#include "opencl/event.h"

#include "opencl/dev.h"
#include "opencl/error.h"
#include "opencl/opencl.h"

#include <sched.h>

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

cohort_status opencl_event_mark(cohort_dev *dev, const char *what, cohort_event **out_event,
                                cohort_error *err)
{
    cohort_event *event = opencl_events_take(&dev->events);
    if (event == NULL)
        return cohort_fail(err, COHORT_ENOMEM, 0, "%s: no memory for an event", what);
    cl_int code = clEnqueueMarkerWithWaitList(dev->queue, 0, NULL, opencl_events_slot(event));
    return opencl_event_started(dev, event, code, what, out_event, err);
}

static bool is_watched(cohort_event *event)
{
    pthread_mutex_lock(&event->events->lock);
    bool is_watched = event->is_watched;
    pthread_mutex_unlock(&event->events->lock);
    return is_watched;
}

static cl_int ask(cohort_event *event, cl_int *out_result)
{
    return clGetEventInfo(event->cl, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof *out_result,
                          out_result, NULL);
}

/* Most commands are short, and a callback costs two switches of threads: so waits for an event look
 * for a while, all in all, before one asks for a callback. A look yields each time, since a driver
 * whose device is this CPU may need the core.
 *
 * Where it is, two threads that are woken take 30 to 60 us on a busy virtual machine, and a look is
 * as long as the least of the core's own waits (COHORT_SPIN): on two cores, eight kernels of PoCL,
 * a sum and a wait take 94 us so, and 121 with looks of 20 us; kernels of a millisecond take as
 * long as before. Drivers of GPUs take 0.1 to 0.2 ms for a callback (measured with NVIDIA's on an
 * H100), and look themselves for as long as it takes where a program waits by clFinish; ten times
 * as long as the callback is a tenth too much at worst. */
enum { LOOK_CPU_NS = 100000, LOOK_NS = 2000000 };

static uint64_t look_ns(const cohort_dev *dev)
{
    return dev->found->info.type == COHORT_DEVICE_CPU ? LOOK_CPU_NS : LOOK_NS;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static cl_int look(const cohort_dev *dev, cohort_event *event, uint64_t end_ns, cl_int *out_result)
{
    if (event->look_end_ns == 0)
        event->look_end_ns = opencl_events_end_ns(look_ns(dev));
    uint64_t end = least(event->look_end_ns, end_ns);
    cl_int code = ask(event, out_result);
    while (code == CL_SUCCESS && *out_result > CL_COMPLETE && opencl_events_now_ns() < end) {
        (void)sched_yield();
        code = ask(event, out_result);
    }
    return code;
}

/* Until the callback has come or the time is over. The condition is that of the whole list: it
 * wakes for other events too. */
static void wait_for_callback(cohort_event *event, uint64_t end_ns)
{
    struct opencl_events *events = event->events;
    pthread_mutex_lock(&events->lock);
    while (!event->is_complete && opencl_events_sleep(events, end_ns))
        continue;
    pthread_mutex_unlock(&events->lock);
}

/* PoCL calls back with CL_COMPLETE whatever happened, and some never call: so the event is asked
 * after it. */
static cl_int sleep_until_called(cohort_event *event, uint64_t end_ns, cl_int *out_result)
{
    if (opencl_events_now_ns() >= end_ns)
        return CL_SUCCESS;
    cl_int code = opencl_events_watch(event);
    if (code == CL_SUCCESS)
        wait_for_callback(event, end_ns);
    return code == CL_SUCCESS ? ask(event, out_result) : code;
}

static cl_int wait_until(const cohort_dev *dev, cohort_event *event, uint64_t end_ns,
                         cl_int *out_result)
{
    cl_int code = is_watched(event) ? ask(event, out_result) : look(dev, event, end_ns, out_result);
    return code == CL_SUCCESS && *out_result > CL_COMPLETE
               ? sleep_until_called(event, end_ns, out_result)
               : code;
}

cohort_status opencl_event_wait(cohort_dev *dev, cohort_event *event, uint64_t timeout_ns,
                                cohort_error *err)
{
    cl_int result = CL_QUEUED;
    cl_int code = timeout_ns > 0 ? wait_until(dev, event, opencl_events_end_ns(timeout_ns), &result)
                                 : ask(event, &result);
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
    /* a callback that the driver still owes has the event's address: then the callback gives it
     * back */
    bool is_owed = event->is_watched && !event->is_complete;
    event->is_released = true;
    pthread_mutex_unlock(&events->lock);
    if (is_owed)
        return COHORT_OK;
    if (event->cl != NULL)
        (void)clReleaseEvent(event->cl);
    event->cl = NULL;
    pthread_mutex_lock(&events->lock);
    opencl_events_give(event);
    pthread_mutex_unlock(&events->lock);
    return COHORT_OK;
}

/* Take the one callback that an event has; false when somebody waits for the event already. */
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

/* An event that is complete already is told here, as not every driver calls for one. */
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
        code = opencl_events_watch(event);
    if (code != CL_SUCCESS)
        return opencl_dev_fail(dev, err, code, "asking for a call when an event is complete");
    return COHORT_OK;
}
