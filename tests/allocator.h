/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that includes this stands in for the C library's allocator, and says before of each
 * allocation, by
 *
 *     static bool refuses(const void *caller)
 *
 * whether it finds no memory; errno is set there. Not for builds with a sanitizer. */
#ifndef COHORT_TESTS_ALLOCATOR_H
#define COHORT_TESTS_ALLOCATOR_H

#include "tests/libc_functions.h"

#include <errno.h>

#pragma GCC visibility push(default) /* libraries are to find these */

void *malloc(size_t bytes)
{
    return refuses(__builtin_return_address(0)) ? NULL : next_malloc()(bytes);
}

void *calloc(size_t n, size_t bytes)
{
    return refuses(__builtin_return_address(0)) ? NULL : calloc_next(n, bytes);
}

void *realloc(void *block, size_t bytes)
{
    return refuses(__builtin_return_address(0)) ? NULL : next_realloc()(block, bytes);
}

void free(void *block)
{
    free_next(block);
}

int posix_memalign(void **out, size_t alignment, size_t bytes)
{
    return refuses(__builtin_return_address(0)) ? ENOMEM
                                                : next_posix_memalign()(out, alignment, bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes)
{
    return refuses(__builtin_return_address(0)) ? NULL : next_aligned_alloc()(alignment, bytes);
}

#pragma GCC visibility pop

#endif
