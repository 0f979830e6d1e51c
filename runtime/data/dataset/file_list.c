/* SPDX-License-Identifier: BSD-3-Clause */
/* All names in one block, with a list of where each begins: a million files take two blocks of
 * memory. The order is that of the program, and within a pattern that of the bytes of the names,
 * the same in every locale and file system. */
#include "config.h"

#include "runtime/data/dataset/file_list.h"

#include "runtime/base/error.h"
#include "runtime/base/limits.h"
#include "runtime/base/memory.h"

#include <cohort/dataset.h>

#include <errno.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_DESCRIBED = 3 };

const char *cohort_file_list_name(const cohort_file_list *list, int64_t index)
{
    return list->text + list->places[index];
}

size_t cohort_file_list_name_bytes(const cohort_file_list *list, int64_t index)
{
    return list->places[index + 1] - list->places[index] - 1;
}

void cohort_file_list_fini(cohort_file_list *list)
{
    cohort_free(list->text);
    cohort_free(list->places);
    *list = (cohort_file_list){ 0 };
}

/* ---- Names */

static cohort_status add_name(cohort_file_list *list, const char *name)
{
    size_t n = (size_t)list->n, bytes = strlen(name) + 1, at = n > 0 ? list->places[n] : 0;
    if (list->n == COHORT_LIMIT_FILES)
        return cohort_error_set(COHORT_EINVAL,
                                "%s: more than %d files; a source reads at most as many", name,
                                COHORT_LIMIT_FILES);
    if (!cohort_grow((void **)&list->text, &list->text_room, at + bytes, 1) ||
        !cohort_grow((void **)&list->places, &list->places_room, n + 2, sizeof *list->places))
        return cohort_error_memory("a list of files");
    memcpy(list->text + at, name, bytes);
    list->places[n + 1] = at + bytes;
    list->n++;
    return COHORT_OK;
}

/* ---- Patterns */

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* A folder that is not there has no match; one that may not be looked into could have some. */
static int judge_folder(const char *folder, int why)
{
    (void)folder;
    return why != ENOENT && why != ENOTDIR;
}

static cohort_status refuse_pattern(const char *pattern, int result)
{
    if (result == GLOB_NOSPACE)
        return cohort_error_memory(pattern);
    if (result == GLOB_NOMATCH)
        return cohort_error_set(COHORT_ENOENT, "%s: no file matches this pattern", pattern);
    return cohort_error_set(COHORT_EINVAL, "%s: a folder in which files would match cannot be read",
                            pattern);
}

static cohort_status add_matches(cohort_file_list *list, const char *pattern)
{
    glob_t found = { 0 };
    int result = glob(pattern, GLOB_NOSORT, judge_folder, &found);
    cohort_status status = result == 0 ? COHORT_OK : refuse_pattern(pattern, result);
    if (status >= 0 && found.gl_pathc > 0)
        qsort(found.gl_pathv, found.gl_pathc, sizeof *found.gl_pathv, compare_names);
    for (size_t i = 0; i < found.gl_pathc && status >= 0; i++)
        status = add_name(list, found.gl_pathv[i]);
    globfree(&found);
    return status;
}

static cohort_status add_name_or_matches(cohort_file_list *list, const char *name)
{
    /* a file whose name has a star in it is that file, and no pattern */
    struct stat what;
    if (stat(name, &what) == 0)
        return add_name(list, name);
    int why = errno;
    bool is_absent = why == ENOENT || why == ENOTDIR;
    if (is_absent && strpbrk(name, "*?[") != NULL)
        return add_matches(list, name);
    return cohort_error_set(is_absent ? COHORT_ENOENT : COHORT_EINVAL, "%s: %s", name,
                            strerror(why));
}

/* ---- The whole */

static cohort_status check_name(const char *name, int index, const char *call)
{
    if (name == NULL)
        return cohort_error_set(COHORT_EINVAL, "%s: file %d is NULL; expected a name or a pattern",
                                call, index);
    size_t bytes = strnlen(name, COHORT_LIMIT_PATH_BYTES + 1);
    if (bytes < 1 || bytes > COHORT_LIMIT_PATH_BYTES)
        return cohort_error_set(COHORT_EINVAL,
                                "%s: the name of file %d is %s; expected 1 to %d bytes", call,
                                index, bytes < 1 ? "empty" : "too long", COHORT_LIMIT_PATH_BYTES);
    return COHORT_OK;
}

cohort_status cohort_file_list_make(const char *const files[], int n, const char *call,
                                    cohort_file_list *out)
{
    *out = (cohort_file_list){ 0 };
    if (files == NULL || n < 1)
        return cohort_error_set(COHORT_EINVAL, "%s: %d files; expected the names of 1 or more",
                                call, files != NULL ? n : 0);
    cohort_status status = COHORT_OK;
    for (int i = 0; i < n && status >= 0; i++) {
        status = check_name(files[i], i, call);
        if (status >= 0)
            status = add_name_or_matches(out, files[i]);
    }
    if (status < 0)
        cohort_file_list_fini(out);
    return status;
}

cohort_status cohort_file_list_share(const cohort_file_list *list, int64_t shards, int64_t index,
                                     const char *call, cohort_file_list *out)
{
    cohort_status status = COHORT_OK;
    *out = (cohort_file_list){ 0 };
    if (shards < 1 || index < 0 || index >= shards || shards > list->n)
        return cohort_error_set(
            COHORT_EINVAL,
            "%s: %lld files for share %lld of %lld; each share has at least one file", call,
            (long long)list->n, (long long)index, (long long)shards);
    for (int64_t i = index; i < list->n && status >= 0; i += shards)
        status = add_name(out, cohort_file_list_name(list, i));
    if (status < 0)
        cohort_file_list_fini(out);
    return status;
}

/* ---- Looking */

/* Years that no int64 of microseconds has are 0, like a time that a file system does not keep. */
static int64_t microseconds(struct timespec time)
{
    int64_t us = 0;
    if (__builtin_mul_overflow((int64_t)time.tv_sec, INT64_C(1000000), &us) ||
        __builtin_add_overflow(us, (int64_t)time.tv_nsec / 1000, &us))
        return 0;
    return us;
}

void cohort_file_list_look(const cohort_file_list *list, int64_t index, cohort_file_mark *out)
{
    struct stat what;
    *out = (cohort_file_mark){ .name = cohort_file_list_name(list, index),
                               .bytes = -1,
                               .rows = COHORT_UNKNOWN };
    if (stat(out->name, &what) != 0 || !S_ISREG(what.st_mode))
        return;
    out->bytes = (int64_t)what.st_size;
    out->time_us = microseconds(what.st_mtim);
}

/* ---- Describe */

/* A description is one line. */
static void describe_name(const char *name, FILE *out)
{
    const char *slash = strrchr(name, '/');
    for (const char *p = slash != NULL ? slash + 1 : name; *p != '\0'; p++)
        if ((unsigned char)*p < ' ' || *p == 0x7f)
            (void)fprintf(out, "\\x%02x", (unsigned)*p);
        else
            (void)fputc(*p, out);
}

void cohort_file_list_describe(const cohort_file_list *list, FILE *out)
{
    for (int64_t i = 0; i < list->n && i < MOST_DESCRIBED; i++) {
        (void)fputs(i > 0 ? ", " : "", out);
        describe_name(cohort_file_list_name(list, i), out);
    }
    if (list->n > MOST_DESCRIBED)
        (void)fprintf(out, ", ... %lld files", (long long)list->n);
}
