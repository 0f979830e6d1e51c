/* SPDX-License-Identifier: BSD-3-Clause */
/* An executor whose lanes are in a trace. */
#ifndef COHORT_EXECUTOR_TRACED_H
#define COHORT_EXECUTOR_TRACED_H

#include "runtime/executor/executor.h"

/* Its lanes have tracks from now on, and are timed. When nothing is posted. */
void cohort_tracks_make(cohort_executor *executor);

#endif
