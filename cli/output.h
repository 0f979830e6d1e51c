/* SPDX-License-Identifier: BSD-3-Clause */
/* Files that a command writes: never through a symbolic link, and every failure is told. */
#ifndef COHORT_CLI_OUTPUT_H
#define COHORT_CLI_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Whether files can be made in the folder; false after a message. */
bool output_folder_is_good(const char *folder);

FILE *output_open(const char *path);             /* NULL after a message */
bool output_close(FILE *file, const char *path); /* false after a message: disk full and the like */

/* Make the text all that the file has, or leave the file as it was; false after a message. What is no file, such as a
 * pipe, is written to. */
bool output_replace(const char *path, const char *text, size_t length);

#endif
