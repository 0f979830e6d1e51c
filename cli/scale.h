/* SPDX-License-Identifier: BSD-3-Clause */
/* How the numbers of rows are scaled before a network sees them. */
#ifndef COHORT_CLI_SCALE_H
#define COHORT_CLI_SCALE_H

#include "cli/samples.h"

#include <stddef.h>

/* Only the rows that the seed chooses to train with say by how much. False after a message.
 * AUTO     MAX where all numbers are integers from 0 to 255, as pixels are; else COLUMNS
 * COLUMNS  each column to mean 0 and deviation 1; one whose numbers are all the same to 0
 * MAX      all numbers divided by the largest absolute value; bytes by 255 */
bool scale_samples(samples *s, scale_kind wanted, bool is_bytes, uint64_t seed);

/* none, columns or max; false after a message. */
bool scale_read(const char *text, scale_kind *out);
const char *scale_name(scale_kind kind);

/* The work that was done, as a line for people says it. */
const char *scale_text(const samples *s, char *out, size_t size);

#endif
