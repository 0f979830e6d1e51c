/* SPDX-License-Identifier: BSD-3-Clause */
/* Text from outside, made visible: control characters, what changes the direction of writing, and
 * bytes that are no UTF-8 are shown as escapes, so that no file name or message of a driver moves
 * the cursor or hides a part of itself. */
#include "config.h"

#include "cli/visible.h"

#include "cli/utf8.h"

#include <string.h>

enum { ESCAPE_BYTES = 16 }; /* room for any one of them */

static bool is_control(unsigned character)
{
    return character < 0x20 || (character >= 0x7f && character < 0xa0) || character == 0x2028 ||
           character == 0x2029;
}

/* Marks, embeddings, overrides and isolates. Source: Unicode Standard Annex 9, section 2. */
static bool turns_direction(unsigned character)
{
    return character == 0x61c || character == 0x200e || character == 0x200f ||
           (character >= 0x202a && character <= 0x202e) ||
           (character >= 0x2066 && character <= 0x2069);
}

/* One character, or one byte that is part of none, as it is shown; returns how many bytes it
 * took. */
static size_t show(const unsigned char *p, size_t left, char out[ESCAPE_BYTES])
{
    size_t length = utf8_length(p, left);
    unsigned character = length > 0 ? utf8_character(p, length) : p[0];
    static const char plain[] = "\n\r\t\\", letters[] = "nrt\\";
    const char *found = memchr(plain, p[0], sizeof plain - 1);
    if (found != NULL)
        (void)snprintf(out, ESCAPE_BYTES, "\\%c", letters[found - plain]);
    else if (length < 2 && (length == 0 || is_control(character)))
        (void)snprintf(out, ESCAPE_BYTES, "\\x%02x", p[0]);
    else if (is_control(character) || turns_direction(character))
        (void)snprintf(out, ESCAPE_BYTES, "\\u%04x", character);
    else
        (void)snprintf(out, ESCAPE_BYTES, "%.*s", (int)length, (const char *)p);
    return length > 0 ? length : 1;
}

void visible_print(FILE *file, const char *text, size_t bytes)
{
    const unsigned char *p = (const unsigned char *)text;
    char shown[ESCAPE_BYTES];
    for (size_t at = 0; at < bytes;) {
        at += show(p + at, bytes - at, shown);
        fputs(shown, file);
    }
}

/* Line ends and tabs of our own messages stay; a backslash in them is no escape. */
void visible_message(FILE *file, const char *text)
{
    for (size_t plain; *text != '\0'; text += plain) {
        plain = strcspn(text, "\n\t\\");
        visible_print(file, text, plain);
        if (text[plain] != '\0')
            fputc(text[plain++], file);
    }
}

/* Cut between characters, and with "..." where it was cut. */
const char *visible(const char *text, char *out, size_t size)
{
    const unsigned char *p = (const unsigned char *)text;
    size_t bytes = strlen(text), used = 0;
    char shown[ESCAPE_BYTES];
    out[0] = '\0';
    for (size_t at = 0; at < bytes;) {
        at += show(p + at, bytes - at, shown);
        size_t length = strlen(shown);
        if (used + length + sizeof "..." > size) {
            memcpy(out + used, "...", sizeof "...");
            break;
        }
        memcpy(out + used, shown, length + 1);
        used += length;
    }
    return out;
}

bool visible_is_text(const void *bytes, size_t n)
{
    const unsigned char *p = bytes;
    for (size_t at = 0, length; at < n; at += length) {
        length = utf8_length(p + at, n - at);
        if (length == 0)
            return false;
        bool is_space = p[at] == '\n' || p[at] == '\r' || p[at] == '\t';
        if (is_control(utf8_character(p + at, length)) && !is_space)
            return false;
    }
    return true;
}
