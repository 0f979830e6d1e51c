/* SPDX-License-Identifier: BSD-3-Clause */
/* COHORT_FIRST_ROW of a value, in a call that a replica makes for itself alone. */
#ifndef COHORT_STEP_REPLICA_FIRST_ROW_H
#define COHORT_STEP_REPLICA_FIRST_ROW_H

#include "runtime/call/binding.h"
#include "runtime/step/stage.h"

/* A call for one replica, of a strategy that it has been compared with. */
typedef struct cohort_replica_call {
    const char *name, *site; /* "cohort_replica_run"; site: of the caller, or NULL */
    const cohort_function *function;
    const cohort_argument *arguments;
    cohort_variable *updated; /* whose component alone is updated; NULL: of a run */
} cohort_replica_call;

/* Before the call is dispatched: where it asks for the first row of a value all replicas meet for
 * it, of all workers, and the binding has the answer. COHORT_EINVAL: they make another call, or the
 * call is wrong; the errors of meetings. */
cohort_status cohort_replica_find_first_row(cohort_replica *me, const cohort_replica_call *call);

#endif
