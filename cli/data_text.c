/* SPDX-License-Identifier: BSD-3-Clause */
/* Texts for arrays of bytes: "text" with the 0 at its end, as in C, b"text" without, and words as
 * they are. */
#include "config.h"

#include "cli/ascii.h"
#include "cli/cli.h"
#include "cli/data.h"
#include "cli/number.h"

#include <stdlib.h>
#include <string.h>

/* A word that is no number, no name of an enum's constant, and no zeros(...). Only letters can
 * begin one, so that a mistyped number is told as a number. */
static bool is_word(const char *text, const item_type *type)
{
    char first[NUMBER_TEXT_BYTES], number[NUMBER_BYTES];
    size_t length = strcspn(text, ", \t\n");
    (void)snprintf(first, sizeof first, "%.*s", (int)(length < sizeof first ? length : 0), text);
    return ascii_is_letter(*text) && number_read(first, type->dtype, number) != NULL;
}

static bool is_quoted(const char *text)
{
    return text[0] == '"' || (text[0] == 'b' && text[1] == '"');
}

bool data_is_text(const char *text, const item_type *type)
{
    return (type->dtype == COHORT_I8 || type->dtype == COHORT_U8) &&
           (is_quoted(text) || is_word(text, type));
}

/* The byte after a backslash; the rest of the text, or NULL. */
static const char *read_escape(const char *at, char *out)
{
    static const char letters[] = "nt0r\\\"", bytes[] = "\n\t\0\r\\\"";
    char digits[3] = "";
    if (*at == 'x' && ascii_is_hexadecimal(at[1]) && ascii_is_hexadecimal(at[2])) {
        memcpy(digits, at + 1, 2);
        *out = (char)strtol(digits, NULL, 16);
        return at + 3;
    }
    const char *found = *at != '\0' ? strchr(letters, *at) : NULL;
    if (found == NULL)
        return NULL;
    *out = bytes[found - letters];
    return at + 1;
}

/* Up to the quote that ends the text. NULL, or what is wrong. */
static const char *read_quoted(const char *at, char *out, size_t *out_bytes)
{
    size_t n = 0;
    while (*at != '"' && *at != '\0') {
        if (*at != '\\') {
            out[n++] = *at++;
            continue;
        }
        at = read_escape(at + 1, &out[n++]);
        if (at == NULL)
            return "expected \\n, \\t, \\r, \\0, \\\\, \\\" or \\xff after a backslash";
    }
    *out_bytes = n;
    return *at == '\0'     ? "the quote is never closed"
           : at[1] != '\0' ? "more follows the quote"
                           : NULL;
}

/* A quoted text is never longer than what stands on the command line, which is room enough. */
int data_read_text(const char *text, const item_type *type, data *out)
{
    const char *wrong = NULL;
    bool has_end = text[0] != 'b' || text[1] != '"';
    size_t n = strlen(text);
    out->array.rank = 1;
    out->array.shape[0] = (int64_t)n + 1;
    if (!data_allocate(type, out))
        return EXIT_FAILED;
    if (is_quoted(text))
        wrong = read_quoted(strchr(text, '"') + 1, out->memory, &n);
    else
        memcpy(out->memory, text, n);
    if (wrong != NULL)
        return cli_fail(EXIT_USAGE, "%s=%s: %s", type->name, text, wrong);
    ((char *)out->memory)[n] = '\0';
    out->array.shape[0] = (int64_t)n + has_end;
    return EXIT_OK;
}
