/* SPDX-License-Identifier: BSD-3-Clause */
/* What transformations of several inputs have in common. */
#ifndef COHORT_DATASET_SEVERAL_H
#define COHORT_DATASET_SEVERAL_H

#include "runtime/data/dataset/through.h"

/* As cohort_dataset_builder_begin, for a list of inputs that the program gave: at least one, none
 * of them NULL. */
bool cohort_several_begin(cohort_dataset_builder *node, const char *call);

/* Rows of a full batch where the inputs that are batched agree, else 0. */
int64_t cohort_several_batch_rows(const cohort_dataset *dataset);

#endif
