/* SPDX-License-Identifier: BSD-3-Clause */
/* Launches whose bodies are checked (check_body.h). */
#ifndef COHORT_OPERATION_CHECK_LAUNCH_H
#define COHORT_OPERATION_CHECK_LAUNCH_H

#include "runtime/operation/executable.h"

/* From now on the launches of an executable that was made are checked, and compared with another
 * body of its function, where there is one (check_twin.h). Planner. */
void cohort_check_launches(cohort_executable *executable, const cohort_function *function);

#endif
