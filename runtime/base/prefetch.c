/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/base/prefetch.h"

#include <stdint.h>

enum { LINE = 64 };

/* On x86-64 gcc and clang have the instruction (prefetchw) where they are told that the processor
 * has it; one that has not does nothing there. */
#if defined(__x86_64__)
#define TARGET __attribute__((target("prfchw")))
#else
#define TARGET
#endif

/* gcc 12 takes a function that fetches and returns nothing for one that does nothing, but for the
 * last line. */
TARGET void cohort_prefetch_to_write(const void *memory, size_t bytes)
{
    const uintptr_t at = (uintptr_t)memory;
    for (size_t i = 0; i < bytes; i += LINE)
        __builtin_prefetch((const void *)(at + i), 1);
    __asm__ volatile("");
}
