/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines of a text file: ended by \n, \r\n or the end of the file; a UTF-8 byte order mark at the
 * start is no text. */
#ifndef COHORT_FORMAT_LINES_H
#define COHORT_FORMAT_LINES_H

#include "runtime/data/format/bytes.h"

/* The next line without its end, which stays until the next call; NUL bytes are bytes like others.
 * COHORT_END behind the last: a file that ends with \n has no empty line behind it. COHORT_EINVAL
 * for a line of more than COHORT_LIMIT_LINE_BYTES: path, byte at which it starts. */
cohort_status cohort_lines_next(cohort_bytes *bytes, const char **out, size_t *out_bytes);

/* Pass over up to n lines. */
cohort_status cohort_lines_skip(cohort_bytes *bytes, int64_t n, int64_t *out_skipped);

#endif
