/* SPDX-License-Identifier: BSD-3-Clause */
/* A text that is put together in room of the caller's, always terminated; what does not fit is
 * cut. */
#ifndef COHORT_BASE_TEXT_H
#define COHORT_BASE_TEXT_H

#include <cohort/status.h>

#include <stdbool.h>
#include <stddef.h>

typedef struct cohort_text {
    char *room; /* the caller's */
    size_t bytes, length;
} cohort_text;

/* An empty text in `room`, of one byte or more. */
cohort_text cohort_text_begin(char *room, size_t bytes);

/* Add what is printed. */
void cohort_text_add(cohort_text *text, const char *format, ...) COHORT_PRINTF_(2, 3);

/* Add what is printed as an item of a list: after the separator, unless the text is empty. */
void cohort_text_add_item(cohort_text *text, const char *separator, const char *format, ...)
    COHORT_PRINTF_(3, 4);

/* Add a name as an item of a list that may be long: where the name has no room, "..." is added
 * in its place and false returned. There is always room for that, if all items are names. */
bool cohort_text_add_name(cohort_text *text, const char *separator, const char *name);

#endif
