/* SPDX-License-Identifier: BSD-3-Clause */
/* Directives are `#line 12`, `#line 12 "grad.cl"` and `# 12 "grad.cl"`, which a preprocessor
 * writes. One in a comment, or in a part that #if leaves out, counts too: no compiler is at work
 * here, and a place that is wrong then is what the driver said. */
#include "config.h"

#include "opencl/lines.h"

#include <stdbool.h>
#include <string.h>

/* What is left of a text. */
struct text {
    const char *at, *end;
};

static void skip_blanks(struct text *t)
{
    while (t->at < t->end && (*t->at == ' ' || *t->at == '\t'))
        t->at++;
}

static bool take_word(struct text *t, const char *word)
{
    size_t bytes = strlen(word);
    bool is_there = (size_t)(t->end - t->at) >= bytes && memcmp(t->at, word, bytes) == 0;
    t->at += is_there ? bytes : 0;
    return is_there;
}

/* A number without a sign; lines beyond the range are no lines. */
static bool take_number(struct text *t, unsigned *out)
{
    const char *begin = t->at;
    unsigned number = 0;
    for (; t->at < t->end && *t->at >= '0' && *t->at <= '9' && number < 100000000; t->at++)
        number = number * 10 + (unsigned)(*t->at - '0');
    if (t->at == begin)
        return false;
    *out = number;
    return true;
}

static void take_file(struct text *t, struct opencl_place *place)
{
    const char *quote = t->at < t->end && *t->at == '"'
                            ? memchr(t->at + 1, '"', (size_t)(t->end - t->at - 1))
                            : NULL;
    if (quote == NULL)
        return;
    place->file = t->at + 1;
    place->file_bytes = (size_t)(quote - t->at - 1);
}

/* The line sets the place of the line after it. */
static bool is_directive(struct text line, struct opencl_place *place)
{
    skip_blanks(&line);
    if (!take_word(&line, "#"))
        return false;
    skip_blanks(&line);
    if (take_word(&line, "line"))
        skip_blanks(&line);
    if (!take_number(&line, &place->row))
        return false;
    skip_blanks(&line);
    take_file(&line, place);
    return true;
}

struct opencl_place opencl_lines_find(const char *source, size_t bytes, unsigned row)
{
    struct opencl_place place = { NULL, 0, 1 };
    const char *end = source + bytes;
    for (unsigned i = 1; i < row && source < end; i++) {
        const char *newline = memchr(source, '\n', (size_t)(end - source));
        struct text line = { source, newline != NULL ? newline : end };
        if (!is_directive(line, &place))
            place.row++;
        source = newline != NULL ? newline + 1 : end;
    }
    return place;
}
