/* SPDX-License-Identifier: BSD-3-Clause */
/* Cyclic memory: addresses behind which the same few pages come again and again.
 *
 * Bytes that are written somewhere are found there until the same place of another turn is written.
 * So what passes through a long array piece by piece, each piece used before the next one comes,
 * keeps its addresses, and yet takes no more memory, and no more of a cache, than one turn:
 *
 *     float *sums = cohort_cyclic_create(bytes, turn);
 *     for each piece of at most `turn` bytes: write sums[begin to end], and use it
 *     cohort_cyclic_destroy(sums, bytes, turn);
 *
 * Threads: any; each piece of memory is used by one at a time. */
#ifndef COHORT_BASE_CYCLIC_H
#define COHORT_BASE_CYCLIC_H

#include <stdint.h>

uint64_t cohort_cyclic_page(void); /* bytes */

/* turn: a power of two, of a page or more. Pages of zeros, in whole turns. NULL, without an error
 * text: not on this system, not that many turns, or memory is out. */
void *cohort_cyclic_create(uint64_t bytes, uint64_t turn);

void cohort_cyclic_destroy(void *memory, uint64_t bytes, uint64_t turn);

#endif
