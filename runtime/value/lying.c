/* SPDX-License-Identifier: BSD-3-Clause */
/* Lying: nothing travels between logical devices unless the program says so. */
#include "config.h"

#include "runtime/value/lying.h"

#include "runtime/base/error.h"
#include "runtime/value/variable.h"

#include <cohort/logical.h>

cohort_status cohort_lying_meet(cohort_lying *lying, int32_t logical, const char *name)
{
    if (logical < 0 || logical == lying->logical)
        return COHORT_OK;
    if (lying->logical >= 0)
        return cohort_error_set(COHORT_EINVAL,
                                "'%s' lies on logical device %d, and '%s' on %d; "
                                "cohort_assign_to_logical_device brings a copy",
                                lying->name, lying->logical, name, logical);
    *lying = (cohort_lying){ logical, name };
    return COHORT_OK;
}

/* What lies on all of them is plain or mirrored; what is empty is written there first. */
int cohort_value_logical_device(const cohort_value *value)
{
    cohort_status status =
        cohort_handle_check(value, COHORT_HANDLE_VALUE, "cohort_value_logical_device", "the value");
    if (status < 0)
        return status;
    return value->kind == COHORT_EMPTY_VALUE ? value->logical : cohort_value_logical(value);
}

int cohort_variable_logical_device(const cohort_variable *variable)
{
    cohort_status status = cohort_handle_check(variable, COHORT_HANDLE_VARIABLE,
                                               "cohort_variable_logical_device", "the variable");
    return status < 0 ? status : variable->logical;
}
