/* SPDX-License-Identifier: BSD-3-Clause */
/* A zip file is read from its end. The end record stands before a comment of any length up to 64
 * KiB, so it is searched backwards; its signature may also occur in the comment, and counts only
 * where the comment that it declares ends with the file. */
#include "config.h"

#include "runtime/data/format/zip_end.h"

#include "runtime/base/error.h"
#include "runtime/base/limits.h"
#include "runtime/base/memory.h"

#include <stdbool.h>

enum {
    END_BYTES = 22,
    END_SIGNATURE = 0x06054b50,
    COMMENT_BYTES = 65535, /* of the longest comment behind the record */
    LOCATOR_BYTES = 20,
    LOCATOR_SIGNATURE = 0x07064b50,
    END64_BYTES = 56,
    END64_SIGNATURE = 0x06064b50,
    ENTRY_BYTES = 46 /* of the shortest entry of the directory */
};

/* The numbers of either record, as they stand there. */
typedef struct record {
    int64_t at; /* where the directory must end */
    uint64_t disk, directory_disk, n_here, n_members, directory_bytes, directory_at;
} record;

static cohort_status refuse(const cohort_file *file, int64_t at, const char *what)
{
    return cohort_error_set(COHORT_EINVAL, "%s: byte %lld: %s", file->path, (long long)at, what);
}

/* The record whose comment ends with the file; searched from the end. */
static cohort_status find_end(const cohort_file *file, const unsigned char *tail, size_t tail_bytes,
                              size_t *out)
{
    for (size_t i = tail_bytes; i >= END_BYTES; i--) {
        const unsigned char *p = tail + i - END_BYTES;
        if (cohort_zip_u32(p) == END_SIGNATURE && cohort_zip_u16(p + 20) == tail_bytes - i) {
            *out = i - END_BYTES;
            return COHORT_OK;
        }
    }
    return cohort_error_set(COHORT_EINVAL,
                            "%s: no end of a zip file within its last %lld bytes: cut off?",
                            file->path, (long long)tail_bytes);
}

static cohort_status read_end(const cohort_file *file, record *out)
{
    size_t bytes = file->bytes < END_BYTES + COMMENT_BYTES ? (size_t)file->bytes
                                                           : END_BYTES + COMMENT_BYTES,
           at = 0;
    unsigned char *tail = cohort_allocate(bytes, 1);
    if (tail == NULL)
        return cohort_error_memory(file->path);
    cohort_status status = cohort_file_read(file, file->bytes - (int64_t)bytes, tail, bytes);
    if (status >= 0)
        status = find_end(file, tail, bytes, &at);
    const unsigned char *p = tail + at;
    if (status >= 0)
        *out = (record){ .at = file->bytes - (int64_t)(bytes - at),
                         .disk = cohort_zip_u16(p + 4),
                         .directory_disk = cohort_zip_u16(p + 6),
                         .n_here = cohort_zip_u16(p + 8),
                         .n_members = cohort_zip_u16(p + 10),
                         .directory_bytes = cohort_zip_u32(p + 12),
                         .directory_at = cohort_zip_u32(p + 16) };
    cohort_free(tail);
    return status;
}

/* A number that is all ones says that the real one stands in the zip64 record. */
static bool needs_64(const record *end)
{
    return end->disk == UINT16_MAX || end->directory_disk == UINT16_MAX ||
           end->n_here == UINT16_MAX || end->n_members == UINT16_MAX ||
           end->directory_bytes == UINT32_MAX || end->directory_at == UINT32_MAX;
}

static cohort_status refuse_disks(const cohort_file *file, int64_t at)
{
    return cohort_error_set(COHORT_ENOTSUP, "%s: byte %lld: a zip file of several disks",
                            file->path, (long long)at);
}

/* The record of 64-bit numbers stands before the locator, which stands before the other record. */
static cohort_status read_end64(const cohort_file *file, record *end)
{
    unsigned char locator[LOCATOR_BYTES], p[END64_BYTES];
    int64_t at = end->at - LOCATOR_BYTES;
    if (at < END64_BYTES)
        return refuse(file, end->at,
                      "sizes of 64 bits are announced, and there is no room for them");
    cohort_status status = cohort_file_read(file, at, locator, sizeof locator);
    if (status < 0)
        return status;
    if (cohort_zip_u32(locator) != LOCATOR_SIGNATURE)
        return refuse(file, at, "expected the place of the zip64 record");
    if (cohort_zip_u32(locator + 4) != 0 || cohort_zip_u32(locator + 16) > 1)
        return refuse_disks(file, at);
    if (cohort_zip_u64(locator + 8) > (uint64_t)(at - END64_BYTES))
        return refuse(file, at, "the zip64 record is outside of the file");
    int64_t place = (int64_t)cohort_zip_u64(locator + 8);
    status = cohort_file_read(file, place, p, sizeof p);
    if (status < 0)
        return status;
    if (cohort_zip_u32(p) != END64_SIGNATURE ||
        cohort_zip_u64(p + 4) != (uint64_t)(at - place - 12))
        return refuse(file, place, "expected a zip64 record that ends where its locator begins");
    *end = (record){ .at = place,
                     .disk = cohort_zip_u32(p + 16),
                     .directory_disk = cohort_zip_u32(p + 20),
                     .n_here = cohort_zip_u64(p + 24),
                     .n_members = cohort_zip_u64(p + 32),
                     .directory_bytes = cohort_zip_u64(p + 40),
                     .directory_at = cohort_zip_u64(p + 48) };
    return COHORT_OK;
}

static cohort_status check_end(const cohort_file *file, const record *end)
{
    if (end->disk != 0 || end->directory_disk != 0 || end->n_here != end->n_members)
        return refuse_disks(file, end->at);
    if (end->directory_at > (uint64_t)end->at ||
        end->directory_bytes != (uint64_t)end->at - end->directory_at)
        return cohort_error_set(
            COHORT_EINVAL,
            "%s: byte %lld: a zip directory of %llu bytes at byte %llu, which must end here",
            file->path, (long long)end->at, (unsigned long long)end->directory_bytes,
            (unsigned long long)end->directory_at);
    if (end->n_members > COHORT_LIMIT_ZIP_MEMBERS ||
        end->directory_bytes > COHORT_LIMIT_ZIP_DIRECTORY_BYTES)
        return cohort_error_set(
            COHORT_EINVAL, "%s: %llu members with a directory of %llu bytes; at most %d and %d",
            file->path, (unsigned long long)end->n_members,
            (unsigned long long)end->directory_bytes, COHORT_LIMIT_ZIP_MEMBERS,
            COHORT_LIMIT_ZIP_DIRECTORY_BYTES);
    /* before memory is taken for so many members */
    if (end->n_members > end->directory_bytes / ENTRY_BYTES)
        return cohort_error_set(
            COHORT_EINVAL, "%s: %llu members do not fit a zip directory of %llu bytes", file->path,
            (unsigned long long)end->n_members, (unsigned long long)end->directory_bytes);
    return COHORT_OK;
}

cohort_status cohort_zip_end_read(const cohort_file *file, cohort_zip_end *out)
{
    record end = { 0 };
    *out = (cohort_zip_end){ 0 };
    cohort_status status = read_end(file, &end);
    if (status >= 0 && needs_64(&end))
        status = read_end64(file, &end);
    if (status >= 0)
        status = check_end(file, &end);
    if (status >= 0)
        *out = (cohort_zip_end){ .directory_at = (int64_t)end.directory_at,
                                 .directory_bytes = (int64_t)end.directory_bytes,
                                 .n_members = (int64_t)end.n_members };
    return status;
}
