/* SPDX-License-Identifier: BSD-3-Clause */
/* Which generations stay: the newest, and the best. A header is enough to know what a generation
 * is; whether its tensors are whole is looked at where it is opened. */
#include "config.h"

#include "runtime/base/error.h"
#include "runtime/base/limits.h"
#include "runtime/base/log.h"
#include "runtime/checkpoint/file.h"
#include "runtime/checkpoint/generations.h"
#include "runtime/data/format/safetensors.h"

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

/* COHORT_OK: its header is right; COHORT_END: it is not, or the file is gone; an error: the machine
 * cannot tell now. One without checksums is not ours, and no restore of the folder takes it. */
static cohort_status look(const char *folder, const char *file, double *out_score)
{
    char path[COHORT_LIMIT_PATH_BYTES];
    cohort_safetensors tensors;
    *out_score = NAN;
    cohort_status status = cohort_generations_path(folder, file, path);
    if (status >= 0)
        status = cohort_safetensors_open(path, &tensors);
    if (status < 0)
        return status == COHORT_EINVAL || status == COHORT_ENOENT ? COHORT_END : status;
    bool has_sums = tensors.has_sums;
    if (has_sums)
        *out_score = cohort_score_read(cohort_safetensors_text(&tensors, COHORT_CHECKPOINT_SCORE));
    cohort_safetensors_close(&tensors);
    return has_sums ? COHORT_OK : COHORT_END;
}

/* *out_at: the index of the best; n: none has a score. */
static cohort_status find_best(const char *folder, const cohort_generations *found,
                               cohort_checkpoint_best best, size_t *out_at)
{
    double score, top = NAN;
    *out_at = found->n;
    for (size_t i = 0; i < found->n && best != COHORT_CHECKPOINT_NO_BEST; i++) {
        cohort_status status = look(folder, found->list[i].file, &score);
        if (status < 0)
            return status;
        if (is_better(score, top, best)) {
            top = score;
            *out_at = i;
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
    size_t at;
    status = find_best(folder, &found, best, &at);
    if (status >= 0)
        status =
            at < found.n ? cohort_generations_path(folder, found.list[at].file, out) : COHORT_END;
    cohort_generations_free(&found);
    return status;
}

/* ------------------------------------------------------------------ removing */

static bool remove_one(const char *path)
{
    bool is_removed = unlink(path) == 0;
    if (!is_removed && errno != ENOENT)
        cohort_log(COHORT_LOG_WARNING, "%s: cannot be removed: %s", path, strerror(errno));
    return is_removed;
}

/* The first of those that are older than the newest `keep`. One that is damaged does not count, for
 * then fewer than `keep` could be gone back to. */
static cohort_status find_old(const char *folder, const cohort_generations *found, int32_t keep,
                              size_t *out_at)
{
    double score;
    int32_t whole = 0;
    cohort_status status = COHORT_OK;
    size_t i = 0;
    for (; i < found->n && whole < keep && status >= 0; i++) {
        status = look(folder, found->list[i].file, &score);
        whole += status == COHORT_OK;
    }
    *out_at = i;
    return status;
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
    char path[COHORT_LIMIT_PATH_BYTES];
    cohort_generations found;
    size_t stays, old;
    *out_n = 0;
    cohort_status status = cohort_generations_list(folder, &found);
    if (status < 0)
        return status;
    status = find_best(folder, &found, best, &stays);
    if (status >= 0)
        status = find_old(folder, &found, keep, &old);
    if (status >= 0 && find_behind(&found, whole) > old)
        old = find_behind(&found, whole);
    for (size_t i = status >= 0 ? old : found.n; i < found.n; i++)
        if (i != stays && cohort_generations_path(folder, found.list[i].file, path) >= 0)
            *out_n += remove_one(path);
    cohort_generations_free(&found);
    return status < 0 ? status : COHORT_OK;
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
