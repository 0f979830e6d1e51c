/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of one length need no format: in a plain file a row is found by its number, in a packed
 * one by counting bytes. Lengths are checked against the file when it is opened, so a row that
 * is asked for is there unless the file changes. */
#include "config.h"

#include "runtime/data/dataset/row_file.h"

#include "runtime/base/error.h"
#include "runtime/base/memory.h"

#include <string.h>

/* ---- Not packed */

void cohort_row_file_close(cohort_row_file *plain)
{
    cohort_file_close(&plain->file);
}

static bool is_as_long(const cohort_row_file *plain, int64_t behind)
{
    int64_t all = 0;
    return cohort_multiply(plain->rows, plain->row_bytes, &all) &&
           !__builtin_add_overflow(all, plain->offset, &all) &&
           !__builtin_add_overflow(all, behind, &all) && all == plain->file.bytes;
}

cohort_status cohort_row_file_open(const char *path, int64_t offset, int64_t row_bytes,
                                   int64_t rows, int64_t behind, cohort_row_file *out)
{
    cohort_row_file plain = {
        .file.fd = -1, .offset = offset, .row_bytes = row_bytes, .rows = rows
    };
    cohort_status status = cohort_file_open(path, &plain.file);
    if (status >= 0 && !is_as_long(&plain, behind)) {
        status = cohort_error_set(
            COHORT_EINVAL,
            "%s: it has %lld bytes now, which are not the %lld rows that it had when it was "
            "opened: do not write to files that are read",
            path, (long long)plain.file.bytes, (long long)rows);
        cohort_file_close(&plain.file);
    }
    *out = plain;
    return status;
}

/* Where many cannot be read at once, those before the bad one are still good. */
cohort_status cohort_row_file_read(const cohort_row_file *plain, int64_t first, int64_t n,
                                   void *into, int64_t *out_rows)
{
    size_t bytes = (size_t)plain->row_bytes;
    int64_t at = plain->offset + first * plain->row_bytes;
    cohort_status status = cohort_file_read(&plain->file, at, into, (size_t)n * bytes);
    *out_rows = status >= 0 ? n : 0;
    for (bool is_good = status < 0 && n > 1; is_good && *out_rows < n; *out_rows += is_good) {
        int64_t row = *out_rows * plain->row_bytes;
        status = cohort_file_read(&plain->file, at + row, (char *)into + row, bytes);
        is_good = status >= 0;
    }
    return status;
}

/* ---- Packed */

/* As many rows as are in the window with what has to follow them. */
static int64_t take_rows(cohort_bytes *bytes, const uint8_t *from, int64_t there, int64_t row_bytes,
                         int64_t most, char *into)
{
    int64_t rows = there / row_bytes < most ? there / row_bytes : most;
    if (into != NULL)
        memcpy(into, from, (size_t)(rows * row_bytes));
    cohort_bytes_take(bytes, (size_t)(rows * row_bytes));
    return rows;
}

cohort_status cohort_row_file_read_packed(cohort_bytes *bytes, int64_t row_bytes, int64_t behind,
                                          int64_t n, void *into, int64_t *out_rows,
                                          int64_t *out_left)
{
    cohort_status status = COHORT_OK;
    size_t wanted = (size_t)(row_bytes + behind), there = wanted;
    *out_rows = *out_left = 0;
    while (*out_rows < n && status >= 0 && there >= wanted) {
        const uint8_t *from;
        char *to = into != NULL ? (char *)into + *out_rows * row_bytes : NULL;
        status = cohort_bytes_need(bytes, wanted, &from, &there);
        if (status >= 0 && there >= wanted)
            *out_rows +=
                take_rows(bytes, from, (int64_t)there - behind, row_bytes, n - *out_rows, to);
    }
    *out_left = status >= 0 && there < wanted ? (int64_t)there : 0;
    return status;
}
