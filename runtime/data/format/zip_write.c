/* SPDX-License-Identifier: BSD-3-Clause */
/* A member's own header has its checksum, and so is written behind it. Its sizes always have 64
 * bits, as those that Python's zipfile makes for NumPy; the directory has them where 32 are too
 * few. */
#include "config.h"

#include "runtime/data/format/zip_write.h"

#include "runtime/base/error.h"
#include "runtime/base/limits.h"
#include "runtime/base/memory.h"
#include "runtime/data/format/crc.h"

#include <string.h>

enum {
    LOCAL_BYTES = 30,
    LOCAL_EXTRA_BYTES = 20,
    ENTRY_BYTES = 46,
    ENTRY_EXTRA_BYTES = 28,
    END64_BYTES = 56,
    LOCATOR_BYTES = 20,
    END_BYTES = 22,
    NEEDED_VERSION = 45,   /* the first with sizes of 64 bits */
    MADE_ON_UNIX = 3 << 8, /* whose permissions are in the upper half of the attributes */
    FLAG_UTF8 = 1 << 11,
    FIRST_DAY = 1 << 5 | 1, /* the 1st of January 1980 */
    ZIP64_EXTRA = 1
};
static const uint32_t attributes = UINT32_C(0100600) << 16; /* a file for its owner */

/* ------------------------------------------------------------------ numbers */

/* Little-endian numbers, one behind the other. */
typedef struct record {
    unsigned char *at;
} record;

static void put(record *r, uint64_t number, int bytes)
{
    for (int i = 0; i < bytes; i++, number >>= 8)
        *r->at++ = (unsigned char)(number & 0xff);
}

/* All ones, which say that the number has 64 bits elsewhere, where it does not fit. */
static void put_narrow(record *r, int64_t number, uint32_t most, int bytes)
{
    put(r, number < (int64_t)most ? (uint64_t)number : most, bytes);
}

static void put_text(record *r, const char *text)
{
    memcpy(r->at, text, strlen(text));
    r->at += strlen(text);
}

/* ------------------------------------------------------------------ members */

static cohort_status check_name(const char *name)
{
    size_t bytes = strlen(name);
    bool is_plain = bytes > 0;
    for (size_t i = 0; i < bytes && is_plain; i++)
        is_plain = (unsigned char)name[i] >= ' ' && name[i] != 0x7f;
    if (!is_plain)
        return cohort_error_set(COHORT_EINVAL, "a name of a zip file has no control characters");
    return bytes <= UINT16_MAX
               ? COHORT_OK
               : cohort_error_set(
                     COHORT_EINVAL,
                     "a name of %zu bytes, '%.32s...'; in a zip file it has at most %d", bytes,
                     name, UINT16_MAX);
}

static int flags_of(const char *name)
{
    for (const char *p = name; *p != '\0'; p++)
        if ((unsigned char)*p >= 0x80)
            return FLAG_UTF8;
    return 0;
}

/* What both headers of a member have: version to flags, time, and checksum. */
static void put_member(record *r, const cohort_zip_entry *e)
{
    put(r, NEEDED_VERSION, 2);
    put(r, (uint64_t)flags_of(e->name), 2);
    put(r, 0, 2); /* stored */
    put(r, 0, 2);
    put(r, FIRST_DAY, 2);
    put(r, e->crc, 4);
}

static cohort_status write_header(cohort_zip_writer *zip, const cohort_zip_entry *e)
{
    size_t name_bytes = strlen(e->name), bytes = LOCAL_BYTES + name_bytes + LOCAL_EXTRA_BYTES;
    unsigned char *header = cohort_allocate(bytes, 1);
    record r = { header };
    if (header == NULL)
        return cohort_error_memory(e->name);
    put_text(&r, "PK\3\4");
    put_member(&r, e);
    put(&r, UINT32_MAX, 4);
    put(&r, UINT32_MAX, 4);
    put(&r, name_bytes, 2);
    put(&r, LOCAL_EXTRA_BYTES, 2);
    put_text(&r, e->name);
    put(&r, ZIP64_EXTRA, 2);
    put(&r, LOCAL_EXTRA_BYTES - 4, 2);
    put(&r, (uint64_t)e->bytes, 8);
    put(&r, (uint64_t)e->bytes, 8);
    cohort_status status = cohort_replacement_write_at(zip->file, e->header_at, header, bytes);
    cohort_free(header);
    return status;
}

/* Nothing where there is none yet. */
static cohort_status end_member(cohort_zip_writer *zip)
{
    return zip->n > 0 ? write_header(zip, &zip->entries[zip->n - 1]) : COHORT_OK;
}

cohort_status cohort_zip_write_name(cohort_zip_writer *zip, const char *name)
{
    cohort_status status = check_name(name);
    if (status >= 0 && zip->n == COHORT_LIMIT_ZIP_MEMBERS)
        status = cohort_error_set(COHORT_ENOTSUP, "more than %d members of a zip file",
                                  COHORT_LIMIT_ZIP_MEMBERS);
    if (status >= 0)
        status = end_member(zip);
    if (status < 0)
        return status;
    cohort_zip_entry entry = { .name = cohort_string_copy(name), .header_at = zip->at };
    if (entry.name == NULL ||
        !cohort_grow((void **)&zip->entries, &zip->room, zip->n + 1, sizeof *zip->entries)) {
        cohort_free(entry.name);
        return cohort_error_memory("a zip file");
    }
    zip->entries[zip->n++] = entry;
    zip->at += LOCAL_BYTES + (int64_t)strlen(name) + LOCAL_EXTRA_BYTES;
    return COHORT_OK;
}

cohort_status cohort_zip_write(cohort_zip_writer *zip, const void *bytes, size_t count)
{
    cohort_zip_entry *e = &zip->entries[zip->n - 1];
    cohort_status status = cohort_replacement_write_at(zip->file, zip->at, bytes, count);
    e->crc = cohort_crc32(e->crc, bytes, count);
    e->bytes += (int64_t)count;
    zip->at += (int64_t)count;
    return status;
}

/* ------------------------------------------------------------------ the directory */

/* Those of the three numbers that do not fit into 32 bits, in the order of the format. */
static int put_wide(record *r, const cohort_zip_entry *e)
{
    const int64_t numbers[] = { e->bytes, e->bytes, e->header_at };
    int n = 0;
    for (int i = 0; i < 3; i++)
        if (numbers[i] >= (int64_t)UINT32_MAX) {
            put(r, (uint64_t)numbers[i], 8);
            n++;
        }
    return n;
}

static void put_extra(record *r, const cohort_zip_entry *e)
{
    record head = *r, body = { r->at + 4 };
    int n = put_wide(&body, e);
    if (n == 0)
        return;
    put(&head, ZIP64_EXTRA, 2);
    put(&head, 8 * (uint64_t)n, 2);
    *r = body;
}

static void put_entry(record *r, const cohort_zip_entry *e)
{
    unsigned char extra[ENTRY_EXTRA_BYTES];
    record measured = { extra };
    put_extra(&measured, e);
    put_text(r, "PK\1\2");
    put(r, MADE_ON_UNIX | NEEDED_VERSION, 2);
    put_member(r, e);
    put_narrow(r, e->bytes, UINT32_MAX, 4);
    put_narrow(r, e->bytes, UINT32_MAX, 4);
    put(r, strlen(e->name), 2);
    put(r, (uint64_t)(measured.at - extra), 2);
    put(r, 0, 2); /* comment */
    put(r, 0, 2); /* disk */
    put(r, 0, 2); /* no text */
    put(r, attributes, 4);
    put_narrow(r, e->header_at, UINT32_MAX, 4);
    put_text(r, e->name);
    put_extra(r, e);
}

static size_t entry_bytes(const cohort_zip_entry *e)
{
    return ENTRY_BYTES + strlen(e->name) + ENTRY_EXTRA_BYTES;
}

/* Numbers of 64 bits, and where they are. */
static void put_end64(record *r, const cohort_zip_writer *zip, int64_t bytes)
{
    put_text(r, "PK\6\6");
    put(r, END64_BYTES - 12, 8);
    put(r, MADE_ON_UNIX | NEEDED_VERSION, 2);
    put(r, NEEDED_VERSION, 2);
    put(r, 0, 4);
    put(r, 0, 4);
    put(r, zip->n, 8);
    put(r, zip->n, 8);
    put(r, (uint64_t)bytes, 8);
    put(r, (uint64_t)zip->at, 8);
    put_text(r, "PK\6\7");
    put(r, 0, 4);
    put(r, (uint64_t)(zip->at + bytes), 8);
    put(r, 1, 4);
}

static void put_end(record *r, const cohort_zip_writer *zip, int64_t bytes)
{
    if (zip->n >= UINT16_MAX || bytes >= (int64_t)UINT32_MAX || zip->at >= (int64_t)UINT32_MAX)
        put_end64(r, zip, bytes);
    put_text(r, "PK\5\6");
    put(r, 0, 2);
    put(r, 0, 2);
    put_narrow(r, (int64_t)zip->n, UINT16_MAX, 2);
    put_narrow(r, (int64_t)zip->n, UINT16_MAX, 2);
    put_narrow(r, bytes, UINT32_MAX, 4);
    put_narrow(r, zip->at, UINT32_MAX, 4);
    put(r, 0, 2); /* comment */
}

static size_t directory_bytes(const cohort_zip_writer *zip)
{
    size_t bytes = 0;
    for (size_t i = 0; i < zip->n; i++)
        bytes += entry_bytes(&zip->entries[i]);
    return bytes;
}

cohort_status cohort_zip_write_directory(cohort_zip_writer *zip)
{
    size_t room = directory_bytes(zip);
    if (room > COHORT_LIMIT_ZIP_DIRECTORY_BYTES)
        return cohort_error_set(COHORT_ENOTSUP,
                                "names of %zu bytes in a zip file; its directory has at most %d",
                                room, COHORT_LIMIT_ZIP_DIRECTORY_BYTES);
    unsigned char *bytes = cohort_allocate(room + END64_BYTES + LOCATOR_BYTES + END_BYTES, 1);
    if (bytes == NULL)
        return cohort_error_memory("the directory of a zip file");
    record r = { bytes };
    cohort_status status = end_member(zip);
    for (size_t i = 0; i < zip->n; i++)
        put_entry(&r, &zip->entries[i]);
    put_end(&r, zip, r.at - bytes);
    if (status >= 0)
        status = cohort_replacement_write_at(zip->file, zip->at, bytes, (size_t)(r.at - bytes));
    cohort_free(bytes);
    return status;
}

void cohort_zip_writer_free(cohort_zip_writer *zip)
{
    for (size_t i = 0; i < zip->n; i++)
        cohort_free(zip->entries[i].name);
    cohort_free(zip->entries);
    *zip = (cohort_zip_writer){ 0 };
}
