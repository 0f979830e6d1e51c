/* SPDX-License-Identifier: BSD-3-Clause */
/* Tensors of a file that is written: how they join its layout, with what the metadata has to say of
 * them, and the header that comes last. */
#ifndef COHORT_CHECKPOINT_TENSOR_H
#define COHORT_CHECKPOINT_TENSOR_H

#include "runtime/data/format/replacement.h"
#include "runtime/data/format/safetensors_write.h"

/* Add a tensor. One of a dtype that the format has not has the bytes of an element as its last axis
 * there, and its dtype in a note. rank is at most COHORT_TENSORS_MAX_RANK - 1. The errors of
 * cohort_tensors_add. */
cohort_status cohort_checkpoint_add(cohort_tensors_layout *layout, const char *name,
                                    cohort_dtype dtype, int64_t item_bytes, int32_t rank,
                                    const int64_t shape[]);

/* Before the tensors, all of which were summed. COHORT_ENOMEM, and the errors of writing. */
cohort_status cohort_checkpoint_write_header(cohort_replacement *file,
                                             const cohort_tensors_layout *layout);

#endif
