/* SPDX-License-Identifier: BSD-3-Clause */
/* A checkpoint that is open to be read.
 *
 * Metadata of ours, beside the checksums (safetensors.h):
 *
 *     cohort.format          "1"
 *     cohort.version         of the library that wrote it
 *     cohort.step            of the program
 *     cohort.replicas        how many there were
 *     cohort.byte_order      "little" or "big": of the machine, where structs are in it
 *     cohort.dtype.TENSOR    "complex128[3]": of what lies as U8, one axis more for its bytes
 *     cohort.input.NAME      a position (runtime/input/position.h)
 *
 * A tensor NAME@replicas has the components of variable NAME, one after the other. */
#ifndef COHORT_CHECKPOINT_FILE_H
#define COHORT_CHECKPOINT_FILE_H

#include "runtime/base/handle.h"
#include "runtime/data/format/safetensors.h"

#include <cohort/checkpoint.h>

#define COHORT_CHECKPOINT_FORMAT "1"
#define COHORT_CHECKPOINT_DTYPE COHORT_TENSORS_KEYS "dtype."
#define COHORT_CHECKPOINT_INPUT COHORT_TENSORS_KEYS "input."
#define COHORT_CHECKPOINT_REPLICAS "@replicas"

struct cohort_checkpoint {
    cohort_handle handle; /* first */
    char *path;
    cohort_safetensors file;
    cohort_checkpoint_tensor *tensors; /* [file.n], in the order of file.tensors */
    char **owners; /* [file.n]: of components the name of their variable; of others NULL */
    int64_t step;  /* -1: none */
    bool has_other_byte_order; /* of structs */
    bool is_verified;          /* all of it was read when it was opened */
    char *skipped;             /* "" where nothing was */
};

/* As cohort_checkpoint_open, of a folder or a file; what is passed over is in the log. COHORT_END:
 * there is no folder, or nothing in it. */
cohort_status cohort_checkpoint_begin(const char *path, cohort_checkpoint **out);

/* The same of a file alone. */
cohort_status cohort_checkpoint_begin_file(const char *path, cohort_checkpoint **out);

/* Free one that a program may not have seen. NULL is allowed. */
void cohort_checkpoint_end(cohort_checkpoint *checkpoint);

/* Each tensor that has a checksum has the right one, and all can be read. */
cohort_status cohort_checkpoint_verify(const cohort_checkpoint *checkpoint);

/* Index of a tensor; -1: there is none. */
int cohort_checkpoint_find(const cohort_checkpoint *checkpoint, const char *name);

/* The elements of a tensor as this machine has them: the checksum was compared. */
cohort_status cohort_checkpoint_fetch(const cohort_checkpoint *checkpoint, int index, void *into);

/* The path names a file, whether there is one or not. */
bool cohort_checkpoint_is_file(const char *path);

#endif
