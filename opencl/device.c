/* SPDX-License-Identifier: BSD-3-Clause */
/* Opening devices and parts of them.
 *
 * Each opened device has a context and a queue of its own, so that parts and strategies share no
 * object of the driver. The driver calls back on threads of its own, with the address of the
 * device: its memory stays as long as such a call may come. */
#include "config.h"

#include "opencl/dev.h"
#include "opencl/error.h"
#include "opencl/found.h"
#include "opencl/opencl.h"
#include "opencl/part.h"
#include "opencl/query.h"
#include "opencl/reduce.h"

#include <stdlib.h>

/* ---- Opening. */

/* A callback that the driver still owes would come back to the device: then its memory stays. */
static void release(cohort_dev *dev)
{
    bool is_quiet = opencl_events_fini(&dev->events);
    opencl_reduce_fini(dev);
    if (dev->queue != NULL)
        (void)clReleaseCommandQueue(dev->queue);
    if (dev->context != NULL)
        (void)clReleaseContext(dev->context);
    opencl_mems_fini(&dev->mems);
    if (!is_quiet)
        return;
    (void)pthread_mutex_destroy(&dev->notes_lock);
    free(dev);
}

/* In the order in which release can undo a part of it: what was not made is NULL. */
static cl_int acquire(cohort_dev *dev, uint32_t part, uint32_t parts)
{
    cl_context_properties platform[] = { CL_CONTEXT_PLATFORM,
                                         (cl_context_properties)dev->found->platform, 0 };
    cl_int code = opencl_part(dev->found, part, parts, &dev->device);
    if (code == CL_SUCCESS)
        dev->context = clCreateContext(platform, 1, &dev->device, opencl_dev_note, dev, &code);
    if (code == CL_SUCCESS)
        dev->queue = clCreateCommandQueue(dev->context, dev->device, 0, &code);
    return code;
}

static cohort_dev *dev_new(struct opencl_found *found)
{
    cohort_dev *dev = calloc(1, sizeof *dev);
    if (dev == NULL)
        return NULL;
    dev->found = found;
    if (pthread_mutex_init(&dev->notes_lock, NULL) != 0 || !opencl_events_init(&dev->events)) {
        free(dev);
        return NULL;
    }
    return dev;
}

cohort_status opencl_device_open(void *self, uint32_t index, uint32_t part, uint32_t parts,
                                 cohort_dev **out_dev, cohort_error *err)
{
    (void)self;
    struct opencl_found *found = opencl_found_at(index);
    if (found == NULL)
        return cohort_fail(err, COHORT_ENODEV, 0, "no device opencl:%u", index);
    if (part >= parts || parts > found->info.max_parts)
        return cohort_fail(err, COHORT_EINVAL, 0, "opencl:%u: part %u of %u; at most %u parts",
                           index, part, parts, found->info.max_parts);
    cohort_dev *dev = dev_new(found);
    if (dev == NULL)
        return cohort_fail(err, COHORT_ENOMEM, 0, "no memory for a device");
    cl_int code = acquire(dev, part, parts);
    if (code != CL_SUCCESS) {
        cohort_status st = opencl_dev_fail(dev, err, code, "opening part %u of %u", part, parts);
        release(dev);
        return st;
    }
    *out_dev = dev;
    return COHORT_OK;
}

cohort_status opencl_device_close(cohort_dev *dev, cohort_error *err)
{
    (void)err;
    (void)clFinish(dev->queue);
    release(dev);
    return COHORT_OK;
}

/* OpenCL has no way to break a command; what it holds is left to the end of the process. */
cohort_status opencl_device_abandon(cohort_dev *dev, cohort_error *err)
{
    (void)dev;
    (void)err;
    return COHORT_OK;
}

/* ---- Texts. */

static const struct query {
    const char *key;
    cl_uint what;
    bool is_of_platform;
} queries[] = {
    { "name", CL_DEVICE_NAME, false },
    { "vendor", CL_DEVICE_VENDOR, false },
    { "version", CL_DEVICE_VERSION, false },
    { "driver", CL_DRIVER_VERSION, false },
    { "language", CL_DEVICE_OPENCL_C_VERSION, false },
    { "extensions", CL_DEVICE_EXTENSIONS, false },
    { "platform", CL_PLATFORM_NAME, true },
    { "platform version", CL_PLATFORM_VERSION, true },
};

cohort_status opencl_query(cohort_dev *dev, const char *key, char *out_text, uint64_t size,
                           cohort_error *err)
{
    for (size_t i = 0; i < sizeof queries / sizeof *queries; i++)
        if (strcmp(queries[i].key, key) == 0) {
            opencl_text answer = queries[i].is_of_platform
                                     ? opencl_platform_text(dev->found->platform, queries[i].what)
                                     : opencl_device_text(dev->device, queries[i].what);
            (void)snprintf(out_text, (size_t)size, "%s", answer.text);
            return COHORT_OK;
        }
    return cohort_fail(err, COHORT_ENOENT, 0, "opencl:%u: no text '%s'", dev->found->index, key);
}
