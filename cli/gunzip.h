/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef COHORT_CLI_GUNZIP_H
#define COHORT_CLI_GUNZIP_H

#include <stdio.h>

/* What is in a file, where that is gzipped (RFC 1952), else the file itself: as a stream, in memory
 * that is known before. At its beginning it is what counts, not its name.
 *
 * file  is the stream's from here on, or closed
 * NULL, and *out_wrong: there is no memory, or this build has no zlib. A file that is cut ends
 * there; one that is damaged cannot be read (ferror). */
FILE *gunzip(FILE *file, const char **out_wrong);

#endif
