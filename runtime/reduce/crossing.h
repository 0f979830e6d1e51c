/* SPDX-License-Identifier: BSD-3-Clause */
/* Crossing: the roots of a tree (runtime/exchange/roots.h) that this worker hosts, as memory that
 * other workers can be sent. */
#ifndef COHORT_REDUCE_CROSSING_H
#define COHORT_REDUCE_CROSSING_H

#include "runtime/operation/buffer.h"
#include "runtime/strategy/strategy.h"

/* All zero is none. */
typedef struct cohort_crossing {
    cohort_buffer *buffers[COHORT_ROOTS_MOST]; /* NULL: nobody of the root contributes */
    const void *roots[COHORT_ROOTS_MOST];
    void *blocks[COHORT_ROOTS_MOST]; /* copies, of what the device does not show */
    int32_t n;
} cohort_crossing;

/* Memory that this process may read and write while the device does nothing with it. */
bool cohort_crossing_is_shown(const cohort_context *context);

/* From n buffers their roots, of so many bytes each. Blocks until all that forms them is done. */
void cohort_crossing_show(cohort_crossing *crossing, uint64_t bytes);

/* Memory for what dst is to hold next: its own where this process sees that and nothing uses it,
 * else a block. Blocks until nothing does. NULL: out of memory. */
void *cohort_crossing_room(cohort_buffer *dst, uint64_t bytes);

/* The content of that memory becomes dst's. */
void cohort_crossing_fill(cohort_buffer *dst, void *room, uint64_t bytes);

/* After the workers have exchanged something, or instead of it. Memory that an engine may still
 * read stays, here and where values are kept. */
void cohort_crossing_end(cohort_crossing *crossing, const cohort_strategy *strategy);

#endif
