/* SPDX-License-Identifier: BSD-3-Clause */
/* write, read, copy, fill and map: enqueued, never waited for. Nothing is enqueued for 0 bytes,
 * which some drivers refuse. */
#include "config.h"

#include "opencl/dev.h"
#include "opencl/error.h"
#include "opencl/event.h"
#include "opencl/opencl.h"

static cohort_status no_event(cohort_error *err)
{
    return cohort_fail(err, COHORT_ENOMEM, 0, "no memory for an event");
}

cohort_status opencl_write(cohort_dev *dev, cohort_queue *queue, cohort_mem *mem, uint64_t offset,
                           const void *from, uint64_t bytes, cohort_event **out_event,
                           cohort_error *err)
{
    (void)queue;
    cohort_event *event = bytes > 0 ? opencl_events_take(&dev->events) : NULL;
    if (event == NULL)
        return bytes > 0 ? no_event(err) : COHORT_OK;
    cl_int code = clEnqueueWriteBuffer(dev->queue, mem->cl, CL_FALSE, (size_t)offset, (size_t)bytes,
                                       from, 0, NULL, opencl_events_slot(event));
    return opencl_event_started(dev, event, code, "writing", out_event, err);
}

cohort_status opencl_read(cohort_dev *dev, cohort_queue *queue, cohort_mem *mem, uint64_t offset,
                          void *into, uint64_t bytes, cohort_event **out_event, cohort_error *err)
{
    (void)queue;
    cohort_event *event = bytes > 0 ? opencl_events_take(&dev->events) : NULL;
    if (event == NULL)
        return bytes > 0 ? no_event(err) : COHORT_OK;
    cl_int code = clEnqueueReadBuffer(dev->queue, mem->cl, CL_FALSE, (size_t)offset, (size_t)bytes,
                                      into, 0, NULL, opencl_events_slot(event));
    return opencl_event_started(dev, event, code, "reading", out_event, err);
}

cohort_status opencl_copy(cohort_dev *dev, cohort_queue *queue, cohort_mem *dst,
                          uint64_t dst_offset, cohort_mem *src, uint64_t src_offset, uint64_t bytes,
                          cohort_event **out_event, cohort_error *err)
{
    (void)queue;
    cohort_event *event = bytes > 0 ? opencl_events_take(&dev->events) : NULL;
    if (event == NULL)
        return bytes > 0 ? no_event(err) : COHORT_OK;
    cl_int code =
        clEnqueueCopyBuffer(dev->queue, src->cl, dst->cl, (size_t)src_offset, (size_t)dst_offset,
                            (size_t)bytes, 0, NULL, opencl_events_slot(event));
    return opencl_event_started(dev, event, code, "copying", out_event, err);
}

/* OpenCL's patterns have 1, 2, 4 ... 128 bytes, and fill whole. */
static bool is_pattern(uint64_t bytes, uint32_t pattern_bytes)
{
    return pattern_bytes > 0 && pattern_bytes <= 128 &&
           (pattern_bytes & (pattern_bytes - 1)) == 0 && bytes % pattern_bytes == 0;
}

cohort_status opencl_fill(cohort_dev *dev, cohort_queue *queue, cohort_mem *mem, uint64_t offset,
                          uint64_t bytes, const void *pattern, uint32_t pattern_bytes,
                          cohort_event **out_event, cohort_error *err)
{
    (void)queue;
    if (!is_pattern(bytes, pattern_bytes))
        return cohort_fail(err, COHORT_ENOTSUP, 0,
                           "a pattern of %u bytes; OpenCL takes powers of two", pattern_bytes);
    cohort_event *event = bytes > 0 ? opencl_events_take(&dev->events) : NULL;
    if (event == NULL)
        return bytes > 0 ? no_event(err) : COHORT_OK;
    cl_int code = clEnqueueFillBuffer(dev->queue, mem->cl, pattern, pattern_bytes, (size_t)offset,
                                      (size_t)bytes, 0, NULL, opencl_events_slot(event));
    return opencl_event_started(dev, event, code, "filling", out_event, err);
}

static cl_map_flags map_flags(uint32_t dir)
{
    return ((dir & COHORT_READ) != 0 ? CL_MAP_READ : 0) |
           ((dir & COHORT_WRITE) != 0 ? CL_MAP_WRITE : 0);
}

cohort_status opencl_mem_map(cohort_dev *dev, cohort_queue *queue, cohort_mem *mem, uint64_t offset,
                             uint64_t bytes, uint32_t dir, void **out_ptr, cohort_event **out_event,
                             cohort_error *err)
{
    (void)queue;
    if (bytes == 0)
        return cohort_fail(err, COHORT_ENOTSUP, 0, "0 bytes are not mapped");
    cohort_event *event = opencl_events_take(&dev->events);
    if (event == NULL)
        return no_event(err);
    cl_int code = CL_SUCCESS;
    *out_ptr = clEnqueueMapBuffer(dev->queue, mem->cl, CL_FALSE, map_flags(dir), (size_t)offset,
                                  (size_t)bytes, 0, NULL, opencl_events_slot(event), &code);
    return opencl_event_started(dev, event, code, "mapping", out_event, err);
}

cohort_status opencl_mem_unmap(cohort_dev *dev, cohort_queue *queue, cohort_mem *mem, void *ptr,
                               cohort_event **out_event, cohort_error *err)
{
    (void)queue;
    cohort_event *event = opencl_events_take(&dev->events);
    if (event == NULL)
        return no_event(err);
    cl_int code =
        clEnqueueUnmapMemObject(dev->queue, mem->cl, ptr, 0, NULL, opencl_events_slot(event));
    return opencl_event_started(dev, event, code, "unmapping", out_event, err);
}
