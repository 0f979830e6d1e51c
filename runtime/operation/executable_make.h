/* SPDX-License-Identifier: BSD-3-Clause */
/* Making executables: which body of a function a device gets, and how it is called. */
#ifndef COHORT_OPERATION_EXECUTABLE_MAKE_H
#define COHORT_OPERATION_EXECUTABLE_MAKE_H

#include "runtime/operation/executable.h"

/* Whether the function has a body that the device takes. COHORT_EINCOMPATIBLE with both lists when
 * it has none. */
cohort_status cohort_executable_check(const cohort_function *function, const cohort_device *device);

/* Choose a body that the device takes (its formats, best first); its build is posted with the first
 * launch. COHORT_EINCOMPATIBLE with both lists when none fits, COHORT_ENOENT for a symbol that is
 * not there, COHORT_ENOMEM. */
cohort_status cohort_executable_create(cohort_context *context, const cohort_function *function,
                                       const cohort_signature *signature,
                                       cohort_executable **out_executable);

#endif
