/* SPDX-License-Identifier: BSD-3-Clause */
/* Enqueueing a kernel whose arguments are set. */
#ifndef COHORT_OPENCL_LAUNCH_H
#define COHORT_OPENCL_LAUNCH_H

#include "opencl/geometry.h"

#include <CL/cl.h>

/* name: for messages */
cohort_status opencl_launch_range(cohort_dev *dev, cl_kernel kernel, const char *name,
                                  const struct opencl_geometry *geometry, cohort_event **out_event,
                                  cohort_error *err);

#endif
