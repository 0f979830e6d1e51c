/* SPDX-License-Identifier: BSD-3-Clause */
/* Colour: three of the eight that every terminal has. Source of NO_COLOR: https://no-color.org */
#include "config.h"

#include "cli/colour.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_wanted(void)
{
    const char *none = getenv("NO_COLOR"), *term = getenv("TERM");
    return (none == NULL || none[0] == '\0') && term != NULL && term[0] != '\0' &&
           strcmp(term, "dumb") != 0 && isatty(STDOUT_FILENO);
}

void colour_print(colour which, const char *text)
{
    static const char *const starts[] = {
        [COLOUR_GOOD] = "\033[32m", [COLOUR_NOTE] = "\033[33m", [COLOUR_BAD] = "\033[31m"
    };
    if (is_wanted())
        printf("%s%s\033[0m", starts[which], text);
    else
        printf("%s", text);
}
