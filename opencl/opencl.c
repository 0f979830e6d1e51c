/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of the plugin, and the extensions that it has. */
#include "config.h"

#include "opencl/opencl.h"

#include "opencl/unused.h"

#include <string.h>

const cohort_host *opencl_host;

static const cohort_ops ops = {
    .struct_size = sizeof(cohort_ops),
    .enumerate = opencl_enumerate,
    .device_open = opencl_device_open,
    .device_close = opencl_device_close,
    .mem_alloc = opencl_mem_alloc,
    .mem_free = opencl_mem_free,
    .write = opencl_write,
    .read = opencl_read,
    .kernel_create = opencl_kernel_create,
    .kernel_destroy = opencl_kernel_destroy,
    .launch = opencl_launch,
    .event_wait = opencl_event_wait,
    .event_release = opencl_event_release,
    .event_notify = opencl_event_notify,
    .mem_host_ptr = opencl_mem_host_ptr,
    .mem_import = opencl_mem_import,
    .mem_slice = opencl_mem_slice,
    .mem_map = opencl_mem_map,
    .mem_unmap = opencl_mem_unmap,
    .copy = opencl_copy,
    .fill = opencl_fill,
    .reduce = opencl_reduce,
    .kernel_binary = opencl_kernel_binary,
    .query = opencl_query,
    .device_abandon = opencl_device_abandon,
};

static const void *extension(void *self, const char *name)
{
    (void)self;
    if (strcmp(name, "cohort.unused/0") == 0)
        return &opencl_unused_ops;
    if (strcmp(name, "cohort.handle/0") == 0)
        return &opencl_handle_ops;
    return NULL;
}

COHORT_PLUGIN("opencl", PACKAGE_VERSION, "Cohort", NULL, &ops, extension, opencl_host)
