/* SPDX-License-Identifier: BSD-3-Clause */
/* A checkpoint that is open to be read.
 *
 * Metadata of ours, beside the checksums (safetensors.h):
 *
 *     cohort.format          "1"
 *     cohort.version         of the library that wrote it
 *     cohort.step            of the program
 *     cohort.replicas        how many there were
 *     cohort.worker          of a shard: "1 of 3"
 *     cohort.save            of a shard: 16 digits, the same in all shards of a save
 *     cohort.byte_order      "little" or "big": of the machine, where structs are in it
 *     cohort.dtype.TENSOR    "complex128[3]": of what lies as U8, one axis more for its bytes
 *     cohort.input.NAME      a position (runtime/input/position.h)
 *
 * A tensor NAME@replicas has the components of variable NAME, one after the other; of several
 * workers each has those of its own replicas in its shard. NAME@worker1 is the array that part NAME
 * was on worker 1, where it was not the same on all. */
#ifndef COHORT_CHECKPOINT_FILE_H
#define COHORT_CHECKPOINT_FILE_H

#include "runtime/base/handle.h"
#include "runtime/checkpoint/manifest.h"
#include "runtime/data/format/safetensors.h"

#include <cohort/checkpoint.h>

#define COHORT_CHECKPOINT_FORMAT "1"
#define COHORT_CHECKPOINT_DTYPE COHORT_TENSORS_KEYS "dtype."
#define COHORT_CHECKPOINT_INPUT COHORT_TENSORS_KEYS "input."
#define COHORT_CHECKPOINT_SAVE COHORT_TENSORS_KEYS "save"
#define COHORT_CHECKPOINT_WORKER COHORT_TENSORS_KEYS "worker"
#define COHORT_CHECKPOINT_REPLICAS "@replicas"
#define COHORT_CHECKPOINT_OWN "@worker"

/* Where a tensor lies. One of components has rows in every shard, under its name. */
typedef struct cohort_place_of_tensor {
    int32_t shard;
    const cohort_tensor *tensor; /* in the first shard that has it */
    char *owner;                 /* of another part of something: the name of that; else NULL */
    int32_t worker;              /* whose own it is; -1: of all, or components */
    int64_t *shape;              /* where it is none of the file's; else NULL */
} cohort_place_of_tensor;

struct cohort_checkpoint {
    cohort_handle handle; /* first */
    char *path;
    cohort_file manifest;   /* fd -1: there is one file, and no manifest */
    cohort_manifest listed; /* what that says */
    char **paths;           /* [n_shards] */
    /* [n_shards]: a file, or the shards by worker, of which the first one has what is the same */
    cohort_safetensors *shards;
    int32_t n_shards;
    cohort_checkpoint_tensor *tensors;        /* [n], shard by shard as they lie there */
    cohort_place_of_tensor *places;           /* [n] */
    const cohort_checkpoint_tensor **by_name; /* [n] */
    size_t n;
    int64_t step;              /* -1: none */
    bool has_other_byte_order; /* of structs */
    bool is_verified;          /* all of it was read when it was opened */
    char *skipped;             /* "" where nothing was */
};

/* What another worker has sent of its files, which are not here. */
typedef struct cohort_received {
    cohort_file *files; /* [n]; their paths are names in the folder of the checkpoint */
    int32_t n;
} cohort_received;

/* As cohort_checkpoint_open, of a folder or a file; what is passed over is in the log. COHORT_END:
 * there is no folder, or nothing in it. */
cohort_status cohort_checkpoint_begin(const char *path, cohort_checkpoint **out);

/* The same of a file alone, or of a manifest and its shards. received: in place of the files of
 * these names, and taken as far as they are used; NULL: nothing was sent. */
cohort_status cohort_checkpoint_begin_file(const char *path, const cohort_received *received,
                                           cohort_checkpoint **out);

/* List the tensors of all shards, as a checkpoint is made. COHORT_EINVAL: they do not fit together;
 * COHORT_ENOMEM. */
cohort_status cohort_checkpoint_list_tensors(cohort_checkpoint *checkpoint);

/* Its files, the manifest first; NULL: no more. */
const cohort_file *cohort_checkpoint_file_at(const cohort_checkpoint *checkpoint, int32_t index);

/* It is a shard that was opened without its manifest. */
bool cohort_checkpoint_is_part(const cohort_checkpoint *checkpoint);

/* Free one that a program may not have seen. NULL is allowed. */
void cohort_checkpoint_end(cohort_checkpoint *checkpoint);

/* Each tensor that has a checksum has the right one, and all can be read. */
cohort_status cohort_checkpoint_verify(const cohort_checkpoint *checkpoint);

/* Index of a tensor; -1: there is none. */
int cohort_checkpoint_find(const cohort_checkpoint *checkpoint, const char *name);

/* Read the pieces of a tensor, and compare their checksums. */
cohort_status cohort_checkpoint_check_tensor(const cohort_checkpoint *checkpoint, int index);

/* The elements of a tensor as this machine has them: the checksum was compared. */
cohort_status cohort_checkpoint_fetch(const cohort_checkpoint *checkpoint, int index, void *into);

/* The path names a file, whether there is one or not. */
bool cohort_checkpoint_is_file(const char *path);

#endif
