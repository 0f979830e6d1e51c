/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernels that PoCL keeps in its folder. PoCL 3.1 ends the process where it cannot write one,
 * and where one that it has written was cut since, by a full disk, a crash or a copy. */
#ifndef COHORT_OPENCL_KEPT_H
#define COHORT_OPENCL_KEPT_H

#include <stdbool.h>
#include <stddef.h>

/* Whether there is room for one more kernel in the folder, which is there. why: a sentence about it
 * when not. Any thread. */
bool opencl_kept_has_room(const char *folder, char *why, size_t size);

/* The entries that opencl_kept_mend has found and removed. */
typedef struct opencl_kept_damage {
    unsigned n;
    char first[512]; /* path of the first one; "" : none */
    int error;       /* of the first that could not be removed, which is then `first`; 0: none */
} opencl_kept_damage;

/* Remove the files of kernels and programs that are cut or empty, so that PoCL makes them anew, of
 * the OPENCL_KEPT_MOST programs that were made last. Only files of this user, in folders of this
 * user that nobody else may write to, at the places where PoCL puts them, and none through a link.
 * A file that somebody else is writing is never seen: PoCL renames it when it is whole. */
enum { OPENCL_KEPT_MOST = 256 };
opencl_kept_damage opencl_kept_mend(const char *folder);

#endif
