/* SPDX-License-Identifier: BSD-3-Clause */
/* Where intermediate results of reductions live: half of a usual first-level cache, the other half
 * being for inputs, cut into equal slots. */
#ifndef COHORT_ARITHMETIC_ARENA_H
#define COHORT_ARITHMETIC_ARENA_H

#include <stddef.h>

enum {
    ARENA_BYTES = 16384,
    SLOT_BYTES = 4096, /* at most */
    SLOT_ALIGN = 64
};

typedef struct arena {
    _Alignas(SLOT_ALIGN) unsigned char bytes[ARENA_BYTES];
} arena;

/* Whole cache lines. Even the most slots, one for each of COHORT_MAX_TERMS terms, leave some. */
static inline size_t arena_slot_bytes(size_t slots)
{
    size_t bytes = slots > 0 ? ARENA_BYTES / slots / SLOT_ALIGN * SLOT_ALIGN : SLOT_BYTES;
    return bytes < SLOT_BYTES ? bytes : SLOT_BYTES;
}

#endif
