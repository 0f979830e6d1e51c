/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of arrays are names of members without ".npy", as numpy.load has them. They are kept
 * beside the zip directory, which owns the members. */
#include "config.h"

#include "runtime/data/format/npz.h"

#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/base/text.h"
#include "runtime/data/format/zip.h"

#include <stdio.h>
#include <string.h>

enum { LISTED_BYTES = 512 }; /* of the names in a message */

struct cohort_npz {
    cohort_zip zip;
    char **names; /* without ".npy"; in the directory's order */
    const cohort_zip_member **members;
    int n;
    char *found; /* "x.npz, member 'a'" */
};

/* Bytes of a name without ".npy"; 0 when it has no such end. */
static size_t stem_bytes(const char *name)
{
    size_t bytes = strlen(name);
    return bytes >= 4 && strcmp(name + bytes - 4, ".npy") == 0 ? bytes - 4 : 0;
}

static cohort_status keep_arrays(cohort_npz *npz, const cohort_file *file)
{
    npz->names = cohort_allocate(npz->zip.n_members, sizeof *npz->names);
    npz->members = cohort_allocate(npz->zip.n_members, sizeof *npz->members);
    if (npz->names == NULL || npz->members == NULL)
        return cohort_error_memory(file->path);
    for (size_t i = 0; i < npz->zip.n_members; i++) {
        size_t bytes = stem_bytes(npz->zip.members[i].name);
        if (bytes == 0)
            continue;
        char *name = npz->names[npz->n] = cohort_string_copy(npz->zip.members[i].name);
        if (name == NULL)
            return cohort_error_memory(file->path);
        name[bytes] = '\0';
        npz->members[npz->n++] = &npz->zip.members[i];
    }
    return COHORT_OK;
}

cohort_status cohort_npz_open(const cohort_file *file, cohort_npz **out)
{
    cohort_npz *npz = cohort_allocate(1, sizeof *npz);
    cohort_status status =
        npz != NULL ? cohort_zip_open(file, &npz->zip) : cohort_error_memory(file->path);
    if (status >= 0)
        status = keep_arrays(npz, file);
    if (status < 0) {
        cohort_npz_close(npz);
        npz = NULL;
    }
    *out = npz;
    return status;
}

void cohort_npz_close(cohort_npz *npz)
{
    if (npz == NULL)
        return;
    for (int i = 0; i < npz->n; i++)
        cohort_free(npz->names[i]);
    cohort_free(npz->names);
    cohort_free(npz->members);
    cohort_free(npz->found);
    cohort_zip_close(&npz->zip);
    cohort_free(npz);
}

const char *cohort_npz_name(const cohort_npz *npz, int index)
{
    return index >= 0 && index < npz->n ? npz->names[index] : NULL;
}

const char *cohort_npz_other(const cohort_npz *npz, int index)
{
    for (size_t i = 0; i < npz->zip.n_members; i++)
        if (stem_bytes(npz->zip.members[i].name) == 0 && index-- == 0)
            return npz->zip.members[i].name;
    return NULL;
}

/* "a b c"; "none" */
static const char *list_names(const cohort_npz *npz, char *text)
{
    cohort_text list = cohort_text_begin(text, LISTED_BYTES);
    for (int i = 0; i < npz->n && cohort_text_add_name(&list, " ", npz->names[i]); i++)
        continue;
    if (npz->n == 0)
        cohort_text_add(&list, "none");
    return text;
}

/* The name as it is, before the name with ".npy" behind it: "a.npy" may be the array a.npy.npy. */
static cohort_status find_name(const cohort_npz *npz, const char *name,
                               const cohort_zip_member **out)
{
    size_t bytes = strlen(name) + sizeof ".npy";
    char *member = cohort_allocate(bytes, 1);
    if (member == NULL)
        return cohort_error_memory("a name");
    (void)snprintf(member, bytes, "%s.npy", name);
    *out = name[0] != '\0' ? cohort_zip_find(&npz->zip, member) : NULL;
    if (*out == NULL && stem_bytes(name) > 0)
        *out = cohort_zip_find(&npz->zip, name);
    cohort_free(member);
    return COHORT_OK;
}

static cohort_status refuse_name(const cohort_npz *npz, const cohort_file *file, const char *name)
{
    char names[LISTED_BYTES];
    if (name == NULL)
        return cohort_error_set(COHORT_ENOENT, "%s: which of its %d arrays? It has: %s", file->path,
                                npz->n, list_names(npz, names));
    return cohort_error_set(COHORT_ENOENT, "%s: no member '%s'; it has: %s", file->path, name,
                            list_names(npz, names));
}

/* The text for messages is kept until the next array: errors while its bytes are read name file
 * and member. */
static cohort_status locate(cohort_npz *npz, const cohort_file *file,
                            const cohort_zip_member *member, const char **out_name,
                            cohort_extent *out)
{
    int stem = (int)stem_bytes(member->name);
    size_t bytes = strlen(file->path) + (size_t)stem + sizeof ", member ''";
    cohort_free(npz->found);
    *out_name = npz->found = cohort_allocate(bytes, 1);
    if (npz->found == NULL)
        return cohort_error_memory(file->path);
    (void)snprintf(npz->found, bytes, "%s, member '%.*s'", file->path, stem, member->name);
    return cohort_zip_locate(file, &npz->zip, member, out);
}

static cohort_status find(cohort_npz *npz, const cohort_file *file, const char *name,
                          const char **out_name, cohort_extent *out)
{
    const cohort_zip_member *member = name == NULL && npz->n == 1 ? npz->members[0] : NULL;
    cohort_status status = name != NULL ? find_name(npz, name, &member) : COHORT_OK;
    if (status >= 0 && member == NULL)
        status = refuse_name(npz, file, name);
    return status < 0 ? status : locate(npz, file, member, out_name, out);
}

cohort_status cohort_npz_find_nth(cohort_npz *npz, const cohort_file *file, int index,
                                  const char **out_name, cohort_extent *out)
{
    return locate(npz, file, npz->members[index], out_name, out);
}

/* A zip file begins with a member, or is empty: the end of its directory alone. */
cohort_status cohort_npz_is_zip(const cohort_file *file, bool *out_is_zip)
{
    char start[4] = "";
    cohort_status status =
        file->bytes >= 4 ? cohort_file_read(file, 0, start, sizeof start) : COHORT_OK;
    *out_is_zip = memcmp(start, "PK\3\4", 4) == 0 || memcmp(start, "PK\5\6", 4) == 0;
    return status;
}

cohort_status cohort_npz_locate(const cohort_file *file, const char *member, cohort_npz **out_npz,
                                const char **out_name, cohort_extent *out)
{
    bool is_zip = false;
    *out_npz = NULL;
    *out_name = file->path;
    *out = (cohort_extent){ .bytes = file->bytes, .packed_bytes = file->bytes };
    cohort_status status = cohort_npz_is_zip(file, &is_zip);
    if (status >= 0 && is_zip)
        status = cohort_npz_open(file, out_npz);
    if (status >= 0 && is_zip)
        return find(*out_npz, file, member, out_name, out);
    if (status >= 0 && member != NULL)
        return cohort_error_set(COHORT_ENOENT, "%s: no member '%s': the file is no .npz file",
                                file->path, member);
    return status;
}
