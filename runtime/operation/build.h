/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds: what makes an executable's kernel on its device, from the cache of binaries where it can,
 * and what frees it. */
#ifndef COHORT_OPERATION_BUILD_H
#define COHORT_OPERATION_BUILD_H

#include "runtime/operation/executable.h"

void cohort_build_post(cohort_executor *executor, cohort_executable *executable);

/* In line with everything posted: frees the kernel, then the executable. */
void cohort_build_post_undo(cohort_executor *executor, cohort_executable *executable);

#endif
