/* SPDX-License-Identifier: BSD-3-Clause */
/* A text in a regular file, as a whole. */
#ifndef COHORT_CLI_REGULAR_FILE_H
#define COHORT_CLI_REGULAR_FILE_H

#include <stddef.h>
#include <stdio.h>

enum { REGULAR_FILE_MOST_BYTES = 16 << 20 };

/* Its bytes, with a 0 behind them, for regular_file_free. NULL, or why not: it is not there, is no
 * regular file (a FIFO would be waited for), has more than REGULAR_FILE_MOST_BYTES, or cannot be
 * read to its end. A file that grows meanwhile is read as far as it was. */
const char *regular_file_read(const char *path, char **out_text, size_t *out_bytes);

/* Open one of any size for reading. NULL, and *out_wrong: it is not there, or is no
 * regular file. */
FILE *regular_file_open(const char *path, const char **out_wrong);

void regular_file_free(char *text);

#endif
