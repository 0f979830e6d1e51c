/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of IDX files. The header is read in order; the rows of a plain file are then read by
 * their place, those of a packed one as they come. */
#include "config.h"

#include "runtime/base/byte_order.h"
#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/data/dataset/files.h"
#include "runtime/data/dataset/row_file.h"
#include "runtime/data/format/elements.h"
#include "runtime/data/format/idx.h"

#include <cohort/files.h>

/* The most that deflate packs: 258 bytes into 2 bits (RFC 1951). */
enum { MOST_PACKED = 1032 };

typedef struct idx_reader {
    cohort_reader head;
    cohort_idx_header header;
    cohort_bytes *bytes;   /* of a packed file; NULL: it is not packed */
    cohort_row_file plain; /* where rows are read that are not packed */
    int64_t next, rows;
    bool is_finished; /* nothing follows the last row */
} idx_reader;

static const cohort_reader_kind kind;

/* ---- Opening */

static void close_idx(cohort_reader *reader)
{
    idx_reader *r = (idx_reader *)reader;
    cohort_bytes_close(r->bytes);
    cohort_row_file_close(&r->plain);
    cohort_free(r);
}

/* Rows that a packed file cannot have are not waited for, nor is memory taken for them. */
static cohort_status check_packed(const idx_reader *r, const char *path)
{
    cohort_file file;
    cohort_status status = cohort_file_open(path, &file);
    if (status < 0)
        return status;
    cohort_file_close(&file);
    int64_t most = file.bytes < INT64_MAX / MOST_PACKED ? file.bytes * MOST_PACKED : INT64_MAX,
            all = 0;
    if (cohort_multiply(r->rows, r->header.row_bytes, &all) && all <= most)
        return COHORT_OK;
    return cohort_error_set(
        COHORT_EINVAL,
        "%s: its header says %lld rows of %lld bytes, and %lld packed bytes hold at most %lld; it "
        "is cut or damaged",
        path, (long long)r->rows, (long long)r->header.row_bytes, (long long)file.bytes,
        (long long)most);
}

static cohort_status read_header(idx_reader *r, const char *path)
{
    cohort_status status = cohort_bytes_open(path, COHORT_PACKING_AUTO, &r->bytes);
    if (status >= 0)
        status = cohort_idx_open(r->bytes, &r->header);
    if (status < 0)
        return status;
    r->rows = r->header.spec.shape[0];
    if (cohort_bytes_is_packed(r->bytes))
        return check_packed(r, path);
    int64_t offset = cohort_bytes_at(r->bytes);
    cohort_bytes_close(r->bytes);
    r->bytes = NULL;
    return cohort_row_file_open(path, offset, r->header.row_bytes, r->rows, 0, &r->plain);
}

static cohort_status open_idx(const char *path, const void *settings, cohort_reader_layout *layout,
                              cohort_reader **out)
{
    idx_reader *r = cohort_reader_allocate(&kind, sizeof *r, path);
    (void)settings;
    if (r == NULL)
        return COHORT_ENOMEM;
    r->plain.file.fd = -1;
    cohort_status status = read_header(r, path);
    if (status < 0) {
        close_idx(&r->head);
        return status;
    }
    layout->n = 1;
    layout->specs[0] = cohort_reader_row_spec(&r->header.spec);
    layout->rows = r->rows;
    layout->is_indexed = r->bytes == NULL;
    *out = &r->head;
    return COHORT_OK;
}

/* ---- Reading */

/* Reads rows of a packed file; those too long for its window go past it. */
static cohort_status read_packed(idx_reader *r, int64_t n, char *into, int64_t *out_rows)
{
    enum { LONG_BYTES = 1 << 17 };
    cohort_status status = COHORT_OK;
    int64_t bytes = r->header.row_bytes, left = 0;
    *out_rows = 0;
    if (bytes > 0 && bytes < LONG_BYTES)
        status = cohort_row_file_read_packed(r->bytes, bytes, 0, n, into, out_rows, &left);
    else
        for (; *out_rows < n && status >= 0; *out_rows += status >= 0)
            status = cohort_bytes_read(r->bytes, into + *out_rows * bytes, (size_t)bytes);
    if (status < 0 || *out_rows == n)
        return status;
    return cohort_error_set(
        COHORT_EINVAL,
        "%s: unpacked byte %lld: row %lld takes %lld bytes, and the file has %lld more; it is cut",
        cohort_bytes_path(r->bytes), (long long)cohort_bytes_at(r->bytes),
        (long long)(r->next + *out_rows), (long long)bytes, (long long)left);
}

static cohort_status read_rows(idx_reader *r, int64_t first, int64_t n, void *into,
                               int64_t *out_rows)
{
    cohort_status status = r->bytes == NULL
                               ? cohort_row_file_read(&r->plain, first, n, into, out_rows)
                               : read_packed(r, n, into, out_rows);
    cohort_elements_arrange(into, *out_rows * r->header.row_bytes, r->header.spec.dtype,
                            cohort_byte_order_is_little());
    return status;
}

static cohort_status copy_idx(cohort_reader *reader, int64_t n, void *const into[],
                              int64_t *out_rows)
{
    idx_reader *r = (idx_reader *)reader;
    int64_t left = r->rows - r->next, now = n < left ? n : left;
    cohort_status status = read_rows(r, r->next, now, into[0], out_rows);
    r->next += *out_rows;
    if (status < 0 || r->next < r->rows || r->bytes == NULL || r->is_finished)
        return status;
    /* once: a packed file tells only at its end that there is more than the header says */
    r->is_finished = true;
    return cohort_idx_finish(r->bytes);
}

static cohort_status skip_idx(cohort_reader *reader, int64_t n, int64_t *out_passed)
{
    idx_reader *r = (idx_reader *)reader;
    int64_t left = r->rows - r->next, now = n < left ? n : left;
    cohort_status status =
        r->bytes != NULL ? cohort_bytes_skip(r->bytes, now * r->header.row_bytes) : COHORT_OK;
    *out_passed = status >= 0 ? now : 0;
    r->next += *out_passed;
    return status;
}

static cohort_status at_idx(cohort_reader *reader, int64_t index, void *const into[])
{
    int64_t rows = 0;
    return read_rows((idx_reader *)reader, index, 1, into[0], &rows);
}

/* ---- Making */

static const cohort_dataset_kind node = COHORT_FILES_KIND("idx");

static const cohort_reader_kind kind = { .node = &node,
                                         .call = "cohort_dataset_idx",
                                         .is_counted = true,
                                         .open = open_idx,
                                         .close = close_idx,
                                         .copy = copy_idx,
                                         .skip = skip_idx,
                                         .at = at_idx };

cohort_dataset *cohort_dataset_idx(const char *const files[], int n)
{
    return cohort_files_make(&kind, files, n, NULL);
}
