/* SPDX-License-Identifier: BSD-3-Clause */
/* Events: waited for after a while that chance says, and asked again. */
#include "config.h"

#include "runtime/checking/layer.h"

#include "runtime/checking/around.h"

#include <time.h>

enum {
    MOST_PAUSE_NS = 300000,
    ONE_OF = 8,
    SLICE_NS = 1000000000,
    MOST_SLICES = 60,
    PAUSE_NS = 100000
};

/* Who waits comes sometimes late, so that operations which are complete too early, or in another
 * order, have the time to show it. */
static void pause_by_chance(cohort_checking *checking)
{
    if (cohort_checking_chance(checking, ONE_OF) > 0)
        return;
    struct timespec pause = { .tv_nsec = (long)cohort_checking_chance(checking, MOST_PAUSE_NS) };
    (void)nanosleep(&pause, NULL);
}

/* The operation was over before: what it came to, again. */
static cohort_status repeat(const cohort_held *event, cohort_error *err)
{
    return event->text != NULL ? cohort_fail(err, event->status, 0, "%s", event->text)
                               : event->status;
}

static cohort_status wait_event(cohort_dev *dev, cohort_event *event, uint64_t timeout_ns,
                                cohort_error *err)
{
    cohort_checking *checking = cohort_checking_of(dev);
    cohort_held *held = cohort_handles_find(&checking->events, event);
    cohort_error own = { .struct_size = sizeof own };
    cohort_around around;
    if (timeout_ns > 0)
        pause_by_chance(checking);
    cohort_around_begin(&around, checking, COHORT_SLOT_EVENT_WAIT);
    cohort_status answer =
        checking->base->event_wait(checking->dev, event, timeout_ns, err != NULL ? err : &own);
    cohort_status status = cohort_around_end(&around, answer, err);
    if (held == NULL || status > 0 || answer == COHORT_EAGAIN)
        return status;
    if (held->is_over)
        return status == held->answer ? repeat(held, err) : status;
    held->answer = answer;
    return cohort_checking_ended(checking, held, status, err != NULL ? err : &own);
}

/* The core asks mostly once: here it is asked once more. */
static cohort_status ask_again(cohort_checking *checking, const cohort_held *held,
                               cohort_event *event, cohort_error *err)
{
    cohort_status answer = held != NULL && held->is_over
                               ? checking->base->event_wait(checking->dev, event, 0, NULL)
                               : COHORT_OK;
    if (held == NULL || !held->is_over || answer == held->answer)
        return COHORT_OK;
    return cohort_finding(checking, COHORT_SLOT_EVENT_WAIT, COHORT_CHECKING_ANSWER, err,
                          "answered %d for an event, and %d before", answer, held->answer);
}

static cohort_status release(cohort_dev *dev, cohort_event *event, cohort_error *err)
{
    cohort_checking *checking = cohort_checking_of(dev);
    cohort_held *held = cohort_handles_find(&checking->events, event);
    cohort_status found = ask_again(checking, held, event, err);
    cohort_around around;
    cohort_around_begin(&around, checking, COHORT_SLOT_EVENT_RELEASE);
    cohort_status status =
        checking->base->event_release(checking->dev, event, found < 0 ? NULL : err);
    cohort_handles_drop(&checking->events, held);
    status = cohort_around_end(&around, status, err);
    return status == COHORT_OK ? found : status;
}

/* A device that is COHORT_CAP_SERIALIZE is only asked. */
static cohort_status ask_often(cohort_checking *checking, cohort_event *event)
{
    const struct timespec pause = { .tv_nsec = PAUSE_NS };
    cohort_status status = COHORT_EAGAIN;
    for (int64_t waited = 0; waited < (int64_t)MOST_SLICES * SLICE_NS && status == COHORT_EAGAIN;
         waited += PAUSE_NS) {
        status = checking->base->event_wait(checking->dev, event, 0, NULL);
        if (status == COHORT_EAGAIN)
            (void)nanosleep(&pause, NULL);
    }
    return status;
}

cohort_status cohort_checking_await(cohort_checking *checking, cohort_status status,
                                    cohort_event *event)
{
    cohort_around around;
    if (event == NULL || checking->base->event_wait == NULL || status < 0)
        return status;
    cohort_around_begin(&around, checking, COHORT_SLOT_EVENT_WAIT);
    status = COHORT_EAGAIN;
    if ((checking->device->info->caps & COHORT_CAP_SERIALIZE) != 0)
        status = ask_often(checking, event);
    else
        for (int i = 0; i < MOST_SLICES && status == COHORT_EAGAIN; i++)
            status = checking->base->event_wait(checking->dev, event, SLICE_NS, NULL);
    return cohort_around_end(&around, status == COHORT_EAGAIN ? COHORT_ETIMEDOUT : status, NULL);
}

static cohort_status finish(const cohort_around *around, cohort_status status, cohort_event *event)
{
    cohort_checking *checking = around->checking;
    status = cohort_checking_await(checking, status, event);
    if (event != NULL && status != COHORT_ETIMEDOUT && checking->base->event_release != NULL)
        (void)checking->base->event_release(checking->dev, event, NULL);
    return cohort_around_end(around, status, NULL);
}

cohort_status cohort_checking_get(cohort_checking *checking, cohort_mem *mem, uint64_t offset,
                                  void *into, uint64_t bytes)
{
    cohort_event *event = NULL;
    cohort_around around;
    cohort_around_begin(&around, checking, COHORT_SLOT_READ);
    cohort_status status =
        checking->base->read(checking->dev, NULL, mem, offset, into, bytes, &event, NULL);
    return finish(&around, status, event);
}

cohort_status cohort_checking_put(cohort_checking *checking, cohort_mem *mem, uint64_t offset,
                                  const void *from, uint64_t bytes)
{
    cohort_event *event = NULL;
    cohort_around around;
    cohort_around_begin(&around, checking, COHORT_SLOT_WRITE);
    cohort_status status =
        checking->base->write(checking->dev, NULL, mem, offset, from, bytes, &event, NULL);
    return finish(&around, status, event);
}

void cohort_checking_set_events(cohort_ops *ops)
{
    ops->event_wait = wait_event;
    ops->event_release = release;
}
