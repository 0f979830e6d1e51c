/* SPDX-License-Identifier: BSD-3-Clause */
/* Bytes as members of a gzip file (RFC 1952). Members stand one behind the other, each of them
 * whole by itself: so a file that is cut between two is one, too. */
#ifndef COHORT_BASE_GZIP_H
#define COHORT_BASE_GZIP_H

#include <stdbool.h>
#include <stddef.h>

/* Whether this build has zlib. */
bool cohort_gzip_works(void);

/* Room that is enough for a member of so many bytes. */
#define COHORT_GZIP_ROOM(bytes) ((bytes) + (bytes) / 1000 + 64)

/* How many bytes the member has; 0: there is no memory, or it does not work. */
size_t cohort_gzip_member(const void *bytes, size_t n, void *out, size_t room);

#endif
