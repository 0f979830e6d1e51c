/* SPDX-License-Identifier: BSD-3-Clause */
/* The check of a body: instead of one launch several on copies of its arrays, whose outcomes must
 * agree, and of which the first is what the launch has written.
 *
 *   - The body runs twice. Outputs begin as something else each time, so that what it reads of
 *     them, and what it does not write, comes out differently.
 *   - Arrays end where a page begins that nobody may touch, and in the second run begin where one
 *     ends (base/guarded.h). Memory of a device has a strip of bytes behind it instead, which must
 *     stay.
 *   - A host body of items runs backwards, too, and as two halves, each from the content before:
 *     what they make together is what all made in one range. With several indices that is done
 *     along each of them.
 *   - A function that has an OpenCL body, too, has both compared, where such a device can be opened
 *     (check_twin.h).
 *
 * A body whose bits differ between two equal runs, as where OpenMP adds in any order, is not
 * compared unless it is one of items. One that gets a COHORT_POINTER may change what lies there,
 * and runs once. */
#ifndef COHORT_OPERATION_CHECK_BODY_H
#define COHORT_OPERATION_CHECK_BODY_H

#include "runtime/operation/launch.h"

/* Runner, in place of the launch.
 *
 * call    what the plugin would get; its result goes where it says
 * items   of a host body of items: its ranges
 * writes  whether it has begun to write to the arrays of the launch
 *
 * COHORT_EINVAL with what was found, the status of a launch that failed, COHORT_ENOMEM: unless it
 * writes, it has changed nothing. */
cohort_status cohort_check_launch(const cohort_launch_op *launch, cohort_launch_slot slots[],
                                  const cohort_launch_commit commits[], const cohort_launch *call,
                                  const int64_t items[COHORT_ITEM_WORDS], bool *out_writes);

#endif
