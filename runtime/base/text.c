/* SPDX-License-Identifier: BSD-3-Clause */
/* length < bytes always: so there is room for the zero byte, and a text that is full takes more
 * without a check at each caller. */
#include "config.h"

#include "runtime/base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

cohort_text cohort_text_begin(char *room, size_t bytes)
{
    room[0] = '\0';
    return (cohort_text){ room, bytes, 0 };
}

static void add(cohort_text *text, const char *format, va_list arguments)
{
    size_t left = text->bytes - text->length;
    int printed = vsnprintf(text->room + text->length, left, format, arguments);
    size_t added = printed > 0 ? (size_t)printed : 0;
    text->length += added < left ? added : left - 1;
}

void cohort_text_add(cohort_text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add(text, format, arguments);
    va_end(arguments);
}

void cohort_text_add_item(cohort_text *text, const char *separator, const char *format, ...)
{
    va_list arguments;
    if (text->length > 0)
        cohort_text_add(text, "%s", separator);
    va_start(arguments, format);
    add(text, format, arguments);
    va_end(arguments);
}

/* A name is added only where behind it one more separator and "..." still fit, with the zero
 * byte that sizeof counts. */
bool cohort_text_add_name(cohort_text *text, const char *separator, const char *name)
{
    size_t left = text->bytes - text->length;
    bool fits = 2 * strlen(separator) + strlen(name) + sizeof "..." <= left;
    cohort_text_add_item(text, separator, "%s", fits ? name : "...");
    return fits;
}
