/* SPDX-License-Identifier: BSD-3-Clause */
/* The bytes that tell devices apart after a restart. */
#ifndef COHORT_OPENCL_UUID_H
#define COHORT_OPENCL_UUID_H

#include <CL/cl.h>

#include <stdbool.h>
#include <stdint.h>

/* The uuid that the driver tells of the device; false: it tells none. */
bool opencl_uuid_ask(cl_device_id device, uint8_t out[16]);

/* A digest of name, place, platform and driver, and of `index`, which tells equal ones apart. Never
 * all zero. */
void opencl_uuid_make(cl_platform_id platform, cl_device_id device, const char *pci, uint32_t index,
                      uint8_t out[16]);

/* Whether two platforms offer one device: the same driver, which was loaded twice, tells the same
 * uuid of it. false where a driver tells none. */
bool opencl_uuid_is_same(cl_device_id one, cl_device_id other);

/* "0000:01:00.0"; "" when the driver does not say. */
void opencl_pci(cl_device_id device, char out[16]);

#endif
