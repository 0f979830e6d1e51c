/* SPDX-License-Identifier: BSD-3-Clause */
/* Placing: which buffers one launch uses, with their content brought to its device. */
#ifndef COHORT_CALL_PLACE_H
#define COHORT_CALL_PLACE_H

#include "runtime/call/binding.h"

/* The buffers of all arrays but those of the variables that are updated, which are filled in, and
 * of the result. Returns how many uses there are. Reads first: a value that the call reads and
 * writes in place is brought up to date before it counts as written. */
int32_t cohort_place_all(cohort_binding *binding, int32_t launch, int32_t device,
                         cohort_use uses[]);

/* A launch that does not take place, because its replica has no rows, writes components without
 * rows. */
void cohort_place_absent(cohort_binding *binding, int32_t launch);

/* In a trial: what the launch would write has the shape that it would get. */
void cohort_place_foresee(cohort_binding *binding, int32_t launch);

#endif
