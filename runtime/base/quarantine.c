/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/base/quarantine.h"

#include "runtime/base/memory.h"

#include <pthread.h>
#include <stdlib.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_ASAN
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(HAS_ASAN)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(begin, bytes) ((void)(begin), (void)(bytes))
#define ASAN_UNPOISON_MEMORY_REGION(begin, bytes) ((void)(begin), (void)(bytes))
#endif

typedef struct held {
    void *block;
    size_t bytes;
} held;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static held ring[COHORT_QUARANTINE_BLOCKS]; /* held: lock, and below */
static size_t next;                         /* the oldest one: its place is taken next */

static void let_go(held old)
{
    if (old.block != NULL)
        ASAN_UNPOISON_MEMORY_REGION(old.block, old.bytes);
    free(old.block);
}

void cohort_quarantine(void *block, size_t bytes, size_t readable)
{
    cohort_memory_uncount(block);
    ASAN_POISON_MEMORY_REGION((char *)block + readable, bytes - readable);
    pthread_mutex_lock(&lock);
    held old = ring[next];
    ring[next] = (held){ block, bytes };
    next = (next + 1) % COHORT_QUARANTINE_BLOCKS;
    pthread_mutex_unlock(&lock);
    let_go(old);
}

/* The library goes, and its program may load it again. */
__attribute__((destructor)) static void let_all_go(void)
{
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < COHORT_QUARANTINE_BLOCKS; i++) {
        let_go(ring[i]);
        ring[i] = (held){ NULL, 0 };
    }
    pthread_mutex_unlock(&lock);
}
