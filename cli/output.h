/* SPDX-License-Identifier: BSD-3-Clause */
/* Files that a command writes: never through a symbolic link, and every failure is told. */
#ifndef COHORT_CLI_OUTPUT_H
#define COHORT_CLI_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Whether files can be made in the folder; false after a message. */
bool output_folder_is_good(const char *folder);

/* Make the text all that the file has, or leave the file as it was; false after a message. A
 * symbolic link is replaced and not followed; what is no file, such as a pipe, is written to. */
bool output_replace(const char *path, const char *text, size_t length);

/* Whether that could be done now, for what takes long to make; false after a message. */
bool output_can_replace(const char *path);

/* The same of a text that is written to a stream, in memory first. */
typedef void (*output_draw_fn)(FILE *file, const void *what);
bool output_draw(const char *path, output_draw_fn draw, const void *what);

/* Close a stream into memory; false without a message: its text is not whole, for want of
 * memory. */
bool output_close_memory(FILE *memory);

/* Whether what is written to the one would be gone once the other is written: one file by two
 * names, there or not yet.
 */
bool output_is_same_file(const char *a, const char *b);

#endif
