/* SPDX-License-Identifier: BSD-3-Clause */
/* What cohort/communication.h has set, for who packs. */
#ifndef COHORT_REDUCE_COMMUNICATION_H
#define COHORT_REDUCE_COMMUNICATION_H

#include "runtime/strategy/strategy.h"

/* Bytes of values that travel together, at most. Where nothing is set: beyond that a transfer of
 * its own costs little. */
enum { COHORT_PACK_BYTES = 4 << 20 };
static inline uint64_t cohort_pack_bytes(const cohort_strategy *strategy)
{
    int64_t set = strategy->communication.bytes_per_pack;
    return set > 0 ? (uint64_t)set : COHORT_PACK_BYTES;
}

#endif
