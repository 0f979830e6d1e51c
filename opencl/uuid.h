/* SPDX-License-Identifier: BSD-3-Clause */
/* What tells devices apart after a restart. */
#ifndef COHORT_OPENCL_UUID_H
#define COHORT_OPENCL_UUID_H

#include <CL/cl.h>

#include <stdint.h>

/* The uuid that the driver tells; where it tells none, a digest of name, place, platform, driver,
 * and index among equal devices. Never all zero. */
void opencl_uuid(cl_platform_id platform, cl_device_id device, const char *pci,
                 uint32_t index_among_equals, uint8_t out[16]);

/* "0000:01:00.0"; "" when the driver does not say. */
void opencl_pci(cl_device_id device, char out[16]);

#endif
