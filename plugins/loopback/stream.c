/* SPDX-License-Identifier: BSD-3-Clause */
/* The stream plugin: the operations of loopback, enqueued in the call and done by a thread. */
#include "config.h"

#include "plugins/loopback/queue.h"

#include <string.h>

const cohort_host *host_table;
const char device_name[] = "stream";

static cohort_status stream_device_open(void *self, uint32_t index, uint32_t part, uint32_t parts,
                                        cohort_dev **out_dev, cohort_error *err)
{
    cohort_status st = loopback_device_open(self, index, part, parts, out_dev, err);
    if (st < 0)
        return st;
    st = queue_start(*out_dev, &(*out_dev)->queue, err);
    if (st < 0) {
        (void)loopback_device_close(*out_dev, NULL);
        *out_dev = NULL;
    }
    return st;
}

static cohort_status stream_device_close(cohort_dev *dev, cohort_error *err)
{
    queue_stop(dev->queue);
    return loopback_device_close(dev, err);
}

/* Count it, and take an operation for it; NULL, and why, when there is none. */
static cohort_event *begin(cohort_dev *dev, cohort_loopback_op op, operation_fn run,
                           cohort_status *out_status, cohort_error *err)
{
    *out_status = steering_begin(dev->part, op, NULL, err);
    cohort_event *operation = *out_status == COHORT_OK ? queue_take(dev->queue) : NULL;
    if (operation != NULL)
        operation->run = run;
    else if (*out_status == COHORT_OK)
        *out_status = cohort_fail(err, COHORT_ENOMEM, 0, "no memory for an operation");
    return operation;
}

/* From here on the operation is the event, and the core's as well. */
static cohort_status put(cohort_dev *dev, cohort_event *operation, cohort_event **out_event)
{
    queue_put(dev->queue, operation);
    *out_event = operation;
    return COHORT_OK;
}

static cohort_status stream_write(cohort_dev *dev, cohort_queue *queue, cohort_mem *mem,
                                  uint64_t offset, const void *from, uint64_t bytes,
                                  cohort_event **out_event, cohort_error *err)
{
    (void)queue;
    cohort_status st;
    cohort_event *o = begin(dev, COHORT_LOOPBACK_ENQUEUE_WRITE, operation_write, &st, err);
    if (o == NULL)
        return st;
    o->mem = mem;
    o->offset = offset;
    o->host = (void *)(uintptr_t)from; /* a write only reads it */
    o->bytes = bytes;
    return put(dev, o, out_event);
}

static cohort_status stream_read(cohort_dev *dev, cohort_queue *queue, cohort_mem *mem,
                                 uint64_t offset, void *into, uint64_t bytes,
                                 cohort_event **out_event, cohort_error *err)
{
    (void)queue;
    cohort_status st;
    cohort_event *o = begin(dev, COHORT_LOOPBACK_ENQUEUE_READ, operation_read, &st, err);
    if (o == NULL)
        return st;
    o->mem = mem;
    o->offset = offset;
    o->host = into;
    o->bytes = bytes;
    return put(dev, o, out_event);
}

static cohort_status stream_copy(cohort_dev *dev, cohort_queue *queue, cohort_mem *dst,
                                 uint64_t dst_offset, cohort_mem *src, uint64_t src_offset,
                                 uint64_t bytes, cohort_event **out_event, cohort_error *err)
{
    (void)queue;
    cohort_status st;
    cohort_event *o = begin(dev, COHORT_LOOPBACK_ENQUEUE_COPY, operation_copy, &st, err);
    if (o == NULL)
        return st;
    o->mem = dst;
    o->offset = dst_offset;
    o->src = src;
    o->src_offset = src_offset;
    o->bytes = bytes;
    return put(dev, o, out_event);
}

static cohort_status stream_fill(cohort_dev *dev, cohort_queue *queue, cohort_mem *mem,
                                 uint64_t offset, uint64_t bytes, const void *pattern,
                                 uint32_t pattern_bytes, cohort_event **out_event,
                                 cohort_error *err)
{
    (void)queue;
    cohort_status st;
    cohort_event *o = begin(dev, COHORT_LOOPBACK_ENQUEUE_FILL, operation_fill, &st, err);
    if (o == NULL)
        return st;
    o->mem = mem;
    o->offset = offset;
    o->bytes = bytes;
    o->pattern_bytes = pattern_bytes; /* one that is too long is refused when it is done */
    memcpy(o->pattern, pattern, pattern_bytes < PATTERN_BYTES ? pattern_bytes : PATTERN_BYTES);
    return put(dev, o, out_event);
}

static cohort_status stream_launch(cohort_dev *dev, cohort_queue *queue, cohort_kernel *kernel,
                                   const cohort_launch *launch, cohort_event **out_event,
                                   cohort_error *err)
{
    (void)queue;
    cohort_status st;
    cohort_event *o = begin(dev, COHORT_LOOPBACK_ENQUEUE_LAUNCH, operation_launch, &st, err);
    if (o == NULL)
        return st;
    st = operation_capture(o, kernel, launch, err);
    if (st == COHORT_OK)
        return put(dev, o, out_event);
    queue_drop(dev->queue, o);
    return st;
}

/* Wait, as the rules say. A rule that fails lets the operation end first, for its memory is in use
 * before; one that says EAGAIN or ELOST answers at once, since neither claims that the operation
 * has ended. */
static cohort_status stream_event_wait(cohort_dev *dev, cohort_event *event, uint64_t timeout_ns,
                                       cohort_error *err)
{
    cohort_status told = steering_begin(dev->part, COHORT_LOOPBACK_EVENT_WAIT, NULL, err);
    if (told == COHORT_EAGAIN || told == COHORT_ELOST)
        return told;
    cohort_status st = queue_wait(dev->queue, event, timeout_ns, err);
    return told < 0 && st != COHORT_EAGAIN ? told : st;
}

static cohort_status stream_event_release(cohort_dev *dev, cohort_event *event, cohort_error *err)
{
    cohort_status st = steering_begin(dev->part, COHORT_LOOPBACK_EVENT_RELEASE, NULL, err);
    queue_release(dev->queue, event);
    return st;
}

static cohort_status stream_event_time(cohort_dev *dev, cohort_event *event, uint64_t *out_start_ns,
                                       uint64_t *out_end_ns, cohort_error *err)
{
    cohort_status st = queue_time(dev->queue, event, out_start_ns, out_end_ns);
    return st < 0 ? cohort_fail(err, st, 0, "the operation is not done") : st;
}

static const cohort_ops ops = {
    .struct_size = sizeof(cohort_ops),
    .enumerate = loopback_enumerate,
    .device_open = stream_device_open,
    .device_close = stream_device_close,
    .mem_alloc = loopback_mem_alloc,
    .mem_free = loopback_mem_free,
    .write = stream_write,
    .read = stream_read,
    .kernel_create = loopback_kernel_create,
    .kernel_destroy = loopback_kernel_destroy,
    .launch = stream_launch,
    .event_wait = stream_event_wait,
    .event_release = stream_event_release,
    .event_time = stream_event_time,
    .copy = stream_copy,
    .fill = stream_fill,
};

static const void *extension(void *self, const char *name)
{
    (void)self;
    return strcmp(name, COHORT_STREAM) == 0 ? &steering_table : NULL;
}

COHORT_PLUGIN("stream", PACKAGE_VERSION, "Cohort", NULL, &ops, extension, host_table)
