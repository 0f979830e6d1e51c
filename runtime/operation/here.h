/* SPDX-License-Identifier: BSD-3-Clause */
/* Work that this process does on the memory of a device: in place where the device shows it, else
 * on copies. */
#ifndef COHORT_OPERATION_HERE_H
#define COHORT_OPERATION_HERE_H

#include "runtime/operation/buffer.h"

enum { COHORT_HERE_SOURCES = 2 };

typedef struct cohort_here_memory {
    cohort_buffer *buffer;
    uint64_t bytes; /* from its beginning */
} cohort_here_memory;

/* Writes all of `into`. Runs with the default floating-point state. */
typedef cohort_status (*cohort_here_fn)(const void *what, const void *const sources[], void *into);

/* Post it on the device of `into`, which can access the sources (1 to COHORT_HERE_SOURCES) and is
 * none of them. What `what` points to is copied. */
void cohort_here_post(cohort_here_fn fn, const void *what, size_t what_bytes,
                      const cohort_here_memory sources[], int32_t n_sources,
                      cohort_here_memory into);

#endif
