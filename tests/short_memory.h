/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory that is short, in a program that stands in for the C library's allocator: once `left` is a
 * number, so many allocations succeed, the next is refused, and all after it. Not for builds with a
 * sanitizer. */
#ifndef COHORT_TESTS_SHORT_MEMORY_H
#define COHORT_TESTS_SHORT_MEMORY_H

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_llong left = -1;
static atomic_bool was_refused;

static bool refuses(const void *caller)
{
    (void)caller;
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

#include "tests/allocator.h"

#endif
