/* SPDX-License-Identifier: BSD-3-Clause */
/* Free blocks in lists by their size. In front of each block, in a line of its own, is what the
 * staging has to know of it, so that whoever gives one back needs nothing but the block.
 *
 * Staging that is full lets all go that it has: sizes have changed then, and what is kept for those
 * of before would stay for ever. What one step needs at a time fits, or is too large for malloc to
 * matter. Blocks that nobody has do not count as the library's: how many there are is a matter of
 * threads. */
#include "config.h"

#include "runtime/executor/staging.h"

#include "runtime/base/assert.h"
#include "runtime/base/memory.h"
#include "runtime/base/poison.h"

#include <stdlib.h>

enum { LINE = 64 };

typedef struct cohort_staging_block {
    _Alignas(LINE) cohort_staging *staging;
    struct cohort_staging_block *next; /* while it is kept */
    uint32_t size_class;               /* COHORT_STAGING_CLASSES: larger than all that are kept */
} cohort_staging_block;

_Static_assert(sizeof(cohort_staging_block) == LINE, "what follows is aligned to a line");

/* Sizes are 1, 2, 3, 4 lines, then 5, 6, 7, 8 times each power of two. */
static uint32_t class_of(uint64_t bytes)
{
    uint64_t above = bytes > 0 ? (bytes - 1) / LINE : 0; /* lines but one */
    if (above < 4)
        return (uint32_t)above;
    uint32_t shift = 61 - (uint32_t)__builtin_clzll(above);
    uint64_t size_class = 4 * shift + (above >> shift);
    return size_class < COHORT_STAGING_CLASSES ? (uint32_t)size_class : COHORT_STAGING_CLASSES;
}

static uint64_t size_of(uint32_t size_class)
{
    uint64_t lines = size_class < 4 ? size_class + 1 : (size_class % 4 + 5) << (size_class / 4 - 1);
    return lines * LINE;
}

void cohort_staging_init(cohort_staging *staging)
{
    *staging = (cohort_staging){ .kept = 0 };
    (void)pthread_mutex_init(&staging->lock, NULL);
}

/* ------------------------------------------------------------------ blocks that are kept */

/* held: lock, also below */
static cohort_staging_block *unlist(cohort_staging *staging, uint32_t size_class)
{
    cohort_staging_block *b = staging->blocks[size_class];
    if (b == NULL)
        return NULL;
    staging->blocks[size_class] = b->next;
    staging->kept -= size_of(size_class);
    return b;
}

static void let_go(cohort_staging *staging, uint32_t size_class)
{
    for (cohort_staging_block *b; (b = unlist(staging, size_class)) != NULL;) {
        cohort_unpoison(b + 1, size_of(size_class));
        free(b);
    }
}

static void let_all_go(cohort_staging *staging)
{
    for (uint32_t i = 0; i < COHORT_STAGING_CLASSES; i++)
        let_go(staging, i);
    cohort_assert(staging->kept == 0);
}

void cohort_staging_fini(cohort_staging *staging)
{
    let_all_go(staging);
    (void)pthread_mutex_destroy(&staging->lock);
}

/* ------------------------------------------------------------------ taking and giving */

static cohort_staging_block *take_kept(cohort_staging *staging, uint32_t size_class)
{
    if (size_class == COHORT_STAGING_CLASSES)
        return NULL;
    pthread_mutex_lock(&staging->lock);
    cohort_staging_block *b = unlist(staging, size_class);
    pthread_mutex_unlock(&staging->lock);
    cohort_memory_recount(b);
    return b;
}

static cohort_staging_block *make(cohort_staging *staging, uint32_t size_class, uint64_t bytes)
{
    uint64_t size = size_class < COHORT_STAGING_CLASSES ? size_of(size_class) : bytes;
    if (size > SIZE_MAX - sizeof(cohort_staging_block))
        return NULL;
    cohort_staging_block *b = cohort_allocate_aligned(sizeof *b + (size_t)size, LINE);
    if (b == NULL)
        return NULL;
    b->staging = staging;
    b->size_class = size_class;
    if (size_class < COHORT_STAGING_CLASSES)
        cohort_poison(b + 1, (size_t)size);
    return b;
}

void *cohort_staging_take(cohort_staging *staging, uint64_t bytes)
{
    uint32_t size_class = class_of(bytes);
    cohort_staging_block *b = take_kept(staging, size_class);
    if (b == NULL && (b = make(staging, size_class, bytes)) == NULL)
        return NULL;
    cohort_unpoison(b + 1, (size_t)bytes);
    return b + 1;
}

/* The block that finds no room is kept, and those before it are not. */
void cohort_staging_give(void *block)
{
    cohort_staging_block *b = block != NULL ? (cohort_staging_block *)block - 1 : NULL;
    if (b == NULL || b->size_class == COHORT_STAGING_CLASSES) {
        cohort_free(b);
        return;
    }
    cohort_staging *staging = b->staging;
    uint64_t size = size_of(b->size_class);
    cohort_memory_uncount(b);
    cohort_poison(block, (size_t)size);
    pthread_mutex_lock(&staging->lock);
    if (staging->kept + size > COHORT_STAGING_BYTES)
        let_all_go(staging);
    b->next = staging->blocks[b->size_class];
    staging->blocks[b->size_class] = b;
    staging->kept += size;
    pthread_mutex_unlock(&staging->lock);
}
