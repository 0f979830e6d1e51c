/* SPDX-License-Identifier: BSD-3-Clause */
/* Which generations stay: the newest, and the best. A header is enough to know what a generation
 * is; whether its tensors are whole is looked at where it is opened. */
#include "config.h"

#include "runtime/base/error.h"
#include "runtime/base/limits.h"
#include "runtime/base/log.h"
#include "runtime/checkpoint/file.h"
#include "runtime/checkpoint/generations.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ------------------------------------------------------------------ scores */

/* The bits, which no locale and no rounding changes. */
void cohort_score_print(double score, char text[COHORT_SCORE_BYTES])
{
    uint64_t bits;
    memcpy(&bits, &score, sizeof bits);
    (void)snprintf(text, COHORT_SCORE_BYTES, "%016" PRIx64, bits);
}

double cohort_score_read(const char *text)
{
    double score = NAN;
    bool is_one = text != NULL && strlen(text) == COHORT_SCORE_BYTES - 1 &&
                  strspn(text, "0123456789abcdef") == COHORT_SCORE_BYTES - 1;
    uint64_t bits = is_one ? strtoull(text, NULL, 16) : 0;
    if (is_one)
        memcpy(&score, &bits, sizeof score);
    return score;
}

double cohort_checkpoint_score(const cohort_checkpoint *checkpoint)
{
    return cohort_score_read(cohort_checkpoint_text(checkpoint, COHORT_CHECKPOINT_SCORE));
}

/* Also of equal scores the one that is looked at first, which is newer, is better. */
static bool is_better(double score, double than, cohort_checkpoint_best best)
{
    if (isnan(score) || best == COHORT_CHECKPOINT_NO_BEST)
        return false;
    return isnan(than) || (best == COHORT_CHECKPOINT_GREATEST ? score > than : score < than);
}

/* ------------------------------------------------------------------ looking */

/* It is so for everybody, and at any time; one of a newer format is not: nobody here knows it. */
static bool is_damaged(cohort_status status)
{
    return status == COHORT_EINVAL || status == COHORT_ENOENT;
}

/* COHORT_OK: its headers are right; COHORT_END: they are not, or a file is gone; an error: the
 * machine cannot tell now. One without checksums is not ours, and no restore of the folder takes
 * it. */
static cohort_status look(const char *folder, const char *file, double *out_score)
{
    char path[COHORT_LIMIT_PATH_BYTES];
    cohort_checkpoint *c = NULL;
    *out_score = NAN;
    cohort_status status = cohort_generations_path(folder, file, path);
    if (status >= 0)
        status = cohort_checkpoint_begin_file(path, NULL, &c);
    if (status < 0)
        return is_damaged(status) ? COHORT_END : status;
    bool has_sums = c->shards[0].has_sums;
    if (has_sums)
        *out_score = cohort_checkpoint_score(c);
    cohort_checkpoint_end(c);
    return has_sums ? COHORT_OK : COHORT_END;
}

/* What is found in headers, each of which is opened once.
 * best   the index of the best; n: none has a score
 * old    of the first that is older than the newest `keep`, where one that is damaged does not
 *        count, for then fewer than `keep` could be gone back to */
typedef struct survey {
    size_t best, old;
} survey;

static cohort_status survey_all(const char *folder, const cohort_generations *found, int32_t keep,
                                cohort_checkpoint_best best, survey *out)
{
    double score, top = NAN;
    int32_t whole = 0;
    *out = (survey){ found->n, found->n };
    for (size_t i = 0; i < found->n && (whole < keep || best != COHORT_CHECKPOINT_NO_BEST); i++) {
        cohort_status status = look(folder, found->list[i].file, &score);
        if (status < 0)
            return status;
        whole += status == COHORT_OK;
        if (status == COHORT_OK && whole == keep)
            out->old = i + 1;
        if (is_better(score, top, best)) {
            top = score;
            out->best = i;
        }
    }
    return COHORT_OK;
}

cohort_status cohort_generations_best(const char *folder, cohort_checkpoint_best best, char *out)
{
    cohort_generations found;
    cohort_status status = cohort_generations_list(folder, &found);
    if (status < 0)
        return status == COHORT_ENOENT ? COHORT_END : status;
    survey seen;
    status = survey_all(folder, &found, 0, best, &seen);
    if (status >= 0)
        status = seen.best < found.n
                     ? cohort_generations_path(folder, found.list[seen.best].file, out)
                     : COHORT_END;
    cohort_generations_free(&found);
    return status;
}

/* ------------------------------------------------------------------ removing */

static bool remove_file(const char *path)
{
    bool is_removed = unlink(path) == 0;
    if (!is_removed && errno != ENOENT)
        cohort_log(COHORT_SUBSYSTEM_CHECKPOINT, COHORT_LOG_WARNING, "%s: cannot be removed: %s",
                   path, strerror(errno));
    return is_removed;
}

/* What a manifest means goes behind it, by who sweeps: a manifest without its shards would be a
 * damaged generation, and shards without it are none. */
static bool remove_one(const char *folder, const char *file)
{
    char path[COHORT_LIMIT_PATH_BYTES];
    return cohort_generations_path(folder, file, path) >= 0 && remove_file(path);
}

/* Behind the generation of that path. */
static size_t find_behind(const cohort_generations *found, const char *path)
{
    const char *file = strrchr(path, '/') + 1;
    for (size_t i = 0; i < found->n; i++)
        if (strcmp(found->list[i].file, file) == 0)
            return i + 1;
    return found->n;
}

cohort_status cohort_generations_prune(const char *folder, int32_t keep,
                                       cohort_checkpoint_best best, const char *whole, int *out_n)
{
    cohort_generations found;
    survey seen;
    bool has_shards = false;
    *out_n = 0;
    cohort_status status = cohort_generations_list(folder, &found);
    if (status < 0)
        return status;
    status = survey_all(folder, &found, keep, best, &seen);
    if (status >= 0 && find_behind(&found, whole) > seen.old)
        seen.old = find_behind(&found, whole);
    for (size_t i = status >= 0 ? seen.old : found.n; i < found.n; i++)
        if (i != seen.best && remove_one(folder, found.list[i].file)) {
            has_shards = has_shards || cohort_manifest_is_name(found.list[i].file);
            (*out_n)++;
        }
    if (has_shards)
        cohort_generations_sweep(folder);
    cohort_generations_free(&found);
    return status < 0 ? status : COHORT_OK;
}

void cohort_generations_clean_up(const char *folder, int32_t keep, cohort_checkpoint_best best,
                                 const char *whole)
{
    cohort_error_saved saved;
    int n;
    cohort_error_save(&saved);
    if (cohort_generations_prune(folder, keep != 0 ? keep : COHORT_GENERATIONS_KEPT, best, whole,
                                 &n) < 0)
        cohort_log(COHORT_SUBSYSTEM_CHECKPOINT, COHORT_LOG_WARNING, "old generations stay: %s",
                   cohort_error_slot());
    cohort_error_restore(&saved);
}

cohort_status cohort_generations_check_kept(int32_t keep, cohort_checkpoint_best best)
{
    if (keep < COHORT_GENERATIONS_LEAST)
        return cohort_error_number(keep, "keep is %d; at least %d generations stay", (int)keep,
                                   COHORT_GENERATIONS_LEAST);
    if (best < COHORT_CHECKPOINT_NO_BEST || best > COHORT_CHECKPOINT_LEAST)
        return cohort_error_set(COHORT_EINVAL,
                                "best is %d, which is none of cohort_checkpoint_best", (int)best);
    return COHORT_OK;
}

static cohort_status check(const char *folder, int32_t keep, cohort_checkpoint_best best)
{
    cohort_generations found;
    if (folder == NULL)
        return cohort_error_null("cohort_checkpoint_prune", "the folder");
    cohort_status status = cohort_generations_check_kept(keep, best);
    if (status < 0)
        return cohort_error_prefix(status, "cohort_checkpoint_prune");
    /* the lock would make a folder */
    status = cohort_generations_list(folder, &found);
    if (status >= 0)
        cohort_generations_free(&found);
    return status;
}

/* What only looks whole is not gone back to: one whose checksums are right has to stay. */
static cohort_status remove_old(const char *folder, int32_t keep, cohort_checkpoint_best best,
                                int *out_n)
{
    cohort_checkpoint *whole;
    cohort_generations_sweep(folder);
    cohort_status status = cohort_checkpoint_begin(folder, &whole);
    if (status != COHORT_OK)
        return status;
    status = cohort_generations_prune(folder, keep, best, cohort_checkpoint_file(whole), out_n);
    cohort_checkpoint_end(whole);
    return status;
}

/* Those that are damaged are no error of the call, where one is whole. */
static cohort_status prune(const char *folder, int32_t keep, cohort_checkpoint_best best,
                           int *out_n)
{
    cohort_error_saved saved;
    cohort_error_save(&saved);
    cohort_status status = remove_old(folder, keep, best, out_n);
    if (status < 0)
        return cohort_error_prefix(status, "cohort_checkpoint_prune");
    cohort_error_restore(&saved);
    return COHORT_OK;
}

int cohort_checkpoint_prune(const char *folder, int32_t keep, cohort_checkpoint_best best)
{
    int lock, n = 0;
    cohort_status status = check(folder, keep, best);
    if (status >= 0)
        status = cohort_generations_lock(folder, &lock);
    if (status >= 0) {
        status = prune(folder, keep, best, &n);
        cohort_generations_unlock(lock);
    }
    return (int)cohort_error_answer(status < 0 ? -1 : n);
}
