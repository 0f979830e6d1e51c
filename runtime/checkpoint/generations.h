/* SPDX-License-Identifier: BSD-3-Clause */
/* The folder of a program's checkpoints: its generations, who may write to it, and what is removed
 * from it.
 *
 *     checkpoint-000012.safetensors         generation 12
 *     checkpoint-000013.safetensors.99-0    one that process 99 is writing, or was (replacement.h)
 *     checkpoint.lock                       empty; whoever writes to the folder has it locked
 *
 * and, of several workers, manifests and shards (generation_name.h). */
#ifndef COHORT_CHECKPOINT_GENERATIONS_H
#define COHORT_CHECKPOINT_GENERATIONS_H

#include "runtime/checkpoint/generation_name.h"

#include <cohort/checkpoint.h>

#include <stddef.h>

enum { COHORT_GENERATIONS_KEPT = 5, COHORT_GENERATIONS_LEAST = 2 };

/* The generations that there are, newest first. */
typedef struct cohort_generations {
    cohort_checkpoint_generation *list; /* [n] */
    size_t n;
} cohort_generations;

/* COHORT_ENOENT: no such folder; COHORT_EINVAL: it is no folder; COHORT_EINTERNAL the system's
 * reason; COHORT_ENOMEM. After a failure there is nothing to free. */
cohort_status cohort_generations_list(const char *folder, cohort_generations *out);
void cohort_generations_free(cohort_generations *generations);

/* A path in the folder, into room of COHORT_LIMIT_PATH_BYTES. COHORT_EINVAL: it is too long. */
cohort_status cohort_generations_path(const char *folder, const char *file, char *out);

/* The number of the newest; 0: there is none. */
static inline int64_t cohort_generations_newest(const cohort_generations *generations)
{
    return generations->n > 0 ? generations->list[0].number : 0;
}

/* The path of the generation that comes behind that number. is_sharded: its manifest. */
cohort_status cohort_generations_next(const char *folder, int64_t newest, bool is_sharded,
                                      char *out);

/* Lock the folder, which is made where it is not there, for the one who writes to it, until the
 * descriptor is closed by _unlock, or the process ends. COHORT_EAGAIN: somebody else has it. */
cohort_status cohort_generations_lock(const char *folder, int *out_fd);
void cohort_generations_unlock(int fd);

/* The folder itself, which may be new, is on the disk. */
cohort_status cohort_generations_sync_name(const char *folder);

/* Remove what writers have left that were killed: temporaries, and shards without a manifest. By
 * who has the lock. */
void cohort_generations_sweep(const char *folder);

/* Whether so many, and the best, may be what stays. COHORT_EINVAL, without a call's name. */
cohort_status cohort_generations_check_kept(int32_t keep, cohort_checkpoint_best best);

/* Remove the generations that are older than the newest `keep` whose headers are right, but for the
 * one with the best score. By who has the lock; what cannot be removed is in the log. *out_n: how
 * many went. The errors of listing, and of a machine that cannot open a header now: which is the
 * best is not known then, and all stay.
 *
 * whole  the path of one whose checksums are right: it stays, and all that are newer */
cohort_status cohort_generations_prune(const char *folder, int32_t keep,
                                       cohort_checkpoint_best best, const char *whole, int *out_n);

/* The same behind a save, whose errors they are not: they are in the log, and what stays goes with
 * the next one. keep: 0: COHORT_GENERATIONS_KEPT */
void cohort_generations_clean_up(const char *folder, int32_t keep, cohort_checkpoint_best best,
                                 const char *whole);

/* The path of the generation with the best score, of equal ones the newest. COHORT_END: none has a
 * score; the errors of listing and of opening. out: room of COHORT_LIMIT_PATH_BYTES */
cohort_status cohort_generations_best(const char *folder, cohort_checkpoint_best best, char *out);

/* A score as a text of the metadata, the same in every locale, and back; NAN for what is none, and
 * for NULL. */
#define COHORT_CHECKPOINT_SCORE "cohort.score"
enum { COHORT_SCORE_BYTES = 17 };
void cohort_score_print(double score, char text[COHORT_SCORE_BYTES]);
double cohort_score_read(const char *text);

#endif
