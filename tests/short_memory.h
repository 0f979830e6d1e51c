/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory that is short, in a program that stands in for the C library's allocator: once `left` is a
 * number, so many allocations succeed, the next is refused, and all after it. Not for builds with a
 * sanitizer. */
#ifndef COHORT_TESTS_SHORT_MEMORY_H
#define COHORT_TESTS_SHORT_MEMORY_H

#include "tests/next.h"

#include <errno.h>
#include <stdatomic.h>

static atomic_llong left = -1;
static atomic_bool was_refused;

static bool is_short(void)
{
    if (atomic_load(&left) < 0)
        return false;
    bool is = atomic_fetch_sub(&left, 1) <= 1;
    if (is) {
        atomic_store(&left, 1);
        atomic_store(&was_refused, true);
    }
    errno = is ? ENOMEM : errno;
    return is;
}

#pragma GCC visibility push(default) /* libraries are to find these */

void *malloc(size_t bytes)
{
    return is_short() ? NULL : next_malloc()(bytes);
}

void *calloc(size_t n, size_t bytes)
{
    return is_short() ? NULL : calloc_next(n, bytes);
}

void *realloc(void *block, size_t bytes)
{
    return is_short() ? NULL : next_realloc()(block, bytes);
}

void free(void *block)
{
    free_next(block);
}

int posix_memalign(void **out, size_t alignment, size_t bytes)
{
    return is_short() ? ENOMEM : next_posix_memalign()(out, alignment, bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes)
{
    return is_short() ? NULL : next_aligned_alloc()(alignment, bytes);
}

#pragma GCC visibility pop

#endif
