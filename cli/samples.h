/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of numbers with labels, in memory: what the demo trains with. */
#ifndef COHORT_CLI_SAMPLES_H
#define COHORT_CLI_SAMPLES_H

#include <stdbool.h>
#include <stdint.h>

enum { SAMPLES_LEAST_ROWS = 10, SAMPLES_MOST_CLASSES = 1000, SAMPLES_MOST_FEATURES = 1000000 };

typedef struct samples {
    int64_t rows, features, classes;
    float *x;   /* rows x features */
    int32_t *y; /* 0 to classes - 1 */
} samples;

/* Read the user's files: their names separated by commas, and the name of the label or NULL; samples_source.h says what
 * they may be. Numbers are scaled: bytes by 255, others by the largest absolute value of the rows that the seed chooses
 * to train with. False after a message; then *out_code is the exit code. */
bool samples_load(const char *files, const char *label, uint64_t seed, samples *out, int *out_code);
void samples_free(samples *s);

int64_t samples_training_rows(const samples *s); /* 80 %; the others are for the test */

/* The order of all rows that `random` gives: those to train with come first. */
void samples_split(const samples *s, uint64_t *random, int32_t *order);

#endif
