/* SPDX-License-Identifier: BSD-3-Clause */
/* All memory of the library, but for texts that the program frees, comes from here and is
 * counted, so that a test of each object can show that nothing is left behind. Zeroed memory is
 * the rule: structs of half-built objects can be given to their destroy function. */
#include "config.h"

#include "runtime/base/memory.h"

#include "runtime/base/assert.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Blocks that were allocated and not freed. Relaxed: a count, which orders nothing else. */
static atomic_llong live_blocks;

int64_t cohort_memory_blocks(void)
{
    return atomic_load(&live_blocks);
}

static void *counted(void *block)
{
    if (block != NULL)
        atomic_fetch_add_explicit(&live_blocks, 1, memory_order_relaxed);
    return block;
}

void *cohort_allocate(size_t count, size_t size)
{
    return counted(
        calloc(count > 0 ? count : 1, size > 0 ? size : 1)); /* calloc checks the product */
}

void *cohort_allocate_aligned(size_t bytes, size_t alignment)
{
    void *block = NULL;
    cohort_assert((alignment & (alignment - 1)) == 0);
    /* posix_memalign refuses less */
    if (alignment < sizeof(void *))
        alignment = sizeof(void *);
    return posix_memalign(&block, alignment, bytes > 0 ? bytes : 1) == 0 ? counted(block) : NULL;
}

void cohort_memory_recount(void *block)
{
    (void)counted(block);
}

void cohort_memory_uncount(const void *block)
{
    if (block == NULL)
        return;
    long long before = atomic_fetch_sub_explicit(&live_blocks, 1, memory_order_relaxed);
    cohort_assert(before > 0); /* a block that was not counted is never given to cohort_free */
}

void cohort_free(void *block)
{
    cohort_memory_uncount(block);
    free(block);
}

char *cohort_string_copy(const char *text)
{
    size_t bytes = text != NULL ? strlen(text) + 1 : 0;
    char *copy = text != NULL ? cohort_allocate(bytes, 1) : NULL;
    return copy != NULL ? memcpy(copy, text, bytes) : NULL;
}

bool cohort_grow(void **block, size_t *capacity, size_t wanted, size_t size)
{
    cohort_assert(size > 0 && (*block != NULL) == (*capacity > 0));
    if (wanted <= *capacity)
        return true;
    size_t count = *capacity < 8 ? 8 : *capacity;
    while (count < wanted)
        if (__builtin_mul_overflow(count, (size_t)2, &count))
            return false;
    void *grown = cohort_allocate(count, size);
    if (grown == NULL)
        return false;
    /* not realloc: what is new must be zero */
    if (*block != NULL)
        memcpy(grown, *block, *capacity * size);
    cohort_free(*block);
    *block = grown;
    *capacity = count;
    return true;
}
