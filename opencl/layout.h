/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether a kernel's own types, structs and names of numbers, are those of the prototype. */
#ifndef COHORT_OPENCL_LAYOUT_H
#define COHORT_OPENCL_LAYOUT_H

#include <cohort/plugin.h>

#include <CL/cl.h>

/* The device is asked: a second kernel behind the same source fills each such type of the
 * arguments, a struct by an initializer in the order of the prototype's members, and its size and
 * bytes come back. COHORT_EINVAL with both layouts. Of an array of numbers the kernel's type may be
 * a vector or a struct of them. Types that take no such initializer (with pointers, say) are
 * compared by their size, and binaries, of which nobody knows the types, not at all. */
cohort_status opencl_layout_check(cohort_dev *dev, const cohort_code *code, cl_kernel kernel,
                                  const char *entry, const cohort_sig *sig, cohort_error *err);

#endif
