/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/base/guess.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = 32 }; /* names beyond this are not compared */

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Letters to change, insert, drop or swap with their neighbour to make b of a; neither is longer
 * than LONGEST. Three rows of the table are enough: a swap looks two rows up.
 *
 * Source: Damerau, A technique for computer detection and correction of spelling errors, 1964;
 * in the form in which no letter is edited twice. */
static size_t edit_distance(const char *a, size_t n_a, const char *b, size_t n_b)
{
    size_t rows[3][LONGEST + 1];
    for (size_t j = 0; j <= n_b; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= n_a; i++) {
        size_t *row = rows[i % 3], *above = rows[(i + 2) % 3], *above2 = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= n_b; j++) {
            row[j] =
                smaller(above[j - 1] + (a[i - 1] != b[j - 1]), 1 + smaller(above[j], row[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = smaller(row[j], above2[j - 2] + 1);
        }
    }
    return rows[n_a % 3][n_b];
}

void cohort_guess_consider(cohort_guess *guess, const char *candidate)
{
    size_t length = strlen(candidate);
    if (length > LONGEST || guess->length > LONGEST)
        return;
    size_t distance = edit_distance(guess->name, guess->length, candidate, length);
    /* Two letters at most, and fewer than half of them: in shorter names everything is near
     * everything, and a wrong hint is worse than none. */
    bool is_near = distance <= 2 && 2 * distance < guess->length,
         is_nearer = guess->best == NULL || distance < guess->distance,
         is_later = guess->prefers_later && distance == guess->distance;
    if (is_near && (is_nearer || is_later)) {
        guess->best = candidate;
        guess->distance = distance;
    }
}

const char *cohort_guess_text(cohort_guess *guess)
{
    guess->text[0] = '\0';
    if (guess->best != NULL)
        (void)snprintf(guess->text, sizeof guess->text, "; did you mean '%s'?", guess->best);
    return guess->text;
}
