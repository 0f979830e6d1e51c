/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of the plugin. Slots that are not here have no meaning for memory of the process
 * itself: no events, as every operation is complete when it returns; no queues; no map. */
#include "config.h"

#include "host/host.h"

const cohort_host *host_table;

static const cohort_ops ops = {
    .struct_size = sizeof(cohort_ops),
    .enumerate = host_enumerate,
    .device_open = host_device_open,
    .device_close = host_device_close,
    .mem_alloc = host_mem_alloc,
    .mem_free = host_mem_free,
    .write = host_write,
    .read = host_read,
    .kernel_create = host_kernel_create,
    .kernel_destroy = host_kernel_destroy,
    .launch = host_launch,
    .mem_host_ptr = host_mem_host_ptr,
    .mem_import = host_mem_import,
    .mem_slice = host_mem_slice,
    .copy = host_copy,
    .can_access_peer = host_can_access_peer,
    .fill = host_fill,
    .reduce = host_reduce,
    .worker_attach = host_worker_attach,
    .launch_batch = host_launch_batch,
};

COHORT_PLUGIN("host", PACKAGE_VERSION, "Cohort", NULL, &ops, NULL, host_table)
