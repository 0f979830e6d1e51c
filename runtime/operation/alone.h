/* SPDX-License-Identifier: BSD-3-Clause */
/* Which device does what is too little to be shared.
 *
 * Of the devices that reach all of it mostly the first: that is where the result lies. In a step
 * that is to spare the caller (ledger.h) one of another lane, where the first is one of the
 * caller's: such steps are posted again and again by the caller, who is then the one that
 * everything waits for, while runners of other lanes have nothing to do between their replicas. But
 * for lanes with more replicas than the caller's, which are waited for themselves. Measured on two
 * cores, a step of six operations that takes 3.1 us by hand: 4.0 us so, and 4.9 us where the first
 * does it; with COHORT_SPIN=0, where runners sleep, 5.6 us and 6.7. No bit depends on it; of a body
 * that fails or crashes it is told on which device it ran. */
#ifndef COHORT_OPERATION_ALONE_H
#define COHORT_OPERATION_ALONE_H

#include "runtime/operation/ledger.h"

/* Of these, 1 at least, the one that does it: its place in the list. */
int32_t cohort_alone_choose(const cohort_executor *executor, cohort_context *const able[],
                            int32_t n);

#endif
