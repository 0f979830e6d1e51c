/* SPDX-License-Identifier: BSD-3-Clause */
/* The bytes of a file from its start once more, by opening it anew. */
#ifndef TESTS_BYTES_AGAIN_H
#define TESTS_BYTES_AGAIN_H

#include "runtime/base/limits.h"
#include "runtime/data/format/bytes.h"

#include <stdio.h>

/* Packed or not as before. After a failure *bytes is NULL. */
static inline cohort_status bytes_again(cohort_bytes **bytes)
{
    char path[COHORT_LIMIT_PATH_BYTES];
    cohort_packing packing =
        cohort_bytes_is_packed(*bytes) ? COHORT_PACKING_GZIP : COHORT_PACKING_NONE;
    (void)snprintf(path, sizeof path, "%s", cohort_bytes_path(*bytes));
    cohort_bytes_close(*bytes);
    return cohort_bytes_open(path, packing, bytes);
}

#endif
