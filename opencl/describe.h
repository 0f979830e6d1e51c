/* SPDX-License-Identifier: BSD-3-Clause */
/* A device of the ICD loader, and what the core is told about it. */
#ifndef COHORT_OPENCL_DESCRIBE_H
#define COHORT_OPENCL_DESCRIBE_H

#include "opencl/library.h"

#include <cohort/plugin.h>

#include <CL/cl.h>

#include <stdatomic.h>
#include <stdbool.h>

enum { OPENCL_MAX_FORMATS = 5 };

struct opencl_cut;

/* A device that was found, once; kept as long as the process. */
struct opencl_found {
    cl_platform_id platform;
    cl_device_id device;
    uint32_t index;   /* in ids: opencl:INDEX */
    uint32_t version; /* of the platform: 120 */
    bool is_pocl, has_fp64, has_images, has_fine_svm, has_system_svm, can_round_correctly;
    bool has_exact_floats; /* float32 as IEEE 754 has it, with subnormal numbers */
    uint32_t c_version;    /* 120: the device takes -cl-std=CL1.2 */
    uint64_t base_align;
    opencl_newer newer;      /* functions that the platform is too old for are NULL */
    _Atomic uint64_t used;   /* bytes of all memory that this process has on the device */
    struct opencl_cut *cuts; /* see part.h */
    const char *formats[OPENCL_MAX_FORMATS];
    cohort_device_info info;
};

/* Fill *found, of which platform, device and index are set, by asking the driver; all but the
 * uuid. */
void opencl_describe(struct opencl_found *found);

#endif
