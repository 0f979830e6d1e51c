/* SPDX-License-Identifier: BSD-3-Clause */
/* Fallbacks: work that this process does on the memory of a device which has no such operation; in
 * place where the device shows its memory, else on copies. */
#ifndef COHORT_OPERATION_FALLBACK_H
#define COHORT_OPERATION_FALLBACK_H

#include "runtime/operation/buffer.h"

/* Most sources and results, and most bytes of what is to be done. */
enum { COHORT_FALLBACK_SOURCES = 4, COHORT_FALLBACK_RESULTS = 2, COHORT_FALLBACK_WORK_BYTES = 128 };

typedef struct cohort_fallback_memory {
    cohort_buffer *buffer;
    uint64_t bytes; /* from its beginning */
} cohort_fallback_memory;

/* Writes all of each result. Runs with the default floating-point state. */
typedef cohort_status (*cohort_fallback_fn)(const void *work, const void *const sources[],
                                            void *const results[]);

/* A number that is set when the work is done, with release: whoever reads it finds the results. */
typedef struct cohort_fallback_commit {
    _Atomic uint64_t *number;
    uint64_t to;
} cohort_fallback_commit;

typedef struct cohort_fallback {
    cohort_fallback_fn fn;
    /* copied as the fallback is posted; without padding, for records are compared byte by byte */
    const void *work;
    size_t work_bytes;
    const char *subject; /* in messages: whose it is, for as long as it is posted; or NULL */

    /* 0 to COHORT_FALLBACK_SOURCES, and 1 to COHORT_FALLBACK_RESULTS, on one device, which can
     * access the sources; no result is a source */
    cohort_fallback_memory sources[COHORT_FALLBACK_SOURCES], results[COHORT_FALLBACK_RESULTS];
    int32_t n_sources, n_results;

    /* For results that are a variable's next content: what has to be over before, or NULL, and how
     * its store learns that they are there. All are set, or all are left out. */
    const uint64_t *behind[COHORT_FALLBACK_RESULTS];
    cohort_fallback_commit commits[COHORT_FALLBACK_RESULTS];
} cohort_fallback;

/* Post it on the device of the results. The fence has no lane when the device is lost. One that is
 * little, and has neither subject nor commits, is done in the call itself when nothing is under
 * way: its fence has no lane either. */
cohort_fence cohort_fallback_post(const cohort_fallback *fallback);

#endif
