/* SPDX-License-Identifier: BSD-3-Clause */
/* Saving the state of several workers: a copy of what each has to save is taken by all in one call,
 * any thread of each writes it, and all commit it in one call. The chief is worker 0.
 *
 * The chief has the folder locked from the beginning to the end. Who sees the chief's folder writes
 * its shard there itself; the others send theirs to the chief, into its memory, which writes them.
 * The generation is there when the manifest is; one that fails before leaves shards, which the next
 * save removes. */
#ifndef COHORT_CHECKPOINT_SAVE_ACROSS_H
#define COHORT_CHECKPOINT_SAVE_ACROSS_H

#include "runtime/checkpoint/generation_name.h"
#include "runtime/checkpoint/state_copy.h"
#include "runtime/data/format/replacement.h"

/* A shard that another worker has sent. */
typedef struct cohort_sent_shard {
    char *bytes; /* NULL: it writes its own */
    int64_t n;
} cohort_sent_shard;

typedef struct cohort_shards {
    cohort_strategy *strategy;
    const char *folder; /* the caller's */
    char call[44];
    cohort_state_copy copy;
    char *header; /* of the shard, once the tensors are summed */
    uint64_t save;
    int64_t number, step;
    cohort_replacement file;            /* of this worker's shard */
    bool is_open;                       /* that file */
    char path[COHORT_LIMIT_PATH_BYTES]; /* of the shard */
    char manifest[COHORT_LIMIT_PATH_BYTES];
    int lock;                /* the chief's; -1 */
    cohort_sent_shard *sent; /* [workers], the chief's */
} cohort_shards;

/* By all, in the middle of a call. COHORT_EAGAIN, for all: somebody else writes to the folder. The
 * errors of cohort_checkpoint_save, and of cohort_workers_meet. After one, or that, there is
 * nothing to free.
 *
 * folder  outlives it */
cohort_status cohort_shards_begin(cohort_shards *out, cohort_state *state, const char *call,
                                  const char *folder, int64_t step);

/* By any thread, once: what this worker has to write, durably. */
cohort_status cohort_shards_write(cohort_shards *shards);

/* By all, in the middle of a call, where all of this worker's has been written: the generation is
 * there, and old ones are gone. path: of the manifest, as this worker calls it, into room of
 * COHORT_LIMIT_PATH_BYTES. */
cohort_status cohort_shards_commit(cohort_shards *shards, int32_t keep, cohort_checkpoint_best best,
                                   char *path);

/* The lock is given up; what is not committed is no generation. */
void cohort_shards_free(cohort_shards *shards);

/* By all, as a save begins: the chief has locked the folder, whose next generation it is; who sees
 * it has its file open. COHORT_EAGAIN, for all, as cohort_shards_begin. */
cohort_status cohort_shards_place(cohort_shards *shards);

/* Name and path of the shard of a worker; out: room of COHORT_LIMIT_PATH_BYTES. */
cohort_shard_name cohort_shards_name(const cohort_shards *shards, int32_t worker);
cohort_status cohort_shards_path(const cohort_shards *shards, int32_t worker, char *out);

/* All of it in one call. */
cohort_status cohort_save_across(cohort_state *state, const char *call, const char *folder,
                                 int64_t step);

#endif
