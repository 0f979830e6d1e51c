/* SPDX-License-Identifier: BSD-3-Clause */
/* Fallbacks: work that this process does on the memory of a device which has no such operation; in
 * place where the device shows its memory, else on copies. */
#ifndef COHORT_OPERATION_FALLBACK_H
#define COHORT_OPERATION_FALLBACK_H

#include "runtime/operation/buffer.h"

/* Most sources, and most bytes of what is to be done. */
enum { COHORT_FALLBACK_SOURCES = 2, COHORT_FALLBACK_WORK_BYTES = 128 };

typedef struct cohort_fallback_memory {
    cohort_buffer *buffer;
    uint64_t bytes; /* from its beginning */
} cohort_fallback_memory;

/* Writes all of `into`. Runs with the default floating-point state. */
typedef cohort_status (*cohort_fallback_fn)(const void *work, const void *const sources[],
                                            void *into);

/* Post it on the device of `into`, which can access the sources (1 to COHORT_FALLBACK_SOURCES) and
 * is none of them. What `work` points to is copied. */
void cohort_fallback_post(cohort_fallback_fn fn, const void *work, size_t work_bytes,
                          const cohort_fallback_memory sources[], int32_t n_sources,
                          cohort_fallback_memory into);

#endif
