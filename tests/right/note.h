/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef COHORT_TESTS_RIGHT_NOTE_H
#define COHORT_TESTS_RIGHT_NOTE_H

#include "tests/right/right.h"

/* Around a program: what follows is of this one, under this strategy. end: whether no call failed;
 * else a line "PROGRAM failed: ...", of each process. */
void note_begin(const char *name, cohort_strategy *s);
bool note_end(cohort_strategy *s);

#endif
