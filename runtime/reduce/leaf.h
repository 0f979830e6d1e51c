/* SPDX-License-Identifier: BSD-3-Clause */
/* Leaves of the tree: what replicas contribute, where it is combined. */
#ifndef COHORT_REDUCE_LEAF_H
#define COHORT_REDUCE_LEAF_H

#include "runtime/value/operand.h"

/* The buffer to read on a device what a replica contributes, up to date; prepared. The strategy's
 * guard, when it is on, looks at it: "call: the contribution of replica 1 on host:0.1 has nan
 * ...". */
cohort_buffer *cohort_leaf_place(const char *call, const cohort_operand *operand, int32_t replica,
                                 int32_t device);

#endif
