/* SPDX-License-Identifier: BSD-3-Clause */
/* The directory at the end of the file is what counts; a member's own header is only compared
 * with it. Each number is checked against the file before it is used as a size or a place, in an
 * order in which no sum overflows. */
#include "config.h"

#include "runtime/data/format/zip.h"

#include "runtime/base/error.h"
#include "runtime/base/limits.h"
#include "runtime/base/memory.h"
#include "runtime/data/format/zip_end.h"

#include <stdlib.h>
#include <string.h>

enum {
    ENTRY_BYTES = 46,
    LOCAL_BYTES = 30,
    ENTRY_SIGNATURE = 0x02014b50,
    LOCAL_SIGNATURE = 0x04034b50,
    ZIP64_EXTRA = 1,
    FLAG_ENCRYPTED = 1 << 0,
    FLAG_PATCH = 1 << 5,
    FLAG_STRONG = 1 << 6,
    FLAG_MASKED = 1 << 13,
    METHOD_STORED = 0,
    METHOD_DEFLATED = 8
};

/* The fields of one entry, with its three variable parts. */
typedef struct entry {
    const unsigned char *fixed, *extra;
    int64_t at; /* in the file */
    size_t name_bytes, extra_bytes, bytes;
} entry;

static cohort_status refuse(const cohort_file *file, int64_t at, const char *what)
{
    return cohort_error_set(COHORT_EINVAL, "%s: byte %lld: %s", file->path, (long long)at, what);
}

static cohort_status split_entry(const cohort_file *file, const unsigned char *bytes, size_t left,
                                 int64_t at, entry *out)
{
    if (left < ENTRY_BYTES || cohort_zip_u32(bytes) != ENTRY_SIGNATURE)
        return refuse(file, at, "expected an entry of the zip directory");
    *out = (entry){ .fixed = bytes,
                    .at = at,
                    .name_bytes = cohort_zip_u16(bytes + 28),
                    .extra_bytes = cohort_zip_u16(bytes + 30) };
    out->bytes = ENTRY_BYTES + out->name_bytes + out->extra_bytes + cohort_zip_u16(bytes + 32);
    if (out->bytes > left)
        return refuse(file, at, "an entry of the zip directory passes the directory's end");
    out->extra = bytes + ENTRY_BYTES + out->name_bytes;
    return COHORT_OK;
}

/* The extra field with 64-bit numbers; *out_bytes 0 when there is none. */
static cohort_status find_zip64(const cohort_file *file, const entry *e, const unsigned char **out,
                                size_t *out_bytes)
{
    *out_bytes = 0;
    for (size_t i = 0; i + 4 <= e->extra_bytes;) {
        size_t bytes = cohort_zip_u16(e->extra + i + 2);
        if (bytes > e->extra_bytes - i - 4)
            return refuse(file, e->at, "an extra field passes the end of its entry");
        if (cohort_zip_u16(e->extra + i) == ZIP64_EXTRA) {
            *out = e->extra + i + 4;
            *out_bytes = bytes;
            return COHORT_OK;
        }
        i += 4 + bytes;
    }
    return COHORT_OK;
}

/* The sizes and the place: 32 bits each, or the next 64 of the extra field where those are all
 * ones. */
static cohort_status read_numbers(const cohort_file *file, const entry *e,
                                  cohort_zip_member *member)
{
    const struct {
        size_t at;
        int64_t *into;
    } numbers[] = { { 24, &member->extent.bytes },
                    { 20, &member->extent.packed_bytes },
                    { 42, &member->header_at } };
    const unsigned char *wide = NULL;
    size_t left = 0;
    cohort_status status = find_zip64(file, e, &wide, &left);
    for (size_t i = 0; status >= 0 && i < sizeof numbers / sizeof *numbers; i++) {
        uint64_t number = cohort_zip_u32(e->fixed + numbers[i].at);
        if (number == UINT32_MAX) {
            if (left < 8)
                return refuse(file, e->at, "a size of 64 bits is missing from the zip64 field");
            number = cohort_zip_u64(wide);
            wide += 8;
            left -= 8;
        }
        if (number > INT64_MAX)
            return refuse(file, e->at, "a size exceeds 63 bits");
        *numbers[i].into = (int64_t)number;
    }
    return status;
}

/* Names go into messages, and so to terminals. */
static bool is_name(const unsigned char *name, size_t bytes)
{
    bool is_plain = bytes > 0;
    for (size_t i = 0; i < bytes && is_plain; i++)
        is_plain = name[i] >= ' ' && name[i] != 0x7f;
    return is_plain;
}

static cohort_status check_member(const cohort_file *file, const cohort_zip *zip, const entry *e,
                                  const cohort_zip_member *member)
{
    if (cohort_zip_u16(e->fixed + 34) != 0)
        return cohort_error_set(COHORT_ENOTSUP, "%s: byte %lld: a zip file of several disks",
                                file->path, (long long)e->at);
    if (!is_name(e->fixed + ENTRY_BYTES, e->name_bytes))
        return refuse(file, e->at, "a member without a name, or with control characters in it");
    int64_t room = zip->directory_at - LOCAL_BYTES;
    if (member->header_at > room || member->extent.packed_bytes > room - member->header_at)
        return cohort_error_set(
            COHORT_EINVAL,
            "%s: byte %lld: member '%.*s' would have %lld bytes from byte %lld on, "
            "and the directory begins at byte %lld",
            file->path, (long long)e->at, (int)e->name_bytes, (const char *)e->fixed + ENTRY_BYTES,
            (long long)member->extent.packed_bytes, (long long)member->header_at,
            (long long)zip->directory_at);
    return COHORT_OK;
}

/* Names move to the front of their entries in the directory's bytes: there is room for a zero
 * byte behind each, and no name needs memory of its own. The entry itself has been read by then. */
static void keep_name(entry *e, cohort_zip_member *member)
{
    char *name = cohort_memory_own(e->fixed); /* in zip->directory, which is ours */
    memmove(name, e->fixed + ENTRY_BYTES, e->name_bytes);
    name[e->name_bytes] = '\0';
    member->name = name;
}

static cohort_status read_members(const cohort_file *file, cohort_zip *zip, size_t directory_bytes)
{
    const unsigned char *bytes = (const unsigned char *)zip->directory;
    size_t used = 0;
    for (size_t i = 0; i < zip->n_members; i++) {
        entry e = { 0 };
        cohort_zip_member *member = &zip->members[i];
        cohort_status status = split_entry(file, bytes + used, directory_bytes - used,
                                           zip->directory_at + (int64_t)used, &e);
        if (status >= 0)
            status = read_numbers(file, &e, member);
        if (status >= 0)
            status = check_member(file, zip, &e, member);
        if (status < 0)
            return status;
        member->flags = cohort_zip_u16(e.fixed + 8);
        member->method = cohort_zip_u16(e.fixed + 10);
        member->extent.crc = cohort_zip_u32(e.fixed + 16);
        member->extent.has_crc = true;
        used += e.bytes;
        keep_name(&e, member);
    }
    return used == directory_bytes ? COHORT_OK
                                   : refuse(file, zip->directory_at + (int64_t)used,
                                            "the zip directory has more bytes than its entries");
}

static int compare_members(const void *a, const void *b)
{
    return strcmp((*(const cohort_zip_member *const *)a)->name,
                  (*(const cohort_zip_member *const *)b)->name);
}

static int compare_name(const void *name, const void *member)
{
    return strcmp(name, (*(const cohort_zip_member *const *)member)->name);
}

/* Sorted for look-up, which also brings two equal names side by side: which of the two is meant
 * could not be said. */
static cohort_status sort_names(const cohort_file *file, cohort_zip *zip)
{
    for (size_t i = 0; i < zip->n_members; i++)
        zip->by_name[i] = &zip->members[i];
    qsort(zip->by_name, zip->n_members, sizeof *zip->by_name, compare_members);
    for (size_t i = 1; i < zip->n_members; i++)
        if (strcmp(zip->by_name[i - 1]->name, zip->by_name[i]->name) == 0)
            return cohort_error_set(COHORT_EINVAL, "%s: two members are called '%s'", file->path,
                                    zip->by_name[i]->name);
    return COHORT_OK;
}

const cohort_zip_member *cohort_zip_find(const cohort_zip *zip, const char *name)
{
    const cohort_zip_member **found =
        zip->n_members > 0
            ? bsearch(name, zip->by_name, zip->n_members, sizeof *zip->by_name, compare_name)
            : NULL;
    return found != NULL ? *found : NULL;
}

cohort_status cohort_zip_open(const cohort_file *file, cohort_zip *out)
{
    cohort_zip_end end;
    *out = (cohort_zip){ 0 };
    cohort_status status = cohort_zip_end_read(file, &end);
    if (status < 0)
        return status;
    out->directory_at = end.directory_at;
    out->n_members = (size_t)end.n_members;
    out->directory = cohort_allocate((size_t)end.directory_bytes + 1, 1);
    out->members = cohort_allocate(out->n_members, sizeof *out->members);
    out->by_name = cohort_allocate(out->n_members, sizeof *out->by_name);
    status =
        out->directory != NULL && out->members != NULL && out->by_name != NULL
            ? cohort_file_read(file, end.directory_at, out->directory, (size_t)end.directory_bytes)
            : cohort_error_memory(file->path);
    if (status >= 0)
        status = read_members(file, out, (size_t)end.directory_bytes);
    if (status >= 0)
        status = sort_names(file, out);
    if (status < 0)
        cohort_zip_close(out);
    return status;
}

void cohort_zip_close(cohort_zip *zip)
{
    cohort_free(zip->directory);
    cohort_free(zip->members);
    cohort_free(zip->by_name);
    *zip = (cohort_zip){ 0 };
}

static cohort_status check_method(const cohort_file *file, const cohort_zip_member *member)
{
    if (member->flags & (FLAG_ENCRYPTED | FLAG_STRONG | FLAG_MASKED))
        return cohort_error_set(COHORT_ENOTSUP, "%s: member '%s' is encrypted", file->path,
                                member->name);
    if (member->flags & FLAG_PATCH)
        return cohort_error_set(COHORT_ENOTSUP, "%s: member '%s' is a patch of another file",
                                file->path, member->name);
    if (member->method != METHOD_STORED && member->method != METHOD_DEFLATED)
        return cohort_error_set(
            COHORT_ENOTSUP,
            "%s: member '%s' is compressed by method %u; stored and deflated are read", file->path,
            member->name, member->method);
    if (member->method == METHOD_STORED && member->extent.packed_bytes != member->extent.bytes)
        return cohort_error_set(COHORT_EINVAL,
                                "%s: member '%s' is stored, but %lld bytes are said to be %lld",
                                file->path, member->name, (long long)member->extent.packed_bytes,
                                (long long)member->extent.bytes);
    return COHORT_OK;
}

/* A byte that is not printed may be a command to a terminal. */
static cohort_status refuse_name(const cohort_file *file, const cohort_zip_member *member,
                                 char *name, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if ((unsigned char)name[i] < ' ' || name[i] == 0x7f)
            name[i] = '?';
    return cohort_error_set(
        COHORT_EINVAL,
        "%s: byte %lld: the directory calls this member '%s', its own header '%.*s': which of the "
        "two it is cannot be known; write the file anew",
        file->path, (long long)member->header_at, member->name, (int)bytes, name);
}

/* Names may have 65,535 bytes, which are too many for the stack of a caller. */
static cohort_status check_name(const cohort_file *file, const cohort_zip_member *member,
                                size_t bytes)
{
    char *name = cohort_allocate(bytes, 1);
    if (name == NULL)
        return cohort_error_memory(file->path);
    cohort_status status = cohort_file_read(file, member->header_at + LOCAL_BYTES, name, bytes);
    if (status >= 0 && (bytes != strlen(member->name) || memcmp(name, member->name, bytes) != 0))
        status = refuse_name(file, member, name, bytes);
    cohort_free(name);
    return status;
}

/* The member's own header has the directory's flags, method and name. */
static cohort_status check_header(const cohort_file *file, const cohort_zip_member *member,
                                  const unsigned char *header)
{
    if (cohort_zip_u32(header) != LOCAL_SIGNATURE)
        return refuse(file, member->header_at, "expected the header of a zip member");
    bool is_same =
        cohort_zip_u16(header + 6) == member->flags && cohort_zip_u16(header + 8) == member->method;
    cohort_status status = check_name(file, member, cohort_zip_u16(header + 26));
    if (status < 0)
        return status;
    return is_same ? COHORT_OK
                   : cohort_error_set(
                         COHORT_EINVAL,
                         "%s: byte %lld: the header of member '%s' differs from the directory",
                         file->path, (long long)member->header_at, member->name);
}

cohort_status cohort_zip_locate(const cohort_file *file, const cohort_zip *zip,
                                const cohort_zip_member *member, cohort_extent *out)
{
    unsigned char header[LOCAL_BYTES];
    *out = member->extent;
    cohort_status status = check_method(file, member);
    if (status >= 0)
        status = cohort_file_read(file, member->header_at, header, sizeof header);
    if (status >= 0)
        status = check_header(file, member, header);
    if (status < 0)
        return status;
    out->is_deflated = member->method == METHOD_DEFLATED;
    out->offset =
        member->header_at + LOCAL_BYTES + cohort_zip_u16(header + 26) + cohort_zip_u16(header + 28);
    /* the header's own name and extra field have pushed the bytes back */
    if (out->offset > zip->directory_at || out->packed_bytes > zip->directory_at - out->offset)
        return refuse(file, member->header_at,
                      "the bytes of the member reach into the zip directory");
    return COHORT_OK;
}
