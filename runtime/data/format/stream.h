/* SPDX-License-Identifier: BSD-3-Clause */
/* The bytes of a file, or of one member of a zip file, from first to last. */
#ifndef COHORT_FORMAT_STREAM_H
#define COHORT_FORMAT_STREAM_H

#include "runtime/data/format/file.h"

#include <stdbool.h>

/* Where the bytes lie and what they must be. */
typedef struct cohort_extent {
    int64_t offset, packed_bytes; /* in the file; lie within it */
    int64_t bytes;                /* unpacked */
    bool is_deflated, has_crc;
    uint32_t crc;
} cohort_extent;

typedef struct cohort_stream cohort_stream;

/* name  for messages; borrowed, as `file` is
 * COHORT_ENOTSUP for a deflated extent in a build without zlib, COHORT_ENOMEM. */
cohort_status cohort_stream_open(const cohort_file *file, const char *name,
                                 const cohort_extent *extent, cohort_stream **out);

void cohort_stream_close(cohort_stream *stream); /* NULL is allowed */

const char *cohort_stream_name(const cohort_stream *stream);
int64_t cohort_stream_bytes(const cohort_stream *stream); /* unpacked, as declared */

/* The next bytes; the caller has checked them against what is left. Never unpacks more than asked
 * for. COHORT_EINVAL when packed data is damaged or ends early. */
cohort_status cohort_stream_read(cohort_stream *stream, void *into, size_t bytes);

/* Pass over so many of the next bytes, which are read all the same, since they belong to the
 * sum. Also COHORT_ENOMEM. */
cohort_status cohort_stream_pass(cohort_stream *stream, int64_t bytes);

/* Checks, when all bytes were read, that nothing is packed behind them and that their CRC-32 is
 * right. */
cohort_status cohort_stream_finish(cohort_stream *stream);

#endif
