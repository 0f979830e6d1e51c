/* SPDX-License-Identifier: BSD-3-Clause */
/* The part of a dataset that each of several input pipelines reads: rewriting the graph. */
#ifndef COHORT_DATASET_AUTO_SHARD_H
#define COHORT_DATASET_AUTO_SHARD_H

#include "runtime/data/dataset/dataset.h"

/* Files of the source of files that has the fewest; -1: there is no such source. */
int64_t cohort_auto_shard_fewest_files(const cohort_dataset *dataset);

/* Resolve the dataset's policy: AUTO becomes FILE or DATA, the others stay. AUTO is FILE only
 * where everything comes from sources of files with enough files each; else a warning says why not,
 * where there are several pipelines.
 */
cohort_auto_shard cohort_auto_shard_choose(const cohort_dataset *dataset, int64_t pipelines);

/* The dataset over files index, index + pipelines, ... of every source of files; takes the dataset.
 * NULL with a text: COHORT_EINVAL, on every pipeline, where a source is none of files, or has fewer
 * than there are pipelines. */
cohort_dataset *cohort_auto_shard_files(cohort_dataset *dataset, int64_t pipelines, int64_t index);

/* The dataset with COHORT_NUM_PIPELINES filled in, wherever it stands; takes the dataset. NULL with
 * a text. */
cohort_dataset *cohort_auto_shard_hint(cohort_dataset *dataset, int64_t pipelines, int64_t index);

#endif
