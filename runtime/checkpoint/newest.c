/* SPDX-License-Identifier: BSD-3-Clause */
/* The newest generation that is whole. What is damaged is passed over, and said; a machine that
 * cannot open a file now is an error, for to go back to an older one would lose what is there. */
#include "config.h"

#include "runtime/base/error.h"
#include "runtime/base/limits.h"
#include "runtime/base/log.h"
#include "runtime/base/memory.h"
#include "runtime/checkpoint/file.h"
#include "runtime/checkpoint/generations.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Another line. */
static cohort_status add_line(char **text, const char *line)
{
    size_t length = strlen(*text), more = strlen(line);
    char *longer = cohort_allocate(length + more + 2, 1);
    if (longer == NULL)
        return cohort_error_memory("what is said of a checkpoint");
    (void)snprintf(longer, length + more + 2, "%s%s%s", *text, length > 0 ? "\n" : "", line);
    cohort_free(*text);
    *text = longer;
    return COHORT_OK;
}

/* *out_is_damaged: an older one may be whole. One that was removed meanwhile was the oldest. */
static cohort_status open_whole(const char *path, cohort_checkpoint **out, bool *out_is_damaged)
{
    cohort_status status = cohort_checkpoint_begin_file(path, NULL, out);
    *out_is_damaged = status == COHORT_EINVAL || status == COHORT_ENOENT;
    if (status < 0)
        return status;
    if (!(*out)->shards[0].has_sums)
        status =
            cohort_error_set(COHORT_EINVAL, "%s: has no checksums: Cohort did not write it", path);
    else
        status = cohort_checkpoint_verify(*out);
    (*out)->is_verified = status >= 0;
    if (status >= 0)
        return COHORT_OK;
    *out_is_damaged = status != COHORT_ENOMEM;
    cohort_checkpoint_end(*out);
    *out = NULL;
    return status;
}

/* skipped: what is said of those before, to which this one is added. */
static cohort_status try_one(const char *folder, const char *file, char **skipped,
                             cohort_checkpoint **out)
{
    char path[COHORT_LIMIT_PATH_BYTES];
    bool is_damaged = false;
    cohort_status status = cohort_generations_path(folder, file, path);
    if (status >= 0)
        status = open_whole(path, out, &is_damaged);
    if (status >= 0 || !is_damaged)
        return status;
    cohort_log(COHORT_SUBSYSTEM_CHECKPOINT, COHORT_LOG_WARNING, "passed over: %s",
               cohort_error_slot());
    return add_line(skipped, cohort_error_slot());
}

static cohort_status find_newest(const char *folder, const cohort_generations *generations,
                                 cohort_checkpoint **out)
{
    char *skipped = cohort_string_copy("");
    cohort_status status = skipped != NULL ? COHORT_OK : cohort_error_memory(folder);
    for (size_t i = 0; i < generations->n && status >= 0 && *out == NULL; i++)
        status = try_one(folder, generations->list[i].file, &skipped, out);
    if (status >= 0 && *out == NULL)
        status = cohort_error_set(COHORT_EINVAL, "%s: no checkpoint in it is whole: %s", folder,
                                  skipped);
    if (*out != NULL) {
        cohort_free((*out)->skipped);
        (*out)->skipped = skipped;
    } else {
        cohort_free(skipped);
    }
    return status;
}

static cohort_status begin_folder(const char *folder, cohort_checkpoint **out)
{
    cohort_generations generations;
    cohort_status status = cohort_generations_list(folder, &generations);
    if (status == COHORT_ENOENT)
        return COHORT_END;
    if (status < 0)
        return status;
    status = generations.n > 0 ? find_newest(folder, &generations, out) : COHORT_END;
    cohort_generations_free(&generations);
    return status;
}

bool cohort_checkpoint_is_file(const char *path)
{
    struct stat what;
    size_t length = strlen(path), ending = strlen(COHORT_CHECKPOINT_ENDING);
    if (stat(path, &what) == 0)
        return !S_ISDIR(what.st_mode);
    return cohort_manifest_is_name(path) ||
           (length >= ending && strcmp(path + length - ending, COHORT_CHECKPOINT_ENDING) == 0);
}

cohort_status cohort_checkpoint_begin(const char *path, cohort_checkpoint **out)
{
    *out = NULL;
    return cohort_checkpoint_is_file(path) ? cohort_checkpoint_begin_file(path, NULL, out)
                                           : begin_folder(path, out);
}
