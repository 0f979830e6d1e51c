/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether a kernel's structs are laid out as the prototype's. */
#ifndef COHORT_OPENCL_LAYOUT_H
#define COHORT_OPENCL_LAYOUT_H

#include <cohort/plugin.h>

#include <CL/cl.h>

/* The device is asked: a second kernel behind the same source fills each struct type of the arguments by an
 * initializer, in the order of the prototype's members, and its size and bytes come back. COHORT_EINVAL with both
 * layouts. Types that take no such initializer (with pointers, say) are compared by their size, and binaries, of which
 * nobody knows the types, not at all. */
cohort_status opencl_layouts_check(cohort_dev *dev, const cohort_code *code, cl_kernel kernel, const char *entry,
                                   const cohort_sig *sig, cohort_error *err);

#endif
