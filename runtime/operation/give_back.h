/* SPDX-License-Identifier: BSD-3-Clause */
/* Giving memory of this process back when nothing that was posted uses it any more. */
#ifndef COHORT_OPERATION_GIVE_BACK_H
#define COHORT_OPERATION_GIVE_BACK_H

#include "runtime/executor/executor.h"

/* Has give_back(owned) called, on another thread perhaps, behind a set of fences: also after a
 * failure, but not when one of them is of a device that was lost, which may touch the memory late:
 * then it is leaked. where: on whose lane; behind NULL: behind what that ring has by now alone. */
void cohort_give_back_post(cohort_executor *executor, const cohort_context *where,
                           const uint64_t behind[], void *owned, void (*give_back)(void *owned));

#endif
