/* SPDX-License-Identifier: BSD-3-Clause */
/* Preparing: all that may fail in a step, done before anything of it is posted; and the launch of
 * what was prepared. */
#ifndef COHORT_CALL_PREPARE_H
#define COHORT_CALL_PREPARE_H

#include "runtime/call/binder.h"
#include "runtime/operation/launch.h"

/* Room for n launches in the binder. COHORT_ENOMEM. */
cohort_status cohort_prepare_room(cohort_binder *binder, int32_t n);

/* The kernel of a launch on a device, its range, and places for what it reads and writes. An error
 * means that nothing was posted. */
cohort_status cohort_prepare_launch(cohort_binder *binder, const cohort_binding *binding,
                                    int32_t launch, int32_t device, cohort_prepared *out);

/* The launch, with the values of its numbers, and without commits: the one that is kept, or the
 * executable's draft. */
cohort_launch_op *cohort_prepare_draft(const cohort_binding *binding, int32_t launch,
                                       const cohort_prepared *prepared);

/* The executable's draft, whether or not one is kept; nothing is posted. */
cohort_launch_op *cohort_prepare_record(const cohort_binding *binding, int32_t launch,
                                        const cohort_prepared *prepared);

/* Post it, and what the guard looks at behind it. uses: of all arrays, and of the result. */
cohort_fence cohort_prepare_submit(const cohort_binding *binding, int32_t launch,
                                   cohort_launch_op *draft, const cohort_use uses[], int32_t n);

#endif
