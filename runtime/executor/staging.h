/* SPDX-License-Identifier: BSD-3-Clause */
/* Staging: memory of this process for bytes on their way to a device or from it, in blocks. Blocks
 * that were given back are kept and handed out again, so that a step which was made before
 * allocates nothing.
 *
 * A block is whoever's took it, and may be given back on any thread, but not after the staging has
 * ended. Memory that a late device may still touch is never given back: it leaks, on purpose. */
#ifndef COHORT_EXECUTOR_STAGING_H
#define COHORT_EXECUTOR_STAGING_H

#include <pthread.h>
#include <stdint.h>

/* Most bytes that are kept, and the sizes that there are: four for each power of two. */
enum { COHORT_STAGING_BYTES = 64 << 20, COHORT_STAGING_CLASSES = 76 };

typedef struct cohort_staging {
    pthread_mutex_t lock;
    uint64_t kept; /* held: lock, as the next. Bytes of the blocks that nobody has */
    struct cohort_staging_block *blocks[COHORT_STAGING_CLASSES];
} cohort_staging;

void cohort_staging_init(cohort_staging *staging);
void cohort_staging_fini(cohort_staging *staging);

/* At least `bytes` bytes, aligned to 64, not zeroed; never NULL for 0. NULL, without a text: out of
 * memory. Any thread. */
void *cohort_staging_take(cohort_staging *staging, uint64_t bytes);

/* To where it came from. NULL is allowed. */
void cohort_staging_give(void *block);

#endif
