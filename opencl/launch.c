/* SPDX-License-Identifier: BSD-3-Clause */
/* One launch: arguments are set, the range is fitted into groups, and the command enqueued. */
#include "config.h"

#include "opencl/launch.h"

#include "opencl/dev.h"
#include "opencl/enqueue.h"
#include "opencl/error.h"
#include "opencl/event.h"
#include "opencl/image.h"
#include "opencl/kernel.h"
#include "opencl/opencl.h"

#include <fenv.h>
#include <string.h>

/* An argument as clSetKernelArg takes it. Local memory of 0 bytes is an error in OpenCL: such an
 * argument has one. */
typedef struct argument {
    size_t bytes;
    const void *value; /* NULL: local memory */
} argument;

static argument argument_of(const cohort_kernel *kernel, cl_uint i, const void *value)
{
    if (kernel->kinds[i] == COHORT_ARG_LOCAL) {
        uint64_t bytes = *(const uint64_t *)value;
        return (argument){ bytes > 0 ? (size_t)bytes : 1, NULL };
    }
    if (kernel->kinds[i] == COHORT_ARG_MEM)
        return (argument){ sizeof(cl_mem), &(*(cohort_mem *const *)value)->cl };
    const void *object = opencl_images_argument(kernel->images, i);
    return object != NULL ? (argument){ sizeof(cl_mem), object }
                          : (argument){ kernel->sizes[i], value };
}

/* Structs larger than that are set at each launch. */
static bool is_noted(const argument *a)
{
    return a->value == NULL || a->bytes <= sizeof(uint64_t[2]);
}

static void note(const argument *a, uint64_t out[2])
{
    out[0] = out[1] = 0;
    if (a->value == NULL)
        out[0] = a->bytes;
    else
        memcpy(out, a->value, a->bytes);
}

/* A kernel keeps its arguments from launch to launch, so those that are the same bytes again are
 * not set: but all of them after a cl_mem was released, since another one may have its address. */
static cohort_status set_arguments(cohort_dev *dev, cohort_kernel *kernel,
                                   const cohort_launch *launch, cohort_error *err)
{
    bool has_all = kernel->released == dev->mems.n_released;
    kernel->released = UINT64_MAX; /* until all are set */
    for (cl_uint i = 0; i < kernel->n_args; i++) {
        argument a = argument_of(kernel, i, launch->argv[i]);
        uint64_t now[2];
        if (is_noted(&a)) {
            note(&a, now);
            if (has_all && memcmp(now, kernel->last[i], sizeof now) == 0)
                continue;
            memcpy(kernel->last[i], now, sizeof now);
        }
        cl_int code = clSetKernelArg(kernel->cl, i, a.bytes, a.value);
        if (code != CL_SUCCESS)
            return opencl_dev_fail(dev, err, code, "%s: argument %u", kernel->name, i);
    }
    kernel->released = dev->mems.n_released;
    return COHORT_OK;
}

/* What the kernel declares itself counts too. Too much is refused before the driver sees it, in a
 * sentence that has the numbers. */
static cohort_status check_local_memory(const cohort_kernel *kernel, const cohort_launch *launch,
                                        cohort_error *err)
{
    uint64_t bytes = kernel->own_local_bytes;
    for (uint32_t i = 0; i < kernel->n_args; i++) {
        uint64_t more =
            kernel->kinds[i] == COHORT_ARG_LOCAL ? *(const uint64_t *)launch->argv[i] : 0;
        if (bytes > kernel->most_local_bytes || more > kernel->most_local_bytes - bytes)
            return cohort_fail(err, COHORT_EINVAL, 0,
                               "%s: %llu bytes of local memory and more; this device has %llu",
                               kernel->name,
                               (unsigned long long)(bytes + (more < UINT64_MAX - bytes ? more : 0)),
                               (unsigned long long)kernel->most_local_bytes);
        bytes += more;
    }
    return COHORT_OK;
}

/* Some drivers run kernels on the calling thread, which may be in any floating-point state: bits
 * must not depend on that, so it is the default one for the time of the call. */
cohort_status opencl_launch_range(cohort_dev *dev, cl_kernel kernel, const char *name,
                                  const struct opencl_geometry *geometry, cohort_event **out_event,
                                  cohort_error *err)
{
    cohort_event *event = opencl_events_take(&dev->events);
    if (event == NULL)
        return cohort_fail(err, COHORT_ENOMEM, 0, "%s: no memory for an event", name);
    fenv_t callers;
    (void)fegetenv(&callers);
    (void)fesetenv(FE_DFL_ENV);
    cl_int code = clEnqueueNDRangeKernel(
        dev->queue, kernel, geometry->dims, geometry->offset, geometry->global,
        geometry->is_local_chosen ? geometry->local : NULL, 0, NULL, opencl_events_slot(event));
    cohort_status st = opencl_event_started(dev, event, code, name, out_event, err);
    (void)fesetenv(&callers);
    return st;
}

/* The launch is over when what was written is back in its memory. */
static cohort_status launch_with_images(cohort_dev *dev, cohort_kernel *kernel,
                                        const cohort_launch *launch,
                                        const struct opencl_geometry *geometry,
                                        cohort_event **out_event, cohort_error *err)
{
    cohort_event *event = NULL;
    cohort_status st = opencl_launch_range(dev, kernel->cl, kernel->name, geometry, &event, err);
    if (st == COHORT_OK)
        st = opencl_images_end(dev, kernel->images, launch, kernel->name, err);
    if (st == COHORT_OK && !opencl_images_is_written(kernel->images)) {
        *out_event = event;
        return COHORT_OK;
    }
    if (event != NULL)
        (void)opencl_event_release(dev, event, NULL);
    return st == COHORT_OK ? opencl_event_mark(dev, kernel->name, out_event, err) : st;
}

static cohort_status launch_kernel(cohort_dev *dev, cohort_kernel *kernel,
                                   const cohort_launch *launch, cohort_event **out_event,
                                   cohort_error *err)
{
    struct opencl_geometry geometry;
    cohort_status st = opencl_geometry_choose(&kernel->limits, &launch->range, &geometry, err);
    if (st < 0 || geometry.is_empty)
        return st;
    if (cohort_launch_is_offset(launch))
        st = opencl_geometry_shift(launch->offset, &geometry, err);
    if (st == COHORT_OK)
        st = check_local_memory(kernel, launch, err);
    if (st == COHORT_OK)
        st = opencl_images_begin(dev, kernel->images, launch, kernel->name, err);
    if (st == COHORT_OK)
        st = set_arguments(dev, kernel, launch, err);
    if (st == COHORT_OK)
        st = kernel->images != NULL
                 ? launch_with_images(dev, kernel, launch, &geometry, out_event, err)
                 : opencl_launch_range(dev, kernel->cl, kernel->name, &geometry, out_event, err);
    opencl_images_let_go(dev, kernel->images);
    return st;
}

cohort_status opencl_launch(cohort_dev *dev, cohort_queue *queue, cohort_kernel *kernel,
                            const cohort_launch *launch, cohort_event **out_event,
                            cohort_error *err)
{
    (void)queue;
    if (launch->nargs != kernel->n_args)
        return cohort_fail(err, COHORT_EINVAL, 0, "%s: %u arguments, the kernel takes %u",
                           kernel->name, launch->nargs, kernel->n_args);
    return kernel->fn != NULL ? opencl_enqueue_call(dev, kernel, launch, out_event, err)
                              : launch_kernel(dev, kernel, launch, out_event, err);
}
