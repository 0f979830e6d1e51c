/* SPDX-License-Identifier: BSD-3-Clause */
/* Texts that come from plugins. */
#ifndef COHORT_DEVICE_TEXT_H
#define COHORT_DEVICE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* Terminated within `capacity` bytes, UTF-8, no control characters. */
bool cohort_text_is_printable(const char *text, size_t capacity);

/* How many letters must be changed, added or taken away to make b of a; 99 for texts over 63 bytes. */
int cohort_text_distance(const char *a, const char *b);

#endif
