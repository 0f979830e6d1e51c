/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of an array in a file. Stored arrays are read at any place; deflated ones only forwards,
 * so going back means to start over. Where the file has a checksum of an array that is read from
 * its beginning to its end, each row also runs through the stream, which sums; rows read out of
 * order are not part of any sum. */
#include "config.h"

#include "runtime/data/format/npy_rows.h"

#include "runtime/base/array.h"
#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/data/format/elements.h"

#include <string.h>

enum { NOWHERE = -1 };

struct cohort_npy_rows {
    char *path;
    cohort_file file;
    cohort_npz *npz; /* NULL: the file is one array */
    const char *name;
    cohort_extent extent; /* of header and elements */
    cohort_npy_header header;
    int64_t row_bytes;
    cohort_stream *stream; /* where bytes are unpacked, or summed up: stands at row `next` */
    int64_t next;          /* NOWHERE: the stream broke */
    /* read to the end, the bytes had another sum: the last row is not given */
    bool is_damaged;
};

static int64_t row_count(const cohort_npy_rows *rows)
{
    return rows->header.array.shape[0];
}

/* ---- Open */

static cohort_status check_layout(const cohort_npy_rows *rows)
{
    const cohort_array *array = &rows->header.array;
    if (array->rank == 0)
        return cohort_error_set(
            COHORT_ENOTSUP,
            "%s: an array of rank 0, which has no rows; expected rank 1 or more: save it with "
            "numpy.atleast_1d",
            rows->name);
    if (array->rank > 1 && cohort_array_items(array) > 0 && !cohort_array_is_row_major(array))
        return cohort_error_set(
            COHORT_ENOTSUP,
            "%s: an array in Fortran order, whose rows lie apart; expected C order: save it with "
            "numpy.ascontiguousarray",
            rows->name);
    return COHORT_OK;
}

static bool is_same_header(const cohort_npy_header *a, const cohort_npy_header *b)
{
    return a->array.dtype == b->array.dtype && a->array.rank == b->array.rank &&
           a->is_swapped == b->is_swapped &&
           memcmp(a->array.shape, b->array.shape, sizeof a->array.shape) == 0 &&
           memcmp(a->array.strides, b->array.strides, sizeof a->array.strides) == 0;
}

/* A stream that stands behind the header, which is still the one that was checked. */
static cohort_status start_over(cohort_npy_rows *rows)
{
    cohort_npy_header header;
    cohort_stream_close(rows->stream);
    rows->stream = NULL;
    rows->next = NOWHERE;
    rows->is_damaged = false;
    cohort_status status =
        cohort_stream_open(&rows->file, rows->name, &rows->extent, &rows->stream);
    if (status >= 0)
        status = cohort_npy_header_read(rows->stream, &header);
    if (status >= 0 && !is_same_header(&header, &rows->header))
        status = cohort_error_set(
            COHORT_EINVAL,
            "%s: its header has changed since it was opened: do not write to files that are read",
            rows->name);
    rows->next = status < 0 ? NOWHERE : 0;
    return status;
}

static cohort_status open_array(const char *member, cohort_npy_rows *rows)
{
    cohort_status status = cohort_file_open(rows->path, &rows->file);
    if (status >= 0)
        status = cohort_npz_locate(&rows->file, member, &rows->npz, &rows->name, &rows->extent);
    if (status >= 0)
        status = cohort_stream_open(&rows->file, rows->name, &rows->extent, &rows->stream);
    if (status >= 0)
        status = cohort_npy_header_read(rows->stream, &rows->header);
    if (status >= 0)
        status = check_layout(rows);
    if (status < 0)
        return status;
    rows->row_bytes = row_count(rows) > 0 ? rows->header.bytes / row_count(rows) : 0;
    return rows->header.bytes == 0 ? cohort_stream_finish(rows->stream) : COHORT_OK;
}

cohort_status cohort_npy_rows_open(const char *path, const char *member, cohort_npy_rows **out)
{
    *out = NULL;
    cohort_npy_rows *rows = cohort_allocate(1, sizeof *rows);
    if (rows == NULL)
        return cohort_error_memory(path);
    rows->file.fd = -1;
    rows->path = cohort_string_copy(path);
    cohort_status status =
        rows->path != NULL ? open_array(member, rows) : cohort_error_memory(path);
    if (status < 0)
        cohort_npy_rows_close(rows);
    else
        *out = rows;
    return status;
}

void cohort_npy_rows_close(cohort_npy_rows *rows)
{
    if (rows == NULL)
        return;
    cohort_stream_close(rows->stream);
    cohort_npz_close(rows->npz);
    cohort_file_close(&rows->file);
    cohort_free(rows->path);
    cohort_free(rows);
}

cohort_spec cohort_npy_rows_spec(const cohort_npy_rows *rows)
{
    cohort_spec spec = { .dtype = rows->header.array.dtype, .rank = rows->header.array.rank };
    memcpy(spec.shape, rows->header.array.shape, sizeof spec.shape);
    return spec;
}

bool cohort_npy_rows_is_indexed(const cohort_npy_rows *rows)
{
    return !rows->extent.is_deflated;
}

/* ---- Read */

/* Unpack what lies before row `first`. */
static cohort_status pass_to(cohort_npy_rows *rows, int64_t first)
{
    cohort_status status =
        rows->next == NOWHERE || rows->next > first ? start_over(rows) : COHORT_OK;
    int64_t left = status >= 0 ? (first - rows->next) * rows->row_bytes : 0;
    if (status < 0 || left == 0)
        return status;
    status = cohort_stream_pass(rows->stream, left);
    rows->next = status < 0 ? NOWHERE : first;
    return status;
}

/* Behind the last row the sum of all bytes is known, and compared. */
static cohort_status read_in_order(cohort_npy_rows *rows, int64_t n, void *into)
{
    /* the stream is nowhere until all of it worked */
    int64_t behind = rows->next + n;
    rows->next = NOWHERE;
    cohort_status status = cohort_stream_read(rows->stream, into, (size_t)(n * rows->row_bytes));
    if (status >= 0 && behind == row_count(rows) && n > 0) {
        status = cohort_stream_finish(rows->stream);
        rows->is_damaged = status < 0;
    }
    rows->next = status < 0 ? NOWHERE : behind;
    return status;
}

/* Any row at once; the stream stays where it was. */
static cohort_status read_at(const cohort_npy_rows *rows, int64_t first, int64_t n, void *into)
{
    int64_t header_bytes = rows->extent.bytes - rows->header.bytes;
    return cohort_file_read(&rows->file,
                            rows->extent.offset + header_bytes + first * rows->row_bytes, into,
                            (size_t)(n * rows->row_bytes));
}

static cohort_status read_bytes(cohort_npy_rows *rows, int64_t first, int64_t n, void *into)
{
    cohort_status status = COHORT_OK;
    /* The sum was wrong: which row is damaged cannot be known, so the last one is refused each
     * time, and the others are given. */
    if (rows->is_damaged && !rows->extent.is_deflated && first > 0 && first + n == row_count(rows))
        return cohort_stream_finish(rows->stream);
    if (rows->extent.is_deflated)
        status = pass_to(rows, first);
    else if (rows->extent.has_crc && first == 0 && rows->next != 0) /* in order once more */
        status = start_over(rows);
    if (status < 0)
        return status;
    bool is_in_order = rows->extent.is_deflated || (rows->extent.has_crc && first == rows->next);
    return is_in_order ? read_in_order(rows, n, into) : read_at(rows, first, n, into);
}

cohort_status cohort_npy_rows_read(cohort_npy_rows *rows, int64_t first, int64_t n, void *into)
{
    int64_t there = row_count(rows);
    if (first < 0 || n < 0 || first > there || n > there - first)
        return cohort_error_set(COHORT_EINVAL,
                                "%s: %lld rows from row %lld on were asked for, and it has %lld",
                                rows->name, (long long)n, (long long)first, (long long)there);
    if (n == 0 || rows->row_bytes == 0)
        return COHORT_OK;
    cohort_status status = read_bytes(rows, first, n, into);
    if (status >= 0)
        cohort_elements_arrange(into, n * rows->row_bytes, rows->header.array.dtype,
                                rows->header.is_swapped);
    return status;
}
