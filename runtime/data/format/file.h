/* SPDX-License-Identifier: BSD-3-Clause */
/* A regular file that is read at places, and must stay as long as it was. */
#ifndef COHORT_FORMAT_FILE_H
#define COHORT_FORMAT_FILE_H

#include <cohort/status.h>

#include <stddef.h>

typedef struct cohort_file {
    const char *path; /* the caller's, for messages */
    int fd;
    int64_t bytes; /* when it was opened */
} cohort_file;

/* COHORT_ENOENT when there is none, COHORT_EINVAL when it is no regular file or the system refuses
 * it, COHORT_EINTERNAL when the machine cannot now (descriptors, memory, the disk). Never waits for
 * the other end of a pipe. After a failure there is nothing to close. */
cohort_status cohort_file_open(const char *path, cohort_file *out);

void cohort_file_close(cohort_file *file);

/* Exactly `bytes` bytes at `offset`; the caller has checked them against file->bytes. COHORT_EINVAL
 * when the file has become shorter, COHORT_EINTERNAL when it cannot be read. */
cohort_status cohort_file_read(const cohort_file *file, int64_t offset, void *into, size_t bytes);

#endif
