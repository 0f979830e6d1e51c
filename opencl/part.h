/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts of a device: sub-devices of OpenCL, made once and never released. PoCL 3.1 still writes to
 * a sub-device after the last event is complete and the queue is finished. */
#ifndef COHORT_OPENCL_PART_H
#define COHORT_OPENCL_PART_H

#include <CL/cl.h>

#include <stdint.h>

struct opencl_found;

/* Part `part` of `parts`; of 1 part the device itself. Called by one thread, as device_open is. */
cl_int opencl_part(struct opencl_found *found, uint32_t part, uint32_t parts, cl_device_id *out);

#endif
