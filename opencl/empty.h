/* SPDX-License-Identifier: BSD-3-Clause */
/* Platforms that offer no device: the driver is there, and finds nothing, or may not use it. */
#ifndef COHORT_OPENCL_EMPTY_H
#define COHORT_OPENCL_EMPTY_H

#include <CL/cl.h>

/* Add such a platform to the unused devices, with what its driver wants. code: what the driver
 * answered when it was asked for devices. */
void opencl_empty_explain(cl_platform_id platform, cl_int code);

#endif
