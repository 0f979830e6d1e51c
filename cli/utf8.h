/* SPDX-License-Identifier: BSD-3-Clause */
/* The part of a text that is UTF-8. */
#ifndef COHORT_CLI_UTF8_H
#define COHORT_CLI_UTF8_H

#include <stdbool.h>
#include <stddef.h>

static inline size_t utf8_length_after(unsigned char first)
{
    if (first < 0x80)
        return 1;
    if (first < 0xc2 || first > 0xf4)
        return 0;
    return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

/* Bytes of the sequence at p, of which `left` bytes are there; 0 when it is none. Source: RFC 3629,
 * section 4. */
static inline size_t utf8_length(const unsigned char *p, size_t left)
{
    size_t length = left > 0 ? utf8_length_after(p[0]) : 0;
    if (length > left)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    if (length < 3)
        return length;
    bool is_long_or_surrogate = (p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] > 0x9f);
    bool is_out_of_range = (p[0] == 0xf0 && p[1] < 0x90) || (p[0] == 0xf4 && p[1] > 0x8f);
    return is_long_or_surrogate || is_out_of_range ? 0 : length;
}

/* The character of a sequence that utf8_length found. */
static inline unsigned utf8_character(const unsigned char *p, size_t length)
{
    unsigned character = length < 2 ? p[0] : p[0] & (0x7fu >> length);
    for (size_t i = 1; i < length; i++)
        character = character << 6 | (p[i] & 0x3f);
    return character;
}

#endif
