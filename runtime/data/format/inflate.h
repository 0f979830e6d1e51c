/* SPDX-License-Identifier: BSD-3-Clause */
/* Deflated bytes of a file, and gzipped files: the door to zlib. */
#ifndef COHORT_FORMAT_INFLATE_H
#define COHORT_FORMAT_INFLATE_H

#include "runtime/data/format/file.h"

typedef struct cohort_inflate cohort_inflate;

/* Raw deflate data at offset..offset+packed_bytes. Messages begin with `name`. COHORT_ENOTSUP in a
 * build without zlib, COHORT_ENOMEM. */
cohort_status cohort_inflate_open(const cohort_file *file, const char *name, int64_t offset,
                                  int64_t packed_bytes, cohort_inflate **out);

void cohort_inflate_close(cohort_inflate *inflate); /* NULL is allowed */

/* Exactly these many bytes more, and none beyond them. */
cohort_status cohort_inflate_read(cohort_inflate *inflate, void *into, size_t bytes);

/* Checks that the data ends here. */
cohort_status cohort_inflate_finish(cohort_inflate *inflate);

/* ---- A whole gzip file: one member after the other, with zero bytes between them and at the end,
 * if any. Header, CRC-32 and length of each are checked. Not to be mixed with the calls above, but
 * for close. */

/* Borrows `file`. COHORT_ENOTSUP in a build without zlib, COHORT_ENOMEM. */
cohort_status cohort_inflate_open_gzip(const cohort_file *file, cohort_inflate **out);

/* Up to `bytes` bytes more; fewer only at the file's end, and none beyond them are unpacked.
 * COHORT_EINVAL when the file is damaged or ends early before that: then *out_bytes are good, and
 * the same failure comes again. */
cohort_status cohort_inflate_read_gzip(cohort_inflate *inflate, void *into, size_t bytes,
                                       size_t *out_bytes);

#endif
