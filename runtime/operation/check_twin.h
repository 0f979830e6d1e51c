/* SPDX-License-Identifier: BSD-3-Clause */
/* A twin: another body of the same function, on a device that is opened for twins: that for OpenCL
 * beside one of the host, and the other way round. A check runs it beside the launch and compares.
 *
 * The bits are those that "What a body means" of doc/design.md promises. Of COHORT_ITEMS that use
 * no function without a fixed last bit they are equal, but for those of NaNs. All else, and bodies
 * that are two texts, may differ by COHORT_TWIN_ULP units in the last place of the largest number
 * that the body reads or writes, which is what some thousand roundings in another order can make;
 * integers of such items are not compared, for one bit of what they are made from may decide. */
#ifndef COHORT_OPERATION_CHECK_TWIN_H
#define COHORT_OPERATION_CHECK_TWIN_H

#include "runtime/operation/check_copy.h"

enum { COHORT_TWIN_ULP = 4096 };

typedef struct cohort_twin cohort_twin;

/* Planner: the twin of an executable whose code is known, built. NULL: the function has no such
 * body, or no device takes it here, which the log says (info). The error slot stays as it is. */
cohort_twin *cohort_twin_create(const cohort_executable *of, const cohort_function *function);

/* When nothing of it is under way; NULL is allowed. Any thread, as for _create; both block while
 * another twin runs on that device. */
void cohort_twin_destroy(cohort_twin *twin);

/* Runner: run it on the same, and compare. COHORT_EINVAL: they differ; the statuses of a launch. */
cohort_status cohort_twin_compare(cohort_twin *twin, const cohort_check_body *body,
                                  cohort_launch_slot slots[], const cohort_check_copy *outcome);

#endif
