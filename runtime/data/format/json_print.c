/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/data/format/json_print.h"

static void print_character(FILE *out, char c)
{
    if (c == '"' || c == '\\')
        (void)fprintf(out, "\\%c", c);
    else if ((unsigned char)c < 0x20)
        (void)fprintf(out, "\\u%04x", (unsigned)c);
    else
        (void)fputc(c, out);
}

void cohort_json_print(FILE *out, const char *first, const char *second)
{
    (void)fputc('"', out);
    for (const char *p = first; *p != '\0'; p++)
        print_character(out, *p);
    for (const char *p = second; *p != '\0'; p++)
        print_character(out, *p);
    (void)fputc('"', out);
}
