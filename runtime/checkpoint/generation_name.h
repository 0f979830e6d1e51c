/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of the files in a folder of checkpoints:
 *
 *     checkpoint-000012.safetensors                         generation 12, of one process
 *     checkpoint-000013.manifest.json                       generation 13, of several workers
 *     checkpoint-000013.0123456789abcdef-1-of-3.safetensors  of it what worker 1 of 3 has: a shard
 *
 * The 16 digits are different for each save, so that no writer of a save that failed puts a shard
 * in the place of another one's. */
#ifndef COHORT_CHECKPOINT_GENERATION_NAME_H
#define COHORT_CHECKPOINT_GENERATION_NAME_H

#include <stdbool.h>
#include <stdint.h>

#define COHORT_GENERATION_BEGINNING "checkpoint-"
#define COHORT_CHECKPOINT_ENDING ".safetensors"
#define COHORT_MANIFEST_ENDING ".manifest.json"

enum { COHORT_GENERATION_NAME_BYTES = 64, COHORT_SHARD_NAME_BYTES = 96 };

typedef struct cohort_shard_name {
    int64_t number;
    uint64_t save;
    int32_t worker, workers;
} cohort_shard_name;

void cohort_generation_print(int64_t number, bool is_sharded,
                             char out[COHORT_GENERATION_NAME_BYTES]);

/* The number of a name that _print makes; 0: it is none. *out_is_sharded: a manifest; may be
 * NULL. */
int64_t cohort_generation_number(const char *name, bool *out_is_sharded);

void cohort_shard_name_print(const cohort_shard_name *shard, char out[COHORT_SHARD_NAME_BYTES]);

/* False: it is none that _print makes. */
bool cohort_shard_name_read(const char *name, cohort_shard_name *out);

/* A manifest by its name, and the file of a path. */
bool cohort_manifest_is_name(const char *path);
const char *cohort_generation_file(const char *path);

#endif
