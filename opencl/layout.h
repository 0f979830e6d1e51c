/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether a kernel's own types, structs and names of numbers, are those of the prototype. */
#ifndef COHORT_OPENCL_LAYOUT_H
#define COHORT_OPENCL_LAYOUT_H

#include <cohort/plugin.h>

#include <CL/cl.h>

/* Ask the device (probe.h) what each such type of the kernel's arguments is, and compare the answer
 * with the prototype. COHORT_EINVAL with both layouts.
 *
 *   - A struct has the size of the prototype's, and its members in the same order.
 *   - An array of numbers may be an array of vectors, or of structs of such numbers.
 *   - A type that takes no initializer, for instance one with pointers, is compared by its size.
 *   - The types of a binary are not known: nothing is compared. */
cohort_status opencl_layout_check(cohort_dev *dev, const cohort_code *code, cl_kernel kernel,
                                  const char *entry, const cohort_sig *sig, cohort_error *err);

#endif
