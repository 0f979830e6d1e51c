/* SPDX-License-Identifier: BSD-3-Clause */
/* Patterns of names, in which one * stands for any text, also none. */
#ifndef COHORT_CHECKPOINT_PATTERN_H
#define COHORT_CHECKPOINT_PATTERN_H

#include <stdbool.h>

/* At most one *. */
bool cohort_pattern_is_one(const char *pattern);

bool cohort_pattern_fits(const char *pattern, const char *name);

/* The name that fits `from`, with what stands for its * in the place of that of `to`. The caller's,
 * by cohort_free; NULL: out of memory. */
char *cohort_pattern_rename(const char *from, const char *to, const char *name);

#endif
