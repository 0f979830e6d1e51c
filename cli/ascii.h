/* SPDX-License-Identifier: BSD-3-Clause */
/* Letters, digits and spaces of ASCII. The command asks for the locale of the user's terminal, and
 * the functions of the C library follow that: in Turkish the small letter of I is none of ASCII's,
 * and elsewhere bytes above 127 are letters. */
#ifndef COHORT_CLI_ASCII_H
#define COHORT_CLI_ASCII_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static inline char ascii_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static inline char ascii_upper(char c)
{
    return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

static inline bool ascii_is_letter(char c)
{
    return ascii_lower(c) >= 'a' && ascii_lower(c) <= 'z';
}

static inline bool ascii_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline bool ascii_is_hexadecimal(char c)
{
    return ascii_is_digit(c) || (ascii_lower(c) >= 'a' && ascii_lower(c) <= 'f');
}

/* A character of a name in C. */
static inline bool ascii_is_of_name(char c)
{
    return ascii_is_letter(c) || ascii_is_digit(c) || c == '_';
}

static inline bool ascii_is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Whether the text begins with these characters, in any case. */
static inline bool ascii_begins(const char *text, const char *with)
{
    while (*with != '\0' && ascii_lower(*text) == ascii_lower(*with)) {
        text++;
        with++;
    }
    return *with == '\0';
}

/* Whether two texts are the same, but for the case of letters. */
static inline bool ascii_same(const char *a, const char *b)
{
    return strlen(a) == strlen(b) && ascii_begins(a, b);
}

#endif
