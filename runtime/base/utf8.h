/* SPDX-License-Identifier: BSD-3-Clause */
/* Texts of UTF-8 that come from outside. */
#ifndef COHORT_BASE_UTF8_H
#define COHORT_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* How many bytes the first character of a text has, which ends with a 0; 0 when it is none. */
size_t cohort_utf8_bytes(const char *text);

/* Terminated within `capacity` bytes, UTF-8, no control characters. */
bool cohort_utf8_is_printable(const char *text, size_t capacity);

/* The text, which ends at its 0 or after `capacity` bytes, with every byte that is no character of
 * UTF-8, or of one that moves the cursor or turns the direction of writing, as \xff. Text that does
 * not fit is cut, at a character. size: 5 at least. */
void cohort_utf8_escape(const char *text, size_t capacity, char *out, size_t size);

/* The text as a string of JSON has it, without the quotes, of at most 6 times its bytes and the 0;
 * what moves the cursor or turns the direction of writing is a \u, and a byte that is no UTF-8 a
 * question mark. */
void cohort_utf8_json(const char *text, char *out);

#endif
