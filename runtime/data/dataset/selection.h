/* SPDX-License-Identifier: BSD-3-Clause */
/* Selections: take, skip, shard and filter, which have some elements of another dataset.
 *
 * Over a shuffle that gives another order each time two of them do not stay apart: what one has in
 * an iteration the other has in the next, rows to test with among those to train with. So those
 * over such a shuffle stand on top of each other, in one chain. */
#ifndef COHORT_DATASET_SELECTION_H
#define COHORT_DATASET_SELECTION_H

#include "runtime/data/dataset/dataset.h"

/* As cohort_dataset_builder_make, of a selection. COHORT_EINVAL: a shuffle below has another one
 * that stands not below this; the text names the shuffle, and begins with `call`. */
cohort_dataset *cohort_selection_make(cohort_dataset_builder *node, const char *call);

#endif
