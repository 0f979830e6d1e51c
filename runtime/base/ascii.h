/* SPDX-License-Identifier: BSD-3-Clause */
/* Letters in any case, as ASCII has them. The functions of the C library follow the locale that the
 * program has set: in Turkish the small letter of I is none of ASCII's. */
#ifndef COHORT_BASE_ASCII_H
#define COHORT_BASE_ASCII_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static inline char cohort_ascii_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Whether `n` characters are the same, but for the case of letters. No text may end before. */
static inline bool cohort_ascii_same_bytes(const char *a, const char *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (cohort_ascii_lower(a[i]) != cohort_ascii_lower(b[i]))
            return false;
    return true;
}

/* Whether two whole texts are. */
static inline bool cohort_ascii_same(const char *a, const char *b)
{
    size_t length = strlen(a);
    return strlen(b) == length && cohort_ascii_same_bytes(a, b, length);
}

#endif
