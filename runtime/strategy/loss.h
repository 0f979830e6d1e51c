/* SPDX-License-Identifier: BSD-3-Clause */
/* Loss: a strategy goes on without a device that is lost.
 *
 *     wait for all; settle all; part with it; clear the error; leave it out
 *
 * It stays in the list of devices, hosts nothing, and nobody posts to its lane any more. What its
 * runner may still touch is not freed as long as the strategy is there. */
#ifndef COHORT_STRATEGY_LOSS_H
#define COHORT_STRATEGY_LOSS_H

#include "runtime/strategy/strategy.h"

/* One of its devices may be lost, and it would go on: there are others that host replicas, what a
 * write leaves can be undone, and nothing has to be agreed with other tasks. */
bool cohort_loss_may_be_survived(const cohort_strategy *strategy);

/* Of a strategy that is not whole, all of which has been waited for: it goes on without what is
 * lost, and the error is cleared. Says in the log what was lost, and who hosts its replicas now.
 *
 * COHORT_ELOST, in words, and nothing has changed: its options say that it fails; no device that
 * hosts replicas is left; tasks of a cluster, or a replica's other devices, would have to know. The
 * error of moving what lay there: it is to be done once more. */
cohort_status cohort_loss_recover(cohort_strategy *strategy);

/* After any failure: every dependent looks at what its operations have come to, and the error is
 * cleared. */
void cohort_loss_settle(cohort_strategy *strategy);

#endif
