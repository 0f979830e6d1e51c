/* SPDX-License-Identifier: BSD-3-Clause */
/* Texts from files on a terminal: control characters, and what turns the direction of writing, as
 * escapes. */
#ifndef COHORT_CLI_VISIBLE_H
#define COHORT_CLI_VISIBLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* \n, \t, \\, \x1b for a byte, \u202e for a character; other UTF-8 as it is. */
void visible_print(FILE *file, const char *text, size_t bytes);

/* The lines of a message: ends of lines, tabs and backslashes stay as they are. */
void visible_message(FILE *file, const char *text);

/* The same as visible_print into memory of `size` bytes, cut with "..." where it does not fit; size
 * >= 4. Returns out.
 */
const char *visible(const char *text, char *out, size_t size);

/* Whether it is UTF-8 without control characters, but for tabs and ends of lines. */
bool visible_is_text(const void *bytes, size_t n);

#endif
