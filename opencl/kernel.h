/* SPDX-License-Identifier: BSD-3-Clause */
/* A kernel: one of a program, or a function of the host that enqueues. */
#ifndef COHORT_OPENCL_KERNEL_H
#define COHORT_OPENCL_KERNEL_H

#include "opencl/geometry.h"

#include <cohort/plugin.h>

#include <CL/cl.h>

struct opencl_images;
struct opencl_program;

struct cohort_kernel {
    char name[64];
    uint32_t n_args;
    uint8_t kinds[COHORT_MAX_ARGS];
    uint32_t sizes[COHORT_MAX_ARGS];

    struct opencl_program *program; /* of a kernel of a program; else NULL, and so is cl */
    cl_kernel cl;
    struct opencl_limits limits;
    /* local memory that the kernel declares by itself, and that the device has */
    uint64_t own_local_bytes, most_local_bytes;

    /* what the arguments were last set to, so that a launch sets those that have changed: a cl_mem,
     * the bytes of local memory, or a value of at most so many bytes */
    uint64_t last[COHORT_MAX_ARGS][2];
    uint64_t released; /* of the device's cl_mems, when they were set; UINT64_MAX: never */

    struct opencl_images *images; /* NULL: it has neither images nor samplers */

    cohort_native_fn fn; /* of a function that enqueues; else NULL */
    cohort_call *call;
    bool has_result; /* the caller wants what the function returns */
};

#endif
