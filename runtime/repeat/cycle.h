/* SPDX-License-Identifier: BSD-3-Clause */
/* Cycles: cyclic memory (base/cyclic.h) as buffers of devices, for sums that are fed (feed.h).
 *
 * The launches of a device come one after the other, so all of them share one; but a launch with
 * several feeds has one for each. A cycle becomes the device's with the first launch that is fed,
 * so to make one posts nothing. */
#ifndef COHORT_REPEAT_CYCLE_H
#define COHORT_REPEAT_CYCLE_H

#include "runtime/operation/buffer.h"

/* A turn has at least as much, a slice (launch_slices.c). */
enum { COHORT_CYCLE_TURN_BYTES = 32 * 1024 };

typedef struct cohort_cycle {
    cohort_buffer *buffer;
    void *memory;
    uint64_t bytes, turn; /* of the memory */
    int32_t feed;         /* for the feed of that number */
} cohort_cycle;

typedef struct cohort_cycles {
    cohort_cycle **list; /* [n] */
    size_t n, capacity;
} cohort_cycles;

/* One of at least so many bytes that is there, or a new one. NULL: memory is out, or there are very
 * many of them. The planner's. */
const cohort_cycle *cohort_cycles_find(cohort_cycles *cycles, cohort_executor *executor,
                                       cohort_context *context, int32_t feed, uint64_t bytes);

/* In line with everything posted. */
void cohort_cycles_free(cohort_cycles *cycles);

#endif
