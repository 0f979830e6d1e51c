/* SPDX-License-Identifier: BSD-3-Clause */
/* A file that takes another's place once all of it is written. */
#ifndef COHORT_FORMAT_REPLACEMENT_H
#define COHORT_FORMAT_REPLACEMENT_H

#include <cohort/status.h>

#include "runtime/base/limits.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cohort_replacement {
    const char *path; /* the caller's */
    char temporary[COHORT_LIMIT_PATH_BYTES];
    int fd;
    bool is_durable;
} cohort_replacement;

/* Make a file beside `path`. COHORT_ENOENT no such folder, COHORT_EINVAL when `path` is something
 * other than a regular file, COHORT_EINTERNAL the system's reason. */
cohort_status cohort_replacement_open(const char *path, cohort_replacement *out);

/* The same of one that a power cut must not lose once it is closed: it is for its owner alone, and
 * on the disk before it is renamed, and the folder after that. */
cohort_status cohort_replacement_open_durable(const char *path, cohort_replacement *out);

cohort_status cohort_replacement_write(cohort_replacement *file, const void *bytes, size_t count);

/* At this byte of the file; what is left out on the way is 0. */
cohort_status cohort_replacement_write_at(cohort_replacement *file, int64_t at, const void *bytes,
                                          size_t count);

/* Rename it to `path` when `status` is fine, else remove it. Returns the first failure. One of a
 * sync or of close is never tried again: what the system then has of the file, nobody knows. */
cohort_status cohort_replacement_close(cohort_replacement *file, cohort_status status);

/* Whether a name is one that a replacement has until it is renamed to something that begins so. */
bool cohort_replacement_is_temporary(const char *name, const char *beginning);

/* A folder's entries are on the disk. COHORT_EINTERNAL the system's reason. */
cohort_status cohort_replacement_sync_folder(const char *folder);

#endif
