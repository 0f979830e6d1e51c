/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of an array in a file. Stored arrays are read at any place; deflated ones only forwards,
 * so going back means to start over. Where the file has a checksum of an array that is read from
 * its beginning to its end, each row also runs through the stream, which sums; rows read out of
 * order are not part of any sum.
 *
 * A band of rows of an array in Fortran order, whose rows lie apart, is turned at once, and kept:
 * all of them where they fit the bound. Of a larger one the bands follow those who read in order;
 * who picks a row of a stored one is given that row alone. A sum is that of the file's order, so
 * all bytes are read for it before the last row is given. */
#include "config.h"

#include "runtime/data/format/npy_rows.h"

#include "runtime/base/array.h"
#include "runtime/base/error.h"
#include "runtime/base/limits.h"
#include "runtime/base/memory.h"
#include "runtime/data/format/elements.h"
#include "runtime/data/format/npy_turn.h"

#include <string.h>

enum { NOWHERE = -1, ALIGNMENT = 64 };

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
    /* of an array in Fortran order, where `next` is the row behind those that were given last: */
    bool is_turned, is_sound; /* whose bytes have the right sum, or need none */
    char *band;               /* rows as they are given; NULL: none were turned yet */
    int64_t band_first, band_rows;
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
    rows->is_turned = rows->header.bytes > 0 && !cohort_array_is_row_major(&rows->header.array);
    rows->is_sound = !rows->extent.is_deflated && !rows->extent.has_crc;
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
    cohort_free(rows->band);
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

/* Any bytes of the elements at once; the stream stays where it was. */
static cohort_status read_at(void *user, int64_t at, void *into, size_t bytes)
{
    const cohort_npy_rows *rows = user;
    int64_t header_bytes = rows->extent.bytes - rows->header.bytes;
    return cohort_file_read(&rows->file, rows->extent.offset + header_bytes + at, into, bytes);
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
    return is_in_order
               ? read_in_order(rows, n, into)
               : read_at(rows, first * rows->row_bytes, into, (size_t)(n * rows->row_bytes));
}

/* ---- Fortran order */

/* The stream stands there: it is read from its beginning on. */
static cohort_status read_next(void *user, int64_t at, void *into, size_t bytes)
{
    (void)at;
    return cohort_stream_read(((cohort_npy_rows *)user)->stream, into, bytes);
}

/* Rows to where they are wanted. The bytes that run through the stream are summed on the way. */
static cohort_status turn_rows(cohort_npy_rows *rows, int64_t first, int64_t n, void *into)
{
    bool is_stream = rows->extent.is_deflated || (rows->extent.has_crc && n == row_count(rows));
    const cohort_npy_turn turn = { .array = &rows->header.array,
                                   .is_in_order = is_stream,
                                   .read = is_stream ? read_next : read_at,
                                   .from = rows };
    cohort_status status = is_stream ? start_over(rows) : COHORT_OK;
    if (status >= 0)
        status = cohort_npy_turn_rows(&turn, first, n, into);
    if (status >= 0 && is_stream)
        rows->is_sound = cohort_stream_finish(rows->stream) >= 0;
    return status;
}

/* All bytes once more, for their sum. */
static cohort_status check_sum(cohort_npy_rows *rows)
{
    cohort_status status = start_over(rows);
    if (status >= 0)
        status = cohort_stream_pass(rows->stream, rows->header.bytes);
    if (status >= 0)
        status = cohort_stream_finish(rows->stream);
    rows->is_sound = status >= 0;
    return status;
}

/* How many rows a band may have; 0: one is larger than the bound. */
static int64_t most_of_band(const cohort_npy_rows *rows)
{
    int64_t most = COHORT_LIMIT_NPY_BAND_BYTES / rows->row_bytes;
    return most < row_count(rows) ? most : row_count(rows);
}

/* All rows, where they fit, else those from `first` on. */
static cohort_status take_band(cohort_npy_rows *rows, int64_t first)
{
    int64_t most = most_of_band(rows), left = row_count(rows) - first;
    if (rows->band == NULL)
        rows->band = cohort_allocate_aligned((size_t)(most * rows->row_bytes), ALIGNMENT);
    if (rows->band == NULL)
        return cohort_error_memory(rows->name);
    rows->band_first = most == row_count(rows) ? 0 : first;
    rows->band_rows = 0; /* until all of it is there */
    int64_t n = most == row_count(rows) || most < left ? most : left;
    cohort_status status = turn_rows(rows, rows->band_first, n, rows->band);
    rows->band_rows = status < 0 ? 0 : n;
    return status;
}

/* How many rows from `first` on are in the band. */
static int64_t count_in_band(const cohort_npy_rows *rows, int64_t first)
{
    int64_t end = rows->band_first + rows->band_rows;
    return first >= rows->band_first && first < end ? end - first : 0;
}

static cohort_status read_band(cohort_npy_rows *rows, int64_t first, int64_t n, char *into)
{
    cohort_status status = COHORT_OK;
    for (int64_t now; n > 0 && status >= 0; first += now, n -= now) {
        if (count_in_band(rows, first) == 0)
            status = take_band(rows, first);
        now = count_in_band(rows, first); /* none after a failure */
        now = now < n ? now : n;
        if (status >= 0)
            memcpy(into, rows->band + (first - rows->band_first) * rows->row_bytes,
                   (size_t)(now * rows->row_bytes));
        into += now * rows->row_bytes;
    }
    return status;
}

/* A band helps those who come back for more of it. */
static cohort_status read_turned(cohort_npy_rows *rows, int64_t first, int64_t n, void *into)
{
    int64_t most = most_of_band(rows), behind = first + n;
    bool comes_back = most == row_count(rows) || rows->extent.is_deflated || first == rows->next;
    bool is_banded = n <= count_in_band(rows, first) || (comes_back && n < most);
    cohort_status status =
        is_banded ? read_band(rows, first, n, into) : turn_rows(rows, first, n, into);
    if (status >= 0 && behind == row_count(rows) && !rows->is_sound)
        status = check_sum(rows);
    rows->next = status < 0 ? NOWHERE : behind;
    return status;
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
    cohort_status status =
        rows->is_turned ? read_turned(rows, first, n, into) : read_bytes(rows, first, n, into);
    if (status >= 0)
        cohort_elements_arrange(into, n * rows->row_bytes, rows->header.array.dtype,
                                rows->header.is_swapped);
    return status;
}
