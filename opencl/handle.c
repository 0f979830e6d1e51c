/* SPDX-License-Identifier: BSD-3-Clause */
/* The extension "cohort.handle/0": OpenCL's own objects, by the names of their types. */
#include "config.h"

#include "opencl/dev.h"
#include "opencl/opencl.h"

#include <string.h>

static cohort_status of_device(cohort_dev *dev, const char *what, void **out, cohort_error *err)
{
    const struct {
        const char *name;
        void *object;
    } objects[] = { { "cl_platform_id", dev->found->platform },
                    { "cl_device_id", dev->device },
                    { "cl_context", dev->context },
                    { "cl_command_queue", dev->queue } };
    for (size_t i = 0; i < sizeof objects / sizeof *objects; i++)
        if (strcmp(objects[i].name, what) == 0) {
            *out = objects[i].object;
            return COHORT_OK;
        }
    return cohort_fail(
        err, COHORT_ENOENT, 0,
        "no '%s'; an OpenCL device has cl_platform_id cl_device_id cl_context cl_command_queue",
        what);
}

static cohort_status of_mem(cohort_dev *dev, cohort_mem *mem, const char *what, void **out,
                            cohort_error *err)
{
    (void)dev;
    if (strcmp(what, "cl_mem") != 0)
        return cohort_fail(err, COHORT_ENOENT, 0, "no '%s'; OpenCL memory has cl_mem", what);
    *out = mem->cl;
    return COHORT_OK;
}

const cohort_handle_ops opencl_handle_ops = {
    .struct_size = sizeof opencl_handle_ops,
    .of_device = of_device,
    .of_mem = of_mem,
};
