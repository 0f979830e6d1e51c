/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether a kernel takes what the prototype says. */
#ifndef COHORT_OPENCL_ARGUMENT_H
#define COHORT_OPENCL_ARGUMENT_H

#include "opencl/describe.h"

#include <cohort/plugin.h>

#include <CL/cl.h>

/* COHORT_EINVAL, with the reason: the prototype has an argument that no OpenCL kernel takes. */
cohort_status opencl_argument_check_prototype(const struct opencl_found *found, const char *entry,
                                              const cohort_sig *sig, cohort_error *err);

/* "'x'", or the argument's place where it has no name. Returns out. */
const char *opencl_argument_name(const cohort_sig *sig, uint32_t i, char out[80]);

/* Compare a kernel's own arguments with the signature, or their number where the driver knows no
 * more: COHORT_EINVAL with both types and the kernel's declaration. */
cohort_status opencl_argument_check_kernel(cl_kernel kernel, const char *entry,
                                           const cohort_sig *sig, cohort_error *err);

/* Try the sizes of a kernel's values, of which there are as many as in the signature: COHORT_EINVAL
 * with the one that the driver does not take. Some drivers take any. */
cohort_status opencl_argument_check_sizes(cl_kernel kernel, const char *entry,
                                          const cohort_sig *sig, cohort_error *err);

#endif
