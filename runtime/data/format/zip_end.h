/* SPDX-License-Identifier: BSD-3-Clause */
/* The end of a zip file, where reading starts: how many members there are, and where the directory
 * is. */
#ifndef COHORT_FORMAT_ZIP_END_H
#define COHORT_FORMAT_ZIP_END_H

#include "runtime/data/format/file.h"

typedef struct cohort_zip_end {
    int64_t directory_at, directory_bytes, n_members;
} cohort_zip_end;

/* The directory ends where this record begins, and has room for its members; both are within the
 * caps. COHORT_EINVAL, COHORT_ENOTSUP for several disks, COHORT_ENOMEM. */
cohort_status cohort_zip_end_read(const cohort_file *file, cohort_zip_end *out);

/* Little-endian numbers. */
static inline uint16_t cohort_zip_u16(const unsigned char *p)
{
    return (uint16_t)(p[0] | p[1] << 8);
}

static inline uint32_t cohort_zip_u32(const unsigned char *p)
{
    return cohort_zip_u16(p) | (uint32_t)cohort_zip_u16(p + 2) << 16;
}

static inline uint64_t cohort_zip_u64(const unsigned char *p)
{
    return cohort_zip_u32(p) | (uint64_t)cohort_zip_u32(p + 4) << 32;
}

#endif
