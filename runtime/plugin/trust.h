/* SPDX-License-Identifier: BSD-3-Clause */
/* Whose files are loaded: those that only root or the user of this process can have written.
 *
 * Checked each time, nothing is remembered. After the checks nobody else can exchange the file,
 * since no folder above it can be written by others; so its real path can be opened again by
 * name. */
#ifndef COHORT_PLUGIN_TRUST_H
#define COHORT_PLUGIN_TRUST_H

#include <cohort/status.h>

enum { COHORT_TRUST_PATH_BYTES = 4096, COHORT_TRUST_FIX_BYTES = COHORT_TRUST_PATH_BYTES + 64 };

/* What opening a path found. */
typedef struct cohort_trust {
    char real_path[COHORT_TRUST_PATH_BYTES];
    char fix[COHORT_TRUST_FIX_BYTES]; /* the command that would help, "" when there is none */
    uint64_t device, inode, bytes;
    int fd; /* open for reading, the caller's to close; -1 on failure */
} cohort_trust;

/* Open a regular file, an absolute path, following links to where it really is. A FIFO does not
 * block.
 * COHORT_ENOENT not there; COHORT_EINVAL refused. The error text does not name the file unless a
 * folder is at fault. */
cohort_status cohort_trust_open(const char *path, cohort_trust *out);

/* The same for a folder and all that is above it; fd stays -1. */
cohort_status cohort_trust_folder(const char *path, cohort_trust *out);

#endif
