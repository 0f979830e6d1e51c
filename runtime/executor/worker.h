/* SPDX-License-Identifier: BSD-3-Clause */
/* Workers: threads of the library that are the runners of lanes. A worker is attached (pinned) by
 * the plugin of its lane's devices, and keeps off the core on which the caller was last seen. */
#ifndef COHORT_EXECUTOR_WORKER_H
#define COHORT_EXECUTOR_WORKER_H

#include "runtime/executor/executor.h"

/* A worker for every lane but the caller's. COHORT_ENOMEM: some may run; stop them. */
cohort_status cohort_worker_start_all(cohort_executor *executor);

/* Each ends when its lane is empty; the worker of a lost device is left to itself. */
void cohort_worker_stop_all(cohort_executor *executor);

/* Do what is in the second ring of a lane, to its end, on the thread that is the lane's runner. */
void cohort_worker_drain(cohort_lane *ring);

#endif
