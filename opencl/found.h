/* SPDX-License-Identifier: BSD-3-Clause */
/* The devices that were found. */
#ifndef COHORT_OPENCL_FOUND_H
#define COHORT_OPENCL_FOUND_H

#include "opencl/describe.h"

/* In the order of enumerate; NULL past the last. */
struct opencl_found *opencl_found_at(uint32_t index);

#endif
