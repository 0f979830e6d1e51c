/* SPDX-License-Identifier: BSD-3-Clause */
/* The files that are loaded: those that only root or the user of this process can have written,
 * and, in the tree that this library itself was loaded from, those that only the writers of its own
 * file can have written too: anybody who can exchange the library need not take the way of a
 * plugin. That tree may be of a service account, of a group, of the user who builds it, or of
 * nobody who is known in this user namespace. With raised privileges it is a place like any other.
 *
 * Checked each time, nothing is remembered. After the checks nobody else can exchange the file,
 * since no folder above it can be written by others; so its real path can be opened again by
 * name. */
#ifndef COHORT_PLUGIN_TRUST_H
#define COHORT_PLUGIN_TRUST_H

#include <cohort/status.h>

enum { COHORT_TRUST_PATH_BYTES = 4096, COHORT_TRUST_FIX_BYTES = COHORT_TRUST_PATH_BYTES + 64 };

/* The result of opening a path. */
typedef struct cohort_trust {
    char real_path[COHORT_TRUST_PATH_BYTES];
    char fix[COHORT_TRUST_FIX_BYTES]; /* what would help, most often a command; "": nothing known */
    uint64_t device, inode, bytes;
    int fd; /* open for reading, the caller's to close; -1 on failure */
} cohort_trust;

/* Open a regular file by its absolute path, following links to where the file really is. A FIFO
 * does not block. COHORT_ENOENT: the file is not there; COHORT_EINVAL: the file, or a folder above
 * it, is not trusted. The text of the error names a folder that is at fault, and never the file. */
cohort_status cohort_trust_open(const char *path, cohort_trust *out);

/* The same for a folder and all that is above it; fd stays -1. */
cohort_status cohort_trust_folder(const char *path, cohort_trust *out);

#endif
