/* SPDX-License-Identifier: BSD-3-Clause */
/* A ring of the last blocks: each that comes takes the next place and frees the block that was
 * there, COHORT_QUARANTINE_BLOCKS destroys ago. */
#include "config.h"

#include "runtime/base/quarantine.h"

#include "runtime/base/assert.h"
#include "runtime/base/memory.h"
#include "runtime/base/poison.h"

#include <stdatomic.h>
#include <stdlib.h>

#if defined(COHORT_HAS_ASAN)
#include <malloc.h>
#define USABLE(block) malloc_usable_size(block)
#else
#define USABLE(block) 0
#endif

/* Blocks in the order in which they came. Without a lock, which a fork beside another thread would
 * leave held in the child. */
static _Atomic(void *) ring[COHORT_QUARANTINE_BLOCKS];
static atomic_size_t n_taken; /* places of the ring, over and over */

static void let_go(void *block)
{
    if (block != NULL)
        cohort_unpoison(block, USABLE(block));
    free(block);
}

void cohort_quarantine(void *block, size_t bytes, size_t readable)
{
    cohort_assert(block != NULL && readable <= bytes);
    size_t place = atomic_fetch_add(&n_taken, 1) % COHORT_QUARANTINE_BLOCKS;
    cohort_memory_uncount(block);
    cohort_poison((char *)block + readable, bytes - readable);
    let_go(atomic_exchange(&ring[place], block));
}
