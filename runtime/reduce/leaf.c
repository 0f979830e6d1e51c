/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/reduce/leaf.h"

#include "runtime/operation/scan.h"

#include <stdio.h>

static const cohort_strategy *strategy_of(const cohort_operand *o)
{
    return o->variable != NULL ? o->variable->strategy : o->value->strategy;
}

static void describe(const char *call, const cohort_operand *o, int32_t replica, int32_t device,
                     char *out, size_t size)
{
    char who[32] = "every replica";
    if (cohort_operand_is_per_replica(o))
        (void)snprintf(who, sizeof who, "replica %d", replica);
    (void)snprintf(out, size, "%s: the contribution of %s on %s", call, who,
                   cohort_strategy_context(strategy_of(o), device)->device->id);
}

cohort_buffer *cohort_leaf_place(const char *call, const cohort_operand *o, int32_t replica,
                                 int32_t device)
{
    char subject[COHORT_SCAN_SUBJECT_BYTES];
    cohort_buffer *buffer = cohort_operand_place(o, replica, device);
    if (strategy_of(o)->guard == COHORT_GUARD_PROPAGATE)
        return buffer;
    cohort_component c = cohort_operand_look(o, replica);
    describe(call, o, replica, device, subject, sizeof subject);
    cohort_scan_post(buffer, c.dtype, (uint64_t)cohort_component_items(&c), subject);
    return buffer;
}
