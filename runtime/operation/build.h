/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds: what makes an executable's kernel on its device, from the cache of binaries where it can,
 * and what frees it. */
#ifndef COHORT_OPERATION_BUILD_H
#define COHORT_OPERATION_BUILD_H

#include "runtime/operation/executable.h"

/* Before a launch is drafted: the build is on its way. */
void cohort_executable_use(cohort_executor *executor, cohort_executable *executable);

/* In line with everything posted: frees the kernel, then the executable. NULL is allowed. */
void cohort_executable_destroy(cohort_executor *executor, cohort_executable *executable);

#endif
