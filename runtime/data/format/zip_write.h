/* SPDX-License-Identifier: BSD-3-Clause */
/* A zip file that is written: members one behind the other, stored as they are, and the directory.
 * The same members are always the same bytes: all have the oldest time that the format knows. Sizes
 * have 64 bits.
 *
 *     cohort_zip_writer zip = { .file = &file };
 *     for each: cohort_zip_write_name, then cohort_zip_write as often as needed
 *     cohort_zip_write_directory, and in any case cohort_zip_writer_free
 *
 * Source  PKWARE APPNOTE.TXT 6.3.10, sections 4.3 and 4.5.3. */
#ifndef COHORT_FORMAT_ZIP_WRITE_H
#define COHORT_FORMAT_ZIP_WRITE_H

#include "runtime/data/format/replacement.h"

typedef struct cohort_zip_entry {
    char *name;
    int64_t header_at, bytes;
    uint32_t crc;
} cohort_zip_entry;

typedef struct cohort_zip_writer {
    cohort_replacement *file;
    int64_t at;                /* where the next byte goes */
    cohort_zip_entry *entries; /* [n]; the last is the one that is written */
    size_t n, room;
} cohort_zip_writer;

/* Begin the next member, which is copied from the text. COHORT_EINVAL: the name has control
 * characters, or more bytes than the format has room for; COHORT_ENOTSUP: it is one member too many
 * for who reads zip files here; COHORT_ENOMEM; and those of writing the member before to its
 * end. */
cohort_status cohort_zip_write_name(cohort_zip_writer *zip, const char *name);

/* The next bytes of the member. The errors of cohort_replacement_write_at. */
cohort_status cohort_zip_write(cohort_zip_writer *zip, const void *bytes, size_t count);

/* The directory, after the last member. COHORT_ENOTSUP: it has more bytes than who reads zip files
 * here takes; COHORT_ENOMEM. */
cohort_status cohort_zip_write_directory(cohort_zip_writer *zip);

void cohort_zip_writer_free(cohort_zip_writer *zip);

#endif
