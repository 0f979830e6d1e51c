/* SPDX-License-Identifier: BSD-3-Clause */
/* The manifest of a checkpoint that several workers have written: which files it consists of. It
 * lies in the folder of these, and its rename is what makes the generation.
 *
 *     {"cohort.checkpoint": "1",
 *      "crc32c": "89abcdef",
 *      "save": "0123456789abcdef",
 *      "step": 100,
 *      "replicas": 4,
 *      "shards": [
 *       {"file": "checkpoint-000013.0123456789abcdef-0-of-2.safetensors",
 *        "bytes": 4096, "header_crc32c": "01234567", "replicas": 2},
 *       ...]}
 *
 * crc32c is that of all of the file, with 8 spaces in the place of its digits, so that no byte can
 * be another one. header_crc32c is that of the shard's length and header, which has the checksums
 * of its tensors. */
#ifndef COHORT_CHECKPOINT_MANIFEST_H
#define COHORT_CHECKPOINT_MANIFEST_H

#include "runtime/checkpoint/generation_name.h"
#include "runtime/data/format/file.h"

typedef struct cohort_manifest_shard {
    char file[COHORT_SHARD_NAME_BYTES];
    int64_t bytes;
    uint32_t header_sum;
    int64_t replicas; /* of the worker */
} cohort_manifest_shard;

typedef struct cohort_manifest {
    uint64_t save;
    int64_t step, replicas;        /* of all workers */
    cohort_manifest_shard *shards; /* [n], by worker */
    int32_t n;
} cohort_manifest;

/* Freed by cohort_free. NULL, with the text in the slot: COHORT_ENOMEM, or COHORT_EINVAL: it would
 * be longer than a reader takes. */
char *cohort_manifest_to_text(const cohort_manifest *manifest);

/* COHORT_EINVAL, with "path: byte N: ...", for whatever is none; COHORT_EINCOMPATIBLE a newer
 * Cohort wrote it; COHORT_ENOMEM; the errors of reading. After a failure there is nothing to
 * free. */
cohort_status cohort_manifest_read(const cohort_file *file, cohort_manifest *out);
void cohort_manifest_free(cohort_manifest *manifest);

#endif
