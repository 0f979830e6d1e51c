/* SPDX-License-Identifier: BSD-3-Clause */
/* What becomes of closures when a worker is lost, or leaves. Between the beginning and the end of a
 * talk. */
#ifndef COHORT_COORDINATOR_LOSS_H
#define COHORT_COORDINATOR_LOSS_H

#include "runtime/coordinator/coordinator.h"

/* A worker is lost, by its seat, for the reason in the slot. COHORT_ELOST: so is the
 * coordinator. */
cohort_status cohort_coordinator_lose(cohort_coordinator *coordinator, int32_t seat);

/* It has said that it leaves. Where it has not taken all that it was told it is lost. The errors of
 * lose. */
cohort_status cohort_coordinator_let_go(cohort_coordinator *coordinator, int32_t seat);

#endif
