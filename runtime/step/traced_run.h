/* SPDX-License-Identifier: BSD-3-Clause */
/* Launches by replicas in a step that is traced: in one call for all of them. */
#ifndef COHORT_STEP_TRACED_RUN_H
#define COHORT_STEP_TRACED_RUN_H

#include "runtime/run/dispatch.h"
#include "runtime/step/trace.h"

/* What a replica calls, with its own arguments. */
typedef struct cohort_traced_launch {
    cohort_strategy *strategy;
    cohort_variable *updated; /* its component; NULL: the call is a run */
    cohort_invocation invocation;
} cohort_traced_launch;

/* Meet the others in it, by `call` for messages. COHORT_EINVAL for what is no function; the errors
 * of cohort_stage_meet. */
cohort_status cohort_traced_launch_meet(cohort_replica *me, const char *call, const char *site,
                                        cohort_traced_launch *launch);

#endif
