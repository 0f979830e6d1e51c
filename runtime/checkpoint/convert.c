/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/checkpoint/convert.h"

#include "runtime/base/error.h"
#include "runtime/checkpoint/generations.h"
#include "runtime/data/format/npz.h"

#include <string.h>

bool cohort_convert_is_of_file(const char *key)
{
    static const char *const beginnings[] = { COHORT_TENSORS_SUM, COHORT_CHECKPOINT_DTYPE,
                                              COHORT_CHECKPOINT_SAVE, COHORT_CHECKPOINT_WORKER };
    bool is_of_file = false;
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        is_of_file = is_of_file || strncmp(key, beginnings[i], strlen(beginnings[i])) == 0;
    return is_of_file;
}

static bool ends_in(const char *path, const char *ending)
{
    size_t length = strlen(path);
    return length > strlen(ending) && strcmp(path + length - strlen(ending), ending) == 0;
}

/* What is no zip file says what it is when it is opened. */
static cohort_status refuse_npz(const char *from)
{
    cohort_file file;
    bool is_zip = false;
    if (!cohort_checkpoint_is_file(from))
        return COHORT_OK;
    cohort_status status = cohort_file_open(from, &file);
    if (status < 0)
        return status;
    status = cohort_npz_is_zip(&file, &is_zip);
    cohort_file_close(&file);
    return is_zip ? cohort_error_set(COHORT_EINVAL,
                                     "%s: a .npz file already; a checkpoint is made of it where "
                                     "the new name ends in .safetensors",
                                     from)
                  : status;
}

/* A file does not say that it was a shard, so a restore would take its components for all. */
static cohort_status check_whole(const cohort_checkpoint *c)
{
    return !cohort_checkpoint_is_part(c)
               ? COHORT_OK
               : cohort_error_set(COHORT_EINVAL,
                                  "%s: is the shard of one worker; convert the manifest, or the "
                                  "folder",
                                  c->path);
}

static cohort_status to_npz(const char *from, const char *to)
{
    cohort_checkpoint *c = NULL;
    cohort_status status = refuse_npz(from);
    if (status >= 0)
        status = cohort_checkpoint_begin(from, &c);
    if (status == COHORT_END)
        return cohort_error_set(COHORT_ENOENT, "%s: there is no checkpoint in it", from);
    if (status >= 0)
        status = check_whole(c);
    if (status >= 0)
        status = cohort_checkpoint_export(c, to);
    cohort_checkpoint_end(c);
    return status;
}

static cohort_status convert(const char *from, const char *to)
{
    if (ends_in(to, ".npz"))
        return to_npz(from, to);
    if (ends_in(to, COHORT_CHECKPOINT_ENDING))
        return cohort_checkpoint_import(from, to);
    return cohort_error_set(COHORT_EINVAL,
                            "'%s' ends neither in .npz nor in " COHORT_CHECKPOINT_ENDING
                            ", so what is to be written is not said",
                            to);
}

cohort_status cohort_checkpoint_convert(const char *from, const char *to)
{
    static const char call[] = "cohort_checkpoint_convert";
    if (from == NULL || to == NULL)
        return cohort_error_null(call, from == NULL ? "the path" : "the path of the new file");
    cohort_status status = convert(from, to);
    return status < 0 ? cohort_error_prefix(status, "%s", call) : status;
}
