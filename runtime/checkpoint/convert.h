/* SPDX-License-Identifier: BSD-3-Clause */
/* Checkpoints as .npz files of NumPy's, and back. Errors as cohort_checkpoint_convert, without its
 * name. */
#ifndef COHORT_CHECKPOINT_CONVERT_H
#define COHORT_CHECKPOINT_CONVERT_H

#include "runtime/checkpoint/file.h"

/* The member with the metadata. */
#define COHORT_CONVERT_METADATA COHORT_TENSORS_METADATA

/* Whether a key says something of the bytes of a file alone: its checksums, and what lies as
 * bytes. */
bool cohort_convert_is_of_file(const char *key);

/* to: the .npz file. */
cohort_status cohort_checkpoint_export(const cohort_checkpoint *from, const char *to);

/* from: the .npz file. */
cohort_status cohort_checkpoint_import(const char *from, const char *to);

#endif
