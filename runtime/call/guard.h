/* SPDX-License-Identifier: BSD-3-Clause */
/* The guard against NaN and infinities: what a launch has written is looked at. */
#ifndef COHORT_CALL_GUARD_H
#define COHORT_CALL_GUARD_H

#include "runtime/call/binding.h"

static inline bool cohort_guard_is_on(const cohort_binding *binding)
{
    return binding->strategy->guard == COHORT_GUARD_ERROR;
}

/* Post the scans of what a launch writes, when the strategy's guard is to refuse it. uses: of the
 * launch. */
void cohort_guard_launch(const cohort_binding *binding, int32_t launch, const cohort_use uses[]);

#endif
