/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of the library: counted, and sizes multiplied without overflow. */
#ifndef COHORT_BASE_MEMORY_H
#define COHORT_BASE_MEMORY_H

#include <cohort/status.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* count * size bytes, zeroed; NULL when the product overflows or memory is out (no error text).
 * Never NULL for 0. */
void *cohort_allocate(size_t count, size_t size);

/* As cohort_allocate, aligned to a power of two, not zeroed. Freed by cohort_free too. */
void *cohort_allocate_aligned(size_t bytes, size_t alignment);

void cohort_free(void *block); /* NULL is allowed */

/* The same memory, to be written: of what the library allocated itself and holds by a pointer to
 * const, so that who borrows it leaves it alone. Never for a caller's memory, nor for what is
 * const by its definition. No other cast takes const away but this one and that of
 * cohort_memory_read_only (-Wcast-qual). */
static inline void *cohort_memory_own(const void *lent)
{
    return (void *)(uintptr_t)lent;
}

/* Memory of somebody else that is only read, for a place whose type has no const, such as the data
 * of a cohort_array, or what a plugin is asked to use in place for reading. */
static inline void *cohort_memory_read_only(const void *borrowed)
{
    return (void *)(uintptr_t)borrowed;
}

/* The block is the caller's, who frees it with free(): it is no longer counted. */
void cohort_memory_uncount(const void *block);

/* A block that was no longer counted is the library's again. NULL is allowed. */
void cohort_memory_recount(void *block);

char *cohort_string_copy(const char *text); /* NULL for NULL, or out of memory */

/* *out = a * b; false when that overflows or is negative. */
static inline bool cohort_multiply(int64_t a, int64_t b, int64_t *out)
{
    return !__builtin_mul_overflow(a, b, out) && *out >= 0;
}

/* Grow *block, of *capacity elements, to at least `wanted`, doubling; what was there stays, new
 * elements are zero. false: out of memory, nothing has changed. */
bool cohort_grow(void **block, size_t *capacity, size_t wanted, size_t size);

#endif
