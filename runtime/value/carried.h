/* SPDX-License-Identifier: BSD-3-Clause */
/* Carried values: those that a step reads before it writes them, so that it cannot be made again,
 * for nobody has what they were. Seen while a step is planned in the plain way, in which every read
 * is noted (content.h). All of it is the planner's. */
#ifndef COHORT_VALUE_CARRIED_H
#define COHORT_VALUE_CARRIED_H

#include "runtime/base/array.h"
#include "runtime/value/value.h"

/* A step begins. */
void cohort_carried_begin(cohort_strategy *strategy);

/* The same step begins once more: what it has written until now is not as it found it. */
void cohort_carried_begin_again(cohort_strategy *strategy);

/* One that it has read and written, in words; "": there is none. */
void cohort_carried_tell(const cohort_strategy *strategy, char out[COHORT_SHAPE_BYTES]);

/* Of all that a value may hold. */
void cohort_carried_see(cohort_value *value, void (*see)(cohort_content *content, void *user),
                        void *user);

#endif
