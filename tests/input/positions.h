/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef COHORT_TESTS_INPUT_POSITIONS_H
#define COHORT_TESTS_INPUT_POSITIONS_H

#include "tests/core.h"

/* Files of positions that are cut, bent and lie: an error, and the input goes on. Writes `path`. */
void test_damaged_positions(cohort_strategy *s, const char *path);

#endif
