/* SPDX-License-Identifier: BSD-3-Clause */
/* "did you mean 'float'?": the known name that is nearest to an unknown one. */
#ifndef COHORT_FUNCTION_GUESS_H
#define COHORT_FUNCTION_GUESS_H

#include "runtime/function/lexer.h"

typedef struct cohort_guess {
    cohort_token token; /* the unknown name */
    const char *best;   /* NULL: nothing is near */
    size_t distance;
    char text[160];
} cohort_guess;

/* Keep `candidate` when it is nearer than all before it, and near enough. */
void cohort_guess_consider(cohort_guess *guess, const char *candidate);

/* "; did you mean 'float'?", or "" when nothing is near. */
const char *cohort_guess_text(cohort_guess *guess);

#endif
