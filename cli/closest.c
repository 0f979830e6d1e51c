/* SPDX-License-Identifier: BSD-3-Clause */
/* The closest word: what a user may have meant by a name that is not known. The library has such a
 * function too, behind its headers; the command uses the public ones alone and so has its own. */
#include "config.h"

#include "cli/closest.h"

#include <stddef.h>
#include <string.h>

/* Of names as short as those here, more than three changes make another word. */
enum { MOST_LETTERS = 30, FAR = MOST_LETTERS + 2, MOST_CHANGES = 3 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Levenshtein distance; words of 31 letters and more are far from everything. */
static size_t distance(const char *a, const char *b)
{
    size_t row[FAR], length = strlen(b);
    if (length > MOST_LETTERS || strlen(a) > MOST_LETTERS)
        return FAR;
    for (size_t j = 0; j <= length; j++)
        row[j] = j;
    for (size_t i = 1; a[i - 1] != '\0'; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= length; j++) {
            size_t replaced = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            row[j] = least(replaced, least(row[j], row[j - 1]) + 1);
        }
    }
    return row[length];
}

const char *closest(const char *word, const char *const words[])
{
    const char *best = NULL;
    size_t least_changes = MOST_CHANGES + 1;
    for (int i = 0; words[i] != NULL; i++) {
        size_t changes = distance(word, words[i]);
        /* as many changes as letters would make any word of any other */
        if (changes < least_changes && changes < strlen(words[i])) {
            least_changes = changes;
            best = words[i];
        }
    }
    return best;
}
