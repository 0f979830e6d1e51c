/* SPDX-License-Identifier: BSD-3-Clause */
/* Opening and closing a device of a strategy, its kernels, and its end.
 *
 * Each function puts one question to the plugin (question.h), on the runner of the device's lane.
 * What the plugin hands out goes to a local variable first, and to the context or the caller after
 * the answer was judged: cohort_question_answer does not return on a runner whose device was given
 * up meanwhile, and other threads may be looking at the context by then. */
#include "config.h"

#include "runtime/executor/context.h"

#include <cohort/array.h>

#include "runtime/base/limits.h"
#include "runtime/base/log.h"
#include "runtime/base/memory.h"
#include "runtime/base/thread.h"
#include "runtime/base/utf8.h"
#include "runtime/executor/question.h"
#include "runtime/plugin/errand.h"
#include "runtime/plugin/gate.h"
#include "runtime/plugin/info.h"

#include <string.h>

/* plugin.h promises one caller at a time for opening and closing over all devices of a plugin. The
 * deadline runs while a runner waits for the lock. A runner whose device was declared lost
 * meanwhile must not call the plugin any more: it lets the lock go and ends in
 * cohort_question_answer, for which the status has no meaning. */
static void begin_alone(cohort_question *q)
{
    cohort_context *o = q->context;
    pthread_mutex_lock(o->device->loaded->alone);
    if (!cohort_lane_is_lost(o->lane))
        return;
    pthread_mutex_unlock(o->device->loaded->alone);
    (void)cohort_question_answer(q, COHORT_ETIMEDOUT);
}

static void end_alone(const cohort_question *q)
{
    pthread_mutex_unlock(q->context->device->loaded->alone);
}

cohort_status cohort_context_open(cohort_context *context)
{
    const cohort_device *d = context->device;
    cohort_question q;
    cohort_status status =
        cohort_question_ask(&q, context, COHORT_SLOT_OPEN, COHORT_SETTING_TIMEOUT_OPEN, 0);
    if (status < 0)
        return status;
    cohort_dev *dev = NULL;
    begin_alone(&q);
    status = context->ops->device_open(context->self, d->index, d->part, d->parts, &dev, &q.error);
    end_alone(&q);
    status = cohort_question_answer(&q, status);
    if (status >= 0 && dev == NULL)
        status = cohort_question_refuse(&q, "a device, or an error", "COHORT_OK without a device");
    if (status >= 0) /* else others may look at it: the device is lost, or was never open */
        context->dev = dev;
    return status;
}

cohort_status cohort_context_close(cohort_context *context)
{
    if (context->dev == NULL)
        return COHORT_OK;
    cohort_question q;
    cohort_status status =
        cohort_question_ask(&q, context, COHORT_SLOT_CLOSE, COHORT_SETTING_TIMEOUT_OPEN, 0);
    if (status < 0)
        return status;
    begin_alone(&q);
    status = context->ops->device_close(context->dev, &q.error);
    end_alone(&q);
    status = cohort_question_answer(&q, status);
    /* plugin.h: the device is gone whatever was answered. Only of a lost one the pointer stays, for
     * cohort_context_abandon. */
    if (!cohort_lane_is_lost(context->lane))
        context->dev = NULL;
    return status;
}

cohort_status cohort_context_ask_peer(cohort_context *context, cohort_context *peer, bool *out_yes)
{
    *out_yes = context == peer;
    bool is_same_plugin = context->device->loaded == peer->device->loaded;
    if (context == peer || !is_same_plugin || context->ops->can_access_peer == NULL)
        return COHORT_OK;
    cohort_question q;
    uint32_t yes = 0;
    cohort_status status =
        cohort_question_ask(&q, context, COHORT_SLOT_ASK_PEER, COHORT_SETTING_TIMEOUT_OPEN, 0);
    if (status < 0)
        return status;
    status = cohort_question_answer(
        &q, context->ops->can_access_peer(context->dev, peer->dev, &yes, &q.error));
    if (status >= 0 && yes > 1)
        return cohort_question_refuse(&q, "0 or 1", "%u", yes);
    *out_yes = status >= 0 && yes != 0;
    return cohort_slot_is_left(COHORT_SLOT_ASK_PEER, status) ? COHORT_OK : status;
}

void cohort_context_attach(cohort_context *context, int32_t caller_cpu)
{
    if (context->dev == NULL || context->ops->worker_attach == NULL)
        return;
    cohort_question q;
    cohort_status status =
        cohort_question_ask(&q, context, COHORT_SLOT_ATTACH, COHORT_SETTING_TIMEOUT_OPEN, 0);
    if (status >= 0)
        status = cohort_question_answer(
            &q, context->ops->worker_attach(context->dev, caller_cpu, &q.error));
    if (status < 0 && !cohort_slot_is_left(COHORT_SLOT_ATTACH, status))
        cohort_log(COHORT_SUBSYSTEM_EXECUTOR, COHORT_LOG_WARNING, "%s",
                   cohort_error_slot()); /* it runs unpinned */
}

/* ------------------------------------------------------------------ kernels */

cohort_status cohort_context_build(cohort_context *context, const cohort_code *code,
                                   const char *entry, const cohort_sig *sig,
                                   cohort_kernel **out_kernel)
{
    cohort_question q;
    cohort_kernel *kernel = NULL;
    *out_kernel = NULL;
    cohort_dtype unknown = cohort_info_unknown_dtype(context->device->info, sig);
    if (unknown != COHORT_VOID)
        return cohort_error_set(COHORT_EINCOMPATIBLE,
                                "%s does not know %s, which the prototype has", context->device->id,
                                cohort_dtype_name(unknown));
    cohort_status status =
        cohort_question_ask(&q, context, COHORT_SLOT_BUILD, COHORT_SETTING_TIMEOUT_BUILD, 0);
    if (status < 0)
        return status;
    status = cohort_question_answer(
        &q, context->ops->kernel_create(context->dev, code, entry, sig, &kernel, &q.error));
    if (status >= 0 && kernel == NULL)
        return cohort_question_refuse(&q, "a kernel, or an error", "COHORT_OK without a kernel");
    *out_kernel = status >= 0 ? kernel : NULL;
    cohort_account_add(&context->account.builds, status >= 0);
    return status;
}

cohort_status cohort_context_unbuild(cohort_context *context, cohort_kernel *kernel)
{
    if (kernel == NULL)
        return COHORT_OK;
    cohort_question q;
    cohort_status status =
        cohort_question_ask(&q, context, COHORT_SLOT_UNBUILD, COHORT_SETTING_TIMEOUT_BUILD, 0);
    if (status < 0)
        return status;
    return cohort_question_answer(&q, context->ops->kernel_destroy(context->dev, kernel, &q.error));
}

/* With events the call only enqueues, and the deadline that counts is that of the event. Without,
 * the call is the run itself, which has no deadline unless COHORT_TIMEOUT_LAUNCH is set. */
cohort_status cohort_context_launch(cohort_context *context, cohort_kernel *kernel,
                                    const cohort_launch *launch, cohort_pending *pending)
{
    cohort_question q;
    cohort_event *event = NULL;
    bool has_events = context->ops->event_wait != NULL;
    cohort_status status = cohort_question_ask(
        &q, context, COHORT_SLOT_LAUNCH,
        has_events ? COHORT_SETTING_TIMEOUT_EVENT : COHORT_SETTING_TIMEOUT_LAUNCH, 0);
    if (status < 0)
        return status;
    status = context->ops->launch(context->dev, NULL, kernel, launch, &event, &q.error);
    cohort_account_add(&context->account.launches, status == COHORT_OK);
    return cohort_question_answer_event(&q, status, event, pending);
}

bool cohort_context_takes_batches(const cohort_context *context)
{
    return cohort_context_has(context, COHORT_CAP_PROMPT) && context->ops->launch_batch != NULL;
}

cohort_status cohort_context_launch_batch(cohort_context *context, cohort_kernel *kernel,
                                          const cohort_launch launches[], uint32_t n,
                                          volatile uint32_t *done)
{
    cohort_question q;
    cohort_status status = cohort_question_ask(&q, context, COHORT_SLOT_LAUNCH_BATCH,
                                               COHORT_SETTING_TIMEOUT_LAUNCH, 0);
    if (status < 0)
        return status;
    status = context->ops->launch_batch(context->dev, NULL, kernel, launches, n, done, &q.error);
    status = cohort_question_answer(&q, status);
    uint32_t complete = *done;
    cohort_account_add(&context->account.launches, complete);
    if (cohort_lane_is_lost(context->lane) || (status < 0 ? complete < n : complete == n))
        return status;
    return cohort_question_refuse(&q, status < 0 ? "fewer than it was given" : "all of them",
                                  "%s with %u of %u launches complete", cohort_status_name(status),
                                  complete, n);
}

cohort_status cohort_context_reduce(cohort_context *context, const cohort_reduction *reduction)
{
    if (context->ops->reduce == NULL ||
        !cohort_info_has_reduction(context->device->info, reduction->op, reduction->type))
        return COHORT_ENOTSUP;
    cohort_question q;
    cohort_event *event = NULL;
    uint64_t bytes = reduction->count * (uint64_t)cohort_dtype_bytes((cohort_dtype)reduction->type);
    cohort_status status =
        cohort_question_ask(&q, context, COHORT_SLOT_REDUCE, COHORT_SETTING_TIMEOUT_COPY,
                            cohort_context_transfer_ns(bytes * reduction->nterms));
    if (status < 0)
        return status;
    status = context->ops->reduce(context->dev, NULL, reduction, &event, &q.error);
    cohort_account_add(&context->account.reductions, status == COHORT_OK);
    return cohort_question_answer_event(&q, status, event, NULL);
}

/* Ask how many bytes there are, then for the bytes: two calls, but one question with one deadline.
 * The first answer is not believed: a size above what the cache keeps allocates nothing. *block:
 * NULL, or what to free. */
static cohort_status ask_binary(cohort_question *q, cohort_kernel *kernel, const char **format,
                                void **block, uint64_t *room, uint64_t *bytes)
{
    const cohort_context *o = q->context;
    cohort_status status = o->ops->kernel_binary(o->dev, kernel, format, NULL, 0, room, &q->error);
    if (status != COHORT_OK || *room == 0 || *room > COHORT_LIMIT_CACHE_BLOCK_BYTES)
        return status;
    *block = cohort_allocate(*room, 1);
    if (*block == NULL)
        return cohort_fail(&q->error, COHORT_ENOMEM, 0, "no memory for %llu bytes",
                           (unsigned long long)*room);
    return o->ops->kernel_binary(o->dev, kernel, format, *block, *room, bytes, &q->error);
}

static cohort_status check_binary(cohort_question *q, const char *format, uint64_t room,
                                  uint64_t bytes)
{
    enum { MAX_FORMAT_BYTES = 64 };
    if (bytes > room)
        return cohort_question_refuse(q, "no more than fits", "%llu bytes, with room for %llu",
                                      (unsigned long long)bytes, (unsigned long long)room);
    if (room == 0 || bytes == 0 || room > COHORT_LIMIT_CACHE_BLOCK_BYTES)
        return COHORT_ENOTSUP; /* nothing that could be kept */
    if (format == NULL || !cohort_utf8_is_printable(format, MAX_FORMAT_BYTES))
        return cohort_question_refuse(q, "the name of a format", "a format that is %s",
                                      format == NULL ? "NULL" : "no printable text");
    return COHORT_OK;
}

cohort_status cohort_context_binary(cohort_context *context, cohort_kernel *kernel,
                                    const char **out_format, void **out_block, uint64_t *out_bytes)
{
    cohort_question q;
    uint64_t room = 0;
    *out_format = NULL;
    *out_block = NULL;
    *out_bytes = 0;
    if (context->ops->kernel_binary == NULL)
        return COHORT_ENOTSUP;
    cohort_status status =
        cohort_question_ask(&q, context, COHORT_SLOT_BINARY, COHORT_SETTING_TIMEOUT_BUILD, 0);
    if (status < 0)
        return status;
    status = ask_binary(&q, kernel, out_format, out_block, &room, out_bytes);
    status = cohort_question_answer(&q, status);
    if (status >= 0)
        status = check_binary(&q, *out_format, room, *out_bytes);
    if (status < 0) {
        cohort_free(*out_block);
        *out_block = NULL;
    }
    return status;
}

/* ------------------------------------------------------------------ the end */

typedef struct farewell {
    cohort_errand errand;
    cohort_status (*abandon)(cohort_dev *dev, cohort_error *err);
    cohort_dev *dev;
} farewell;

static void say_farewell(cohort_errand *errand)
{
    farewell *f = (farewell *)errand;
    /* whatever it answers, nothing of the device is called after it */
    (void)f->abandon(f->dev, NULL);
}

static void send_farewell(const cohort_context *context)
{
    farewell *f = cohort_errand_create(sizeof *f, say_farewell);
    if (f == NULL)
        return;
    f->abandon = context->ops->device_abandon;
    f->dev = context->dev;
    cohort_errand_send(&f->errand);
}

/* Nothing of the device is freed, here or later: the operation that was late may still be under way
 * and use it. A plugin whose gate is shut is not called even for this. */
void cohort_context_abandon(cohort_context *context, const char *why)
{
    if (context->is_abandoned)
        return;
    context->is_abandoned = true;
    if (context->dev != NULL && context->ops->device_abandon != NULL &&
        !cohort_gate_is_shut(context->device->loaded))
        send_farewell(context);
    cohort_log(COHORT_SUBSYSTEM_EXECUTOR, COHORT_LOG_WARNING,
               "%s is lost; what it holds is not freed: %s", context->device->id, why);
}
