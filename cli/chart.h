/* SPDX-License-Identifier: BSD-3-Clause */
/* The picture of a training: loss and accuracy of each epoch, side by side, as a small SVG file. */
#ifndef COHORT_CLI_CHART_H
#define COHORT_CLI_CHART_H

#include "cli/training.h"

#include <stdio.h>

typedef struct chart_epochs {
    const training_epoch *epoch;
    int64_t epochs;
} chart_epochs;

/* what: chart_epochs. Numbers that are not finite are left out. */
void chart_draw(FILE *file, const void *what);

#endif
