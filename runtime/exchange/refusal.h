/* SPDX-License-Identifier: BSD-3-Clause */
/* A refusal: what a task says to those that may wait for it where it will not meet them. */
#ifndef COHORT_EXCHANGE_REFUSAL_H
#define COHORT_EXCHANGE_REFUSAL_H

#include "runtime/exchange/communicator.h"

/* The strategy that this task would have made next over the communicator, or served, it does not:
 * all others get this error, with the text in the slot, when they come to it. They are not waited
 * for, since perhaps nobody comes; so what they send is never read, and the communicator is not
 * given back when it is closed. It blocks only where the engine does not take a short message
 * before the other side asks for it, for COHORT_TIMEOUT_WORKER at most for each. Takes no memory,
 * and the slot stays as it is. */
void cohort_refusal_send(cohort_communicator *communicator, cohort_status status);

/* The same where the resolver is one of MPI. */
void cohort_refusal_send_by(const cohort_resolver *resolver, cohort_status status);

/* The same; of another resolver, or where there is none, to the processes that mpirun has started,
 * which this one joins, as each of them does to make its strategy. That takes memory, and all of
 * them. */
void cohort_refusal_reach(const cohort_resolver *resolver, cohort_status status);

#endif
