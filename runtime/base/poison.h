/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory that the library keeps and nobody may look at: AddressSanitizer is told so. Without it
 * both do nothing. */
#ifndef COHORT_BASE_POISON_H
#define COHORT_BASE_POISON_H

#include <stddef.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define COHORT_HAS_ASAN 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define COHORT_HAS_ASAN 1
#endif

#if defined(COHORT_HAS_ASAN)
#include <sanitizer/asan_interface.h>
#endif

static inline void cohort_poison(void *begin, size_t bytes)
{
#if defined(COHORT_HAS_ASAN)
    ASAN_POISON_MEMORY_REGION(begin, bytes);
#else
    (void)begin;
    (void)bytes;
#endif
}

static inline void cohort_unpoison(void *begin, size_t bytes)
{
#if defined(COHORT_HAS_ASAN)
    ASAN_UNPOISON_MEMORY_REGION(begin, bytes);
#else
    (void)begin;
    (void)bytes;
#endif
}

#endif
