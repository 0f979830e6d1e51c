/* SPDX-License-Identifier: BSD-3-Clause */
/* The loopback plugin: the table of operations that are complete when they return. */
#include "config.h"

#include "plugins/loopback/device.h"

#include <string.h>

const cohort_host *host_table;
const char device_name[] = "loopback";

/* No peers, no host pointers, no reductions: the core's fallbacks are to be seen at work. */
static const cohort_ops ops = {
    .struct_size = sizeof(cohort_ops),
    .enumerate = loopback_enumerate,
    .device_open = loopback_device_open,
    .device_close = loopback_device_close,
    .mem_alloc = loopback_mem_alloc,
    .mem_free = loopback_mem_free,
    .write = loopback_write,
    .read = loopback_read,
    .kernel_create = loopback_kernel_create,
    .kernel_destroy = loopback_kernel_destroy,
    .launch = loopback_launch,
    .copy = loopback_copy,
    .fill = loopback_fill,
};

static const void *extension(void *self, const char *name)
{
    (void)self;
    return strcmp(name, COHORT_LOOPBACK) == 0 ? &steering_table : NULL;
}

COHORT_PLUGIN("loopback", PACKAGE_VERSION, "Cohort", NULL, &ops, extension, host_table)
