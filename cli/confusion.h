/* SPDX-License-Identifier: BSD-3-Clause */
/* A confusion matrix: which classes a network takes for which. */
#ifndef COHORT_CLI_CONFUSION_H
#define COHORT_CLI_CONFUSION_H

#include "cli/json.h"

typedef struct confusion {
    int64_t classes;
    const int64_t *rows; /* [label][prediction] */
    char **names;        /* of the classes; NULL where they are numbers */
} confusion;

/* The matrix; of more than CONFUSION_MOST_PRINTED classes the most frequent mistakes instead. */
enum { CONFUSION_MOST_PRINTED = 12 };
void confusion_print(const confusion *c, FILE *file);

/* An array "confusion" of what is not 0. */
void confusion_json(const confusion *c, json *out);

/* what: a confusion. Classes side by side share a cell where there are many. */
void confusion_draw(FILE *file, const void *what);

#endif
