/* SPDX-License-Identifier: BSD-3-Clause */
/* The images of the demo. */
#ifndef COHORT_CLI_DIGITS_H
#define COHORT_CLI_DIGITS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct digits {
    int64_t rows;
    float *pixels; /* rows x 64, 0 to 1 */
    int32_t *labels;
} digits;

/* Read digits.csv from $COHORT_DATA_PATH, else from where it was installed. False after a message. */
bool digits_load(digits *out);
void digits_free(digits *data);

#endif
