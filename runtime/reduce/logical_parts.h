/* SPDX-License-Identifier: BSD-3-Clause */
/* Components that are filled with blocks of others, on whichever logical device these lie. */
#ifndef COHORT_REDUCE_LOGICAL_PARTS_H
#define COHORT_REDUCE_LOGICAL_PARTS_H

#include "runtime/value/operand.h"

/* What a component is seen as along an axis: so many blocks, each of so many bytes. */
typedef struct cohort_blocks {
    uint64_t count, bytes;
} cohort_blocks;

/* The axis is one of the component's; -1: it is one block. */
cohort_blocks cohort_component_blocks(const cohort_component *component, int32_t axis);

/* The component of replica `id` is there, or absent; COHORT_EINVAL with "call: ...". of: what it is
 * a component of. */
cohort_status cohort_component_check(const char *call, const cohort_component *component,
                                     int32_t id, const char *of);

/* Values of this strategy that a call is given in a list: COHORT_EINVAL with "call: ...", for one
 * that is not there or not of the strategy, with its place. */
cohort_status cohort_parts_check(const char *call, const cohort_strategy *strategy,
                                 cohort_value *const parts[], int n);

/* A component that is to become like this one. COHORT_EINVAL where the value was made for something
 * else, COHORT_ENOMEM; then bookkeeping of the value alone has changed. */
cohort_status cohort_part_prepare(const char *call, cohort_value *into, int32_t replica,
                                  const cohort_component *like);

/* The buffer to fill; NULL: nothing is to be copied, in a trial, or because there is no byte. The
 * value is per replica by then. */
cohort_buffer *cohort_part_start(cohort_value *into, int32_t replica, const cohort_component *like);

#endif
