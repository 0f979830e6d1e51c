/* SPDX-License-Identifier: BSD-3-Clause */
/* cohort_replica_set of a number in a step that is traced. */
#ifndef COHORT_STEP_TRACED_SET_H
#define COHORT_STEP_TRACED_SET_H

#include "runtime/step/trace.h"

/* Meet the others in it, each with its own number, which is a constant of the program. The errors
 * of cohort_stage_meet. */
cohort_status cohort_traced_set_meet(cohort_replica *me, cohort_value *value, double number);

#endif
