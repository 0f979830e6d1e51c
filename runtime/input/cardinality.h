/* SPDX-License-Identifier: BSD-3-Clause */
/* How many steps an input has from its start to its end. */
#ifndef COHORT_INPUT_CARDINALITY_H
#define COHORT_INPUT_CARDINALITY_H

#include "runtime/input/input.h"

/* Of this pipeline alone, or COHORT_INFINITE, COHORT_UNKNOWN; an input whose lists are there. */
int64_t cohort_input_count_steps(const cohort_input *input);

/* Of two pipelines that end when neither has rows any more. */
int64_t cohort_cardinality_longer(int64_t a, int64_t b);

#endif
