/* SPDX-License-Identifier: BSD-3-Clause */
/* What COHORT_LOG says: a level, and levels of subsystems. */
#ifndef COHORT_BASE_LOG_LEVELS_H
#define COHORT_BASE_LOG_LEVELS_H

#include "runtime/base/subsystem.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct cohort_log_levels {
    int rest; /* of subsystems that are not named, and of the program's own lines */
    int of[COHORT_SUBSYSTEM_COUNT];
} cohort_log_levels;

/* All of them at one level. */
cohort_log_levels cohort_log_levels_all(int level);

/* The words of a list, LEVEL or SUBSYSTEM=LEVEL, separated by commas: the latter wins wherever it
 * stands; of the same thing twice, the last. Without a LEVEL the rest is at `rest`. False: a word
 * is none, and why has the sentence without a stop. */
bool cohort_log_levels_parse(const char *text, int rest, cohort_log_levels *out, char *why,
                             size_t size);

/* The most that any of them has. */
int cohort_log_levels_most(const cohort_log_levels *levels);

#endif
