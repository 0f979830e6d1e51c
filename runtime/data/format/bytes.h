/* SPDX-License-Identifier: BSD-3-Clause */
/* The bytes of a file from first to last, unpacked where it is gzipped, through a window that is
 * filled ahead.
 *
 *     const uint8_t *at;
 *     size_t there;
 *     status = cohort_bytes_need(bytes, 12, &at, &there);  look at the next 12, or at what is left
 *     cohort_bytes_take(bytes, 12);                        go on behind them
 */
#ifndef COHORT_FORMAT_BYTES_H
#define COHORT_FORMAT_BYTES_H

#include "runtime/data/format/file.h"

#include <stdbool.h>

typedef struct cohort_bytes cohort_bytes;

/* So many zero bytes stand behind a view, for who reads eight at once. */
enum { COHORT_BYTES_PADDING = 8 };

/* AUTO looks at the first bytes (RFC 1952: 1f 8b 08, and flags that there are). */
typedef enum cohort_packing {
    COHORT_PACKING_AUTO = 0,
    COHORT_PACKING_NONE,
    COHORT_PACKING_GZIP
} cohort_packing;

/* Errors as cohort_file_open; COHORT_ENOTSUP for a gzipped file in a build without zlib;
 * COHORT_ENOMEM. */
cohort_status cohort_bytes_open(const char *path, cohort_packing packing, cohort_bytes **out);
void cohort_bytes_close(cohort_bytes *bytes); /* NULL is allowed */

const char *cohort_bytes_path(const cohort_bytes *bytes);
bool cohort_bytes_is_packed(const cohort_bytes *bytes);

/* Where the next byte is, counted unpacked. */
int64_t cohort_bytes_at(const cohort_bytes *bytes);

/* How many bytes follow; -1 when that is not known (gzip). */
int64_t cohort_bytes_left(const cohort_bytes *bytes);

/* Look at the next bytes: at least `wanted`, or all there are until the end; more when they are in
 * the window. The view holds until the next need, read or skip. The window grows to
 * `wanted`: the caller has checked it against what is left or against a limit. COHORT_EINVAL: file,
 * byte and cause. COHORT_ENOMEM. */
cohort_status cohort_bytes_need(cohort_bytes *bytes, size_t wanted, const uint8_t **out,
                                size_t *out_bytes);

/* Go on behind the next n bytes, which were looked at. */
void cohort_bytes_take(cohort_bytes *bytes, size_t n);

/* Exactly n bytes straight into memory, past the window where that is quicker. COHORT_EINVAL when
 * the file ends before.
 */
cohort_status cohort_bytes_read(cohort_bytes *bytes, void *into, size_t n);

/* Go on behind the next n bytes without looking at them: a seek, where nothing is packed.
 * COHORT_EINVAL as read. */
cohort_status cohort_bytes_skip(cohort_bytes *bytes, int64_t n);

#endif
