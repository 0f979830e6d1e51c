/* SPDX-License-Identifier: BSD-3-Clause */
/* Faults of a device. */
#include "config.h"

#include "plugins/chaos/fault.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { DEVICES = 64 };

cohort_ops chaos_base;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
/* held: lock */
static bool is_released;
static int64_t alive[CHAOS_OBJECTS], events;
static const cohort_dev *lost[DEVICES];
static int n_lost;
static uint64_t nothing[8]; /* what an event out of nothing points at */

/* ---- Devices that are lost. */

static bool is_lost(const cohort_dev *dev)
{
    bool is_among = false;
    (void)pthread_mutex_lock(&lock);
    for (int i = 0; i < n_lost; i++)
        is_among |= lost[i] == dev;
    (void)pthread_mutex_unlock(&lock);
    return is_among && dev != NULL;
}

static void lose(const cohort_dev *dev)
{
    (void)pthread_mutex_lock(&lock);
    if (n_lost < DEVICES)
        lost[n_lost++] = dev;
    (void)pthread_mutex_unlock(&lock);
}

void fault_closed(const cohort_dev *dev)
{
    (void)pthread_mutex_lock(&lock);
    for (int i = 0; i < n_lost; i++)
        if (lost[i] == dev)
            lost[i] = NULL;
    (void)pthread_mutex_unlock(&lock);
}

/* ---- Before. */

static void sleep_ms(int64_t ms)
{
    struct timespec left = { (time_t)(ms / 1000), (long)(ms % 1000 * 1000000) };
    while (nanosleep(&left, &left) != 0)
        continue;
}

static void hang(void)
{
    (void)pthread_mutex_lock(&lock);
    while (!is_released)
        (void)pthread_cond_wait(&changed, &lock);
    (void)pthread_mutex_unlock(&lock);
}

/* These do their work where they fail, too: nothing leaks, and an operation of which event_wait
 * answers an error is over. */
static bool is_done_always(int slot)
{
    return slot == SLOT_device_close || slot == SLOT_mem_free || slot == SLOT_kernel_destroy ||
           slot == SLOT_event_release || slot == SLOT_event_wait;
}

static cohort_status say(int64_t code, cohort_error *err)
{
    return cohort_fail(err, (cohort_status)code, -1, "chaos was told to fail");
}

chaos_call fault_before(int slot, cohort_dev *dev, cohort_error *err)
{
    chaos_call call = { .slot = slot, .dev = dev, .strike = schedule_count(slot) };
    switch (call.strike.fault) {
    case CHAOS_DELAY:
        sleep_ms(call.strike.number);
        break;
    case CHAOS_HANG:
        hang();
        break;
    case CHAOS_CRASH:
        abort();
    case CHAOS_ERROR:
        call.is_done = !is_done_always(slot);
        call.status = say(call.strike.number, err);
        break;
    case CHAOS_TEXT:
        call.is_done = !is_done_always(slot);
        call.status = COHORT_EINTERNAL;
        break;
    case CHAOS_LOSE:
        lose(dev);
        break;
    default:
        break;
    }
    if (!call.is_done && is_lost(dev)) {
        call.is_done = !is_done_always(slot);
        call.status = say(COHORT_ELOST, err);
    }
    return call;
}

/* ---- After. */

static cohort_status take_event(cohort_dev *dev, cohort_status status, cohort_event **event,
                                cohort_error *err)
{
    if (event == NULL || *event == NULL)
        return status;
    if (!schedule_masks(SLOT_event_wait)) {
        (void)pthread_mutex_lock(&lock);
        events++;
        (void)pthread_mutex_unlock(&lock);
        return status;
    }
    do
        status = chaos_base.event_wait(dev, *event, UINT64_C(1000000000), err);
    while (status == COHORT_EAGAIN);
    (void)chaos_base.event_release(dev, *event, NULL);
    *event = NULL;
    return status;
}

static void drop_event(cohort_dev *dev, cohort_event **event)
{
    if (event == NULL || *event == NULL)
        return;
    while (chaos_base.event_wait(dev, *event, UINT64_C(1000000000), NULL) == COHORT_EAGAIN)
        continue;
    (void)chaos_base.event_release(dev, *event, NULL);
    fault_event_gone(*event);
    *event = NULL;
}

static void count(int object, cohort_status status, void *const *out)
{
    if (object == CHAOS_NO_OBJECT || status != COHORT_OK || out == NULL || *out == NULL)
        return;
    (void)pthread_mutex_lock(&lock);
    alive[object]++;
    (void)pthread_mutex_unlock(&lock);
}

/* An error comes without an object and without an event. */
static void drop_object(cohort_dev *dev, int object, void **out)
{
    if (object == CHAOS_NO_OBJECT || out == NULL || *out == NULL)
        return;
    if (object == CHAOS_DEVICE)
        (void)chaos_base.device_close(*out, NULL);
    else if (object == CHAOS_MEM)
        (void)chaos_base.mem_free(dev, *out, NULL);
    else
        (void)chaos_base.kernel_destroy(dev, *out, NULL);
    fault_gone(object, *out);
    *out = NULL;
}

static cohort_status answer(const chaos_call *call, int object, cohort_status status, void **out,
                            cohort_event **event, cohort_error *err)
{
    switch (call->strike.fault) {
    case CHAOS_ERROR:
    case CHAOS_AFTER:
        drop_event(call->dev, event);
        drop_object(call->dev, object, out);
        return say(call->strike.number, err);
    case CHAOS_TEXT:
        if (err != NULL)
            memset(err->text, 'x', sizeof err->text);
        return COHORT_EINTERNAL;
    case CHAOS_STATUS:
        return 7;
    case CHAOS_NONE:
        if (out != NULL)
            *out = NULL;
        return COHORT_OK;
    case CHAOS_BOTH:
    case CHAOS_EVENT:
        if (event != NULL)
            *event = (cohort_event *)(void *)nothing;
        return call->strike.fault == CHAOS_BOTH ? say(COHORT_EINTERNAL, err) : status;
    case CHAOS_ODD:
        if (out != NULL && *out != NULL)
            *out = (char *)*out + 1;
        return status;
    case CHAOS_TWICE:
        mistake_twice(object, out != NULL ? out : (void **)(void *)event);
        return status;
    default:
        return status;
    }
}

cohort_status fault_after(const chaos_call *call, int object, cohort_status status, void **out,
                          cohort_event **event, cohort_error *err)
{
    if (call->is_done)
        return call->strike.fault == CHAOS_TEXT
                   ? answer(call, object, call->status, NULL, NULL, err)
                   : call->status;
    status = take_event(call->dev, status, event, err);
    count(object, status, out);
    if (call->strike.fault != CHAOS_TWICE && status == COHORT_OK)
        mistake_note(object, out != NULL ? *out : event != NULL ? *event : NULL);
    if (call->status < 0) /* lost, and nevertheless given back */
        return call->status;
    mistake_of_thread(call->strike.fault);
    return answer(call, object, status, out, event, err);
}

void fault_gone(int object, const void *given)
{
    mistake_gone(given);
    (void)pthread_mutex_lock(&lock);
    alive[object]--;
    (void)pthread_mutex_unlock(&lock);
}

void fault_event_gone(const cohort_event *event)
{
    mistake_gone(event);
    (void)pthread_mutex_lock(&lock);
    events -= (const void *)event != nothing;
    (void)pthread_mutex_unlock(&lock);
}

void fault_counts(cohort_chaos_counts *out_counts)
{
    (void)pthread_mutex_lock(&lock);
    *out_counts = (cohort_chaos_counts){ .devices = (uint64_t)alive[CHAOS_DEVICE],
                                         .mems = (uint64_t)alive[CHAOS_MEM],
                                         .kernels = (uint64_t)alive[CHAOS_KERNEL],
                                         .events = (uint64_t)events };
    (void)pthread_mutex_unlock(&lock);
    out_counts->struck = schedule_struck();
}

void fault_release(void)
{
    (void)pthread_mutex_lock(&lock);
    is_released = true;
    (void)pthread_cond_broadcast(&changed);
    (void)pthread_mutex_unlock(&lock);
}
