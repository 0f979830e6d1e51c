/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "cli/line_directive.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ESCAPE_BYTES = 5 };

/* Control characters stand as the text that shows them, \x0a: compilers print the name in the
 * lines of their messages. */
static int print_character(char *out, char c)
{
    if (c == '"' || c == '\\' || c == '?')
        return sprintf(out, "\\%c", c);
    if ((unsigned char)c < ' ' || c == 127)
        return sprintf(out, "\\\\x%02x", (unsigned)(unsigned char)c);
    return sprintf(out, "%c", c);
}

char *line_directive(const char *name)
{
    static const char start[] = "#line 1 \"", end[] = "\"\n";
    char *text = malloc(sizeof start + ESCAPE_BYTES * strlen(name) + sizeof end), *at = text;
    if (text == NULL)
        return NULL;
    at += sprintf(at, "%s", start);
    for (; *name != '\0'; name++)
        at += print_character(at, *name);
    (void)sprintf(at, "%s", end);
    return text;
}
