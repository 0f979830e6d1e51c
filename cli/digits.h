/* SPDX-License-Identifier: BSD-3-Clause */
/* The images of the demo. */
#ifndef COHORT_CLI_DIGITS_H
#define COHORT_CLI_DIGITS_H

#include "cli/samples.h"

/* Read digits.csv from $COHORT_DATA_PATH, else from where it was installed. False after a
 * message. */
bool digits_load(samples *out);

#endif
