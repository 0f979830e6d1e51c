/* SPDX-License-Identifier: BSD-3-Clause */
/* What a plugin leaves alone of the thread that calls it. */
#ifndef COHORT_CHECKING_AROUND_H
#define COHORT_CHECKING_AROUND_H

#include "runtime/base/fpstate.h"
#include "runtime/checking/layer.h"

#include <sched.h>
#include <signal.h>

typedef struct cohort_around {
    cohort_checking *checking;
    cohort_slot_id operation;
    uint64_t findings; /* of the layer, before */
    cohort_fpstate floats;
    sigset_t signals;
    cpu_set_t cpus;
    bool has_cpus;
} cohort_around;

/* Before the operation is called, which is counted. */
void cohort_around_begin(cohort_around *around, cohort_checking *checking,
                         cohort_slot_id operation);

/* After it: its own status, or COHORT_EINTERNAL with a text when it changed something, which is put
 * back, or when something was found between begin and end. */
cohort_status cohort_around_end(const cohort_around *around, cohort_status status,
                                cohort_error *err);

#endif
