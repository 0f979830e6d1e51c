/* SPDX-License-Identifier: BSD-3-Clause */
/* "did you mean 'float'?": the known name that is nearest to an unknown one. */
#ifndef COHORT_BASE_GUESS_H
#define COHORT_BASE_GUESS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct cohort_guess {
    const char *name;   /* the unknown one */
    size_t length;      /* of the name, which needs no zero byte */
    bool prefers_later; /* of equally near candidates the last one counts, else the first */
    const char *best;   /* NULL: nothing is near */
    size_t distance;
    char text[160];
} cohort_guess;

/* Keep `candidate` when it is nearer than all before it, and near enough. */
void cohort_guess_consider(cohort_guess *guess, const char *candidate);

/* "; did you mean 'float'?", or "" when nothing is near. */
const char *cohort_guess_text(cohort_guess *guess);

#endif
