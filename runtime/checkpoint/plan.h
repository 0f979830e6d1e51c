/* SPDX-License-Identifier: BSD-3-Clause */
/* What becomes of a state in a file: its tensors and metadata, and who has the content of each. */
#ifndef COHORT_CHECKPOINT_PLAN_H
#define COHORT_CHECKPOINT_PLAN_H

#include "runtime/checkpoint/state.h"
#include "runtime/data/format/safetensors_write.h"

/* The content of a tensor. */
typedef struct cohort_source_of_tensor {
    const cohort_item *item;
    bool has_components; /* those of a variable, one after the other; else what it is read as */
} cohort_source_of_tensor;

typedef struct cohort_checkpoint_plan {
    cohort_tensors_layout layout;
    cohort_source_of_tensor *sources; /* by the index of a tensor, as it was added */
} cohort_checkpoint_plan;

/* Lay out the tensors of a state, and put its metadata together: positions of inputs too, as they
 * are now. COHORT_EINVAL names what cannot be saved; COHORT_ENOMEM. After a failure there is
 * nothing to free. */
cohort_status cohort_checkpoint_plan_begin(cohort_checkpoint_plan *out, const cohort_state *state,
                                           int64_t step);
void cohort_checkpoint_plan_end(cohort_checkpoint_plan *plan);

#endif
