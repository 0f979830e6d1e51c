/* SPDX-License-Identifier: BSD-3-Clause */
/* The folder of the cache of built kernels: where it is, and whether it may be used. */
#ifndef COHORT_OPERATION_CACHE_FOLDER_H
#define COHORT_OPERATION_CACHE_FOLDER_H

#include <stdbool.h>

enum { COHORT_CACHE_REASON_BYTES = 768 };

/* A descriptor of the folder, the caller's to close; -1 when there is none that may be used, and
 * then the reason with the fix, or "" where no cache is wanted (COHORT_CACHE=off, AT_SECURE).
 * may_create: make it, and the folder of caches above it, where it is missing. Sets no error
 * text. */
int cohort_cache_folder_open(bool may_create, char reason[COHORT_CACHE_REASON_BYTES]);

#endif
