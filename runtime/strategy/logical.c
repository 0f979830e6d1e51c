/* SPDX-License-Identifier: BSD-3-Clause */
/* The logical devices of replicas: how many, which, and the one on which things are made. */
#include "config.h"

#include "runtime/strategy/call.h"

#include <cohort/logical.h>

static cohort_status check_logical(const cohort_strategy *s, int logical, const char *call)
{
    if (logical >= 0 && logical < s->n_logical)
        return COHORT_OK;
    return cohort_error_set(COHORT_EINVAL, "%s: logical device %d of %d", call, logical,
                            s->n_logical);
}

int cohort_strategy_num_logical_devices(const cohort_strategy *s)
{
    return cohort_handle_is(s, COHORT_HANDLE_STRATEGY) ? s->n_logical : 0;
}

const cohort_device *cohort_strategy_logical_device(const cohort_strategy *s, int replica,
                                                    int logical)
{
    static const char call[] = "cohort_strategy_logical_device";
    int32_t here = 0;
    cohort_status status = cohort_handle_check(s, COHORT_HANDLE_STRATEGY, call, "the strategy");
    if (status >= 0)
        status = cohort_strategy_find_replica(s, replica, call, &here);
    if (status >= 0)
        status = check_logical(s, logical, call);
    return status < 0
               ? NULL
               : cohort_strategy_context(s, cohort_strategy_device(s, here, logical))->device;
}

int cohort_strategy_use_logical_device(cohort_strategy *s, int logical)
{
    static const char call[] = "cohort_strategy_use_logical_device";
    cohort_status status = cohort_call_enter_recording(s, call);
    if (status < 0)
        return status;
    int before = s->in_use;
    status = check_logical(s, logical, call);
    if (status >= 0)
        s->in_use = logical;
    status = cohort_call_leave(s, status);
    return status < 0 ? status : before;
}
