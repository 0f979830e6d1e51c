/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of several arrays of .npz files side by side. Where the program names no arrays, those of
 * the first file are meant: their names become settings, so that all files are asked for the
 * same. */
#include "config.h"

#include "runtime/base/error.h"
#include "runtime/base/log.h"
#include "runtime/base/memory.h"
#include "runtime/data/dataset/npy_reader.h"
#include "runtime/data/format/npz.h"

#include <cohort/files.h>

static const char call[] = "cohort_dataset_npz";

/* The arrays to read: those that the program says, or those of the first file. The arrays of the
 * others are found by their names. */
typedef struct npz_settings {
    char *members[COHORT_LIMIT_COMPONENTS];
    int32_t n;
} npz_settings;

static const cohort_reader_kind kind;

static void free_npz(void *settings)
{
    npz_settings *s = settings;
    for (int32_t k = 0; s != NULL && k < s->n; k++)
        cohort_free(s->members[k]);
    cohort_free(s);
}

/* In the settings at once, so that free_npz frees what was copied before a failure. */
static cohort_status add_member(npz_settings *s, const char *name)
{
    char *copy = cohort_string_copy(name);
    if (copy == NULL)
        return cohort_error_memory(call);
    s->members[s->n++] = copy;
    return COHORT_OK;
}

/* ---- What the first file has */

static cohort_status add_all(const cohort_npz *npz, const char *path, npz_settings *s)
{
    cohort_status status = COHORT_OK;
    const char *name;
    for (int i = 0; status >= 0 && (name = cohort_npz_name(npz, i)) != NULL; i++) {
        if (i == COHORT_LIMIT_COMPONENTS)
            return cohort_error_set(
                COHORT_EINVAL,
                "%s: more than %d arrays, which are the components that an element can have; say "
                "by their names which ones",
                path, COHORT_LIMIT_COMPONENTS);
        status = add_member(s, name);
    }
    for (int i = 0; status >= 0 && (name = cohort_npz_other(npz, i)) != NULL; i++)
        cohort_log(COHORT_SUBSYSTEM_DATA, COHORT_LOG_WARNING,
                   "%s: %s: member '%s' has no name that ends in .npy; it is left out", call, path,
                   name);
    if (status >= 0 && s->n == 0)
        return cohort_error_set(
            COHORT_EINVAL,
            "%s: there is no array in it; expected at least one member with a name "
            "that ends in .npy",
            path);
    return status;
}

static cohort_status learn_npz(const char *path, void *settings)
{
    npz_settings *s = settings;
    cohort_file file;
    cohort_npz *npz = NULL;
    /* the program has said which arrays */
    if (s->n > 0)
        return COHORT_OK;
    cohort_status status = cohort_file_open(path, &file);
    if (status < 0)
        return status;
    status = cohort_npz_open(&file, &npz);
    if (status >= 0)
        status = add_all(npz, path, s);
    cohort_npz_close(npz);
    cohort_file_close(&file);
    return status;
}

/* ---- Making */

static cohort_status open_npz(const char *path, const void *settings, cohort_reader_layout *layout,
                              cohort_reader **out)
{
    const npz_settings *s = settings;
    return cohort_npy_reader_open(&kind, path, (const char *const *)s->members, s->n, layout, out);
}

static void describe_npz(const void *settings, FILE *out)
{
    const npz_settings *s = settings;
    for (int32_t k = 0; k < s->n; k++)
        cohort_reader_describe_quoted(s->members[k], out);
}

static const cohort_dataset_kind node = COHORT_FILES_KIND("npz");

static const cohort_reader_kind kind = { .node = &node,
                                         .call = call,
                                         .is_counted = true,
                                         .open = open_npz,
                                         .close = cohort_npy_reader_close,
                                         .copy = cohort_npy_reader_copy,
                                         .skip = cohort_npy_reader_skip,
                                         .at = cohort_npy_reader_at,
                                         .learn = learn_npz,
                                         .describe = describe_npz,
                                         .free_settings = free_npz };

static cohort_status copy_members(const char *const members[], int n, npz_settings *s)
{
    cohort_status status = COHORT_OK;
    if (members == NULL && n == 0)
        return COHORT_OK;
    if (members == NULL || n < 1 || n > COHORT_LIMIT_COMPONENTS)
        return cohort_error_set(
            COHORT_EINVAL, "%s: %d members%s; expected 1 to %d, or NULL and 0 for all arrays", call,
            n, members == NULL ? " at NULL" : "", COHORT_LIMIT_COMPONENTS);
    for (int k = 0; k < n && status >= 0; k++) {
        if (members[k] == NULL)
            return cohort_error_set(
                COHORT_EINVAL, "%s: member %d is NULL; expected the name of an array", call, k);
        status = add_member(s, members[k]);
    }
    return status;
}

cohort_dataset *cohort_dataset_npz(const char *const files[], int n, const char *const members[],
                                   int n_members)
{
    npz_settings *s = cohort_allocate(1, sizeof *s);
    cohort_status status =
        s != NULL ? copy_members(members, n_members, s) : cohort_error_memory(call);
    if (status >= 0)
        return cohort_files_make(&kind, files, n, s);
    free_npz(s);
    return cohort_handle_made(COHORT_HANDLE_DATASET, NULL);
}
