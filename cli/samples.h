/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of numbers with labels, in memory: what the demo trains with. */
#ifndef COHORT_CLI_SAMPLES_H
#define COHORT_CLI_SAMPLES_H

#include "cli/table_options.h"

#include <cohort/dataset.h>

#include <stdbool.h>
#include <stdint.h>

enum { SAMPLES_LEAST_ROWS = 10, SAMPLES_MOST_CLASSES = 1000, SAMPLES_MOST_FEATURES = 1000000 };

typedef enum scale_kind {
    SCALE_AUTO,
    SCALE_NONE,
    SCALE_COLUMNS,
    SCALE_MAX
} scale_kind; /* scale.h says what they do */

typedef struct samples {
    int64_t rows, features, classes;
    float *x;         /* rows x features */
    int32_t *y;       /* 0 to classes - 1 */
    scale_kind scale; /* what was done with x, never AUTO; of the user's files */
    float largest;    /* what MAX divided by */
    bool is_one_hot;  /* labels were, in the files */
    char **names;     /* of the classes; NULL where they are numbers */
} samples;

/* files   names separated by commas; samples_source.h says what they may be
 * label   its name, or NULL
 * table   how CSV files are read
 * seed    chooses the rows to train with, as samples_split does */
typedef struct samples_options {
    const char *files, *label;
    table_options table;
    scale_kind scale;
    uint64_t seed;
} samples_options;

void samples_free(samples *s);

int64_t samples_training_rows(const samples *s); /* 80 %; the others are for the test */

/* The order of all rows that `random` gives: those to train with come first. */
void samples_split(const samples *s, uint64_t *random, int32_t *order);

/* The numbers in that order, which stays borrowed, as two datasets: those to train with, as many as
 * samples_training_rows says, and those to test with. */
cohort_status samples_parts(const samples *s, const int32_t *order, cohort_dataset *parts[2]);

#endif
