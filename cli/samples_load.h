/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading samples from the user's files. */
#ifndef COHORT_CLI_SAMPLES_LOAD_H
#define COHORT_CLI_SAMPLES_LOAD_H

#include "cli/samples.h"

/* False after a message; then *out_code is the exit code. */
bool samples_load(const samples_options *options, samples *out, int *out_code);

#endif
