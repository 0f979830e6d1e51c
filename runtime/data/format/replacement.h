/* SPDX-License-Identifier: BSD-3-Clause */
/* A file that takes another's place once all of it is written. */
#ifndef COHORT_FORMAT_REPLACEMENT_H
#define COHORT_FORMAT_REPLACEMENT_H

#include <cohort/status.h>

#include "runtime/base/limits.h"

#include <stddef.h>

typedef struct cohort_replacement {
    const char *path; /* the caller's */
    char temporary[COHORT_LIMIT_PATH_BYTES];
    int fd;
} cohort_replacement;

/* Make a file beside `path`. COHORT_ENOENT no such folder, COHORT_EINVAL when `path` is something
 * other than a regular file, COHORT_EINTERNAL the system's reason. */
cohort_status cohort_replacement_open(const char *path, cohort_replacement *out);

cohort_status cohort_replacement_write(cohort_replacement *file, const void *bytes, size_t count);

/* Rename it to `path` when `status` is fine, else remove it. Returns the first failure. */
cohort_status cohort_replacement_close(cohort_replacement *file, cohort_status status);

#endif
