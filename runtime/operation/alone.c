/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/operation/alone.h"

static bool is_callers(const cohort_executor *executor, const cohort_context *context)
{
    return context->lane->index == executor->caller;
}

/* A device that is not prompt may have something in flight, which its runner would wait for first. */
int32_t cohort_alone_choose(const cohort_executor *executor, cohort_context *const able[],
                            int32_t n)
{
    if (!cohort_series_is_looking(executor) || !is_callers(executor, able[0]))
        return 0;
    for (int32_t i = 1; i < n; i++)
        if (!is_callers(executor, able[i]) && cohort_context_has(able[i], COHORT_CAP_PROMPT))
            return i;
    return 0;
}
