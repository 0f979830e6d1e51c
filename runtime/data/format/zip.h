/* SPDX-License-Identifier: BSD-3-Clause */
/* The directory of a zip file: its members and where their bytes are. */
#ifndef COHORT_FORMAT_ZIP_H
#define COHORT_FORMAT_ZIP_H

#include "runtime/data/format/stream.h"

typedef struct cohort_zip_member {
    const char *name;  /* in the directory's bytes */
    int64_t header_at; /* of the member's own header in the file */
    uint16_t flags, method;
    cohort_extent extent; /* its offset is known to cohort_zip_locate alone */
} cohort_zip_member;

typedef struct cohort_zip {
    char *directory;                   /* names point into it */
    cohort_zip_member *members;        /* [n_members]: in the directory's order */
    const cohort_zip_member **by_name; /* [n_members]: sorted */
    size_t n_members;
    int64_t directory_at; /* members end before it */
} cohort_zip;

/* Read and check the directory: everything that it says lies within the file, names differ, one
 * disk, at most COHORT_LIMIT_ZIP_MEMBERS members. COHORT_EINVAL, COHORT_ENOTSUP, COHORT_ENOMEM;
 * then nothing is kept.
 * Source  PKWARE APPNOTE.TXT 6.3.10, sections 4.3 and 4.5.3. */
cohort_status cohort_zip_open(const cohort_file *file, cohort_zip *out);

void cohort_zip_close(cohort_zip *zip);

/* The member of this name; NULL: there is none. */
const cohort_zip_member *cohort_zip_find(const cohort_zip *zip, const char *name);

/* Where the member's bytes are: its own header, which must agree with the directory, says that.
 * COHORT_ENOTSUP for encryption and for methods other than stored and deflated. */
cohort_status cohort_zip_locate(const cohort_file *file, const cohort_zip *zip,
                                const cohort_zip_member *member, cohort_extent *out);

#endif
