/* SPDX-License-Identifier: BSD-3-Clause */
/* Packs: several small reductions to the same devices, which travel as one. */
#ifndef COHORT_REDUCE_PACK_H
#define COHORT_REDUCE_PACK_H

#include "runtime/reduce/destination.h"
#include "runtime/reduce/plan.h"

/* One of a batch: prepared, to be posted. */
typedef struct cohort_delivery {
    cohort_reduce_plan plan;
    cohort_destination destination;
    cohort_value *into;
    bool is_posted;
} cohort_delivery;

/* Post one alone: combined on the first device of its destination, then copied to the others. */
void cohort_delivery_post(cohort_delivery *delivery, cohort_reducer *reducer);

/* Post all: those that gain from it packed, with the bits that they have alone. picked: room for n
 * of them. */
void cohort_pack_post(cohort_delivery deliveries[], int32_t n, cohort_delivery *picked[],
                      cohort_reducer *reducer);

#endif
