/* SPDX-License-Identifier: BSD-3-Clause */
/* Labels that are several numbers, of which one is 1 and the others are 0. */
#ifndef COHORT_CLI_ONE_HOT_H
#define COHORT_CLI_ONE_HOT_H

#include "cli/samples.h"

/* How many of the last columns of numbers are one label together with the one that was taken for
 * it; 0: none. */
int64_t one_hot_columns(const samples *s);

#endif
