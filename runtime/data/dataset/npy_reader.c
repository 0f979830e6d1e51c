/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of several arrays of one file side by side: each array keeps its own place, and all are
 * read to the same row. */
#include "config.h"

#include "runtime/data/dataset/npy_reader.h"

#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/data/format/npy_rows.h"

typedef struct npy_reader {
    cohort_reader head;
    cohort_npy_rows **arrays; /* [n] */
    size_t *row_bytes;        /* [n] */
    int32_t n;
    int64_t next, rows;
} npy_reader;

/* ---- Opening */

void cohort_npy_reader_close(cohort_reader *reader)
{
    npy_reader *r = (npy_reader *)reader;
    for (int32_t k = 0; r->arrays != NULL && k < r->n; k++)
        cohort_npy_rows_close(r->arrays[k]);
    cohort_free(r->arrays);
    cohort_free(r->row_bytes);
    cohort_free(r);
}

/* Opens array k, which stands beside those before it. */
static cohort_status add_array(npy_reader *r, const char *path, const char *const members[],
                               int32_t k, cohort_reader_layout *layout)
{
    cohort_status status =
        cohort_npy_rows_open(path, members != NULL ? members[k] : NULL, &r->arrays[k]);
    if (status < 0)
        return status;
    cohort_spec spec = cohort_npy_rows_spec(r->arrays[k]);
    if (k > 0 && spec.shape[0] != r->rows)
        return cohort_error_set(
            COHORT_EINVAL,
            "%s: member '%s' has %lld rows, and '%s' has %lld; they stand side by side", path,
            members[k], (long long)spec.shape[0], members[0], (long long)r->rows);
    r->rows = spec.shape[0];
    layout->specs[k] = cohort_reader_row_spec(&spec);
    layout->is_indexed = layout->is_indexed && cohort_npy_rows_is_indexed(r->arrays[k]);
    (void)cohort_spec_bytes(&layout->specs[k], &r->row_bytes[k]);
    return COHORT_OK;
}

cohort_status cohort_npy_reader_open(const cohort_reader_kind *kind, const char *path,
                                     const char *const members[], int32_t n,
                                     cohort_reader_layout *layout, cohort_reader **out)
{
    npy_reader *r = cohort_reader_allocate(kind, sizeof *r, path);
    if (r == NULL)
        return COHORT_ENOMEM;
    r->n = layout->n = n;
    layout->is_indexed = true;
    r->arrays = cohort_allocate((size_t)n, sizeof(cohort_npy_rows *));
    r->row_bytes = cohort_allocate((size_t)n, sizeof *r->row_bytes);
    cohort_status status =
        r->arrays != NULL && r->row_bytes != NULL ? COHORT_OK : cohort_error_memory(path);
    for (int32_t k = 0; k < n && status >= 0; k++)
        status = add_array(r, path, members, k, layout);
    if (status < 0) {
        cohort_npy_reader_close(&r->head);
        return status;
    }
    layout->rows = r->rows;
    *out = &r->head;
    return COHORT_OK;
}

/* ---- Reading */

/* Reads n rows of all arrays from `first` on, to memory `behind` rows further on. */
static cohort_status read_arrays(const npy_reader *r, int64_t first, int64_t n, void *const into[],
                                 int64_t behind)
{
    cohort_status status = COHORT_OK;
    for (int32_t k = 0; k < r->n && status >= 0; k++)
        status = cohort_npy_rows_read(r->arrays[k], first, n,
                                      (char *)into[k] + (size_t)behind * r->row_bytes[k]);
    return status;
}

/* Where many cannot be read at once, those before the bad one are still good. */
cohort_status cohort_npy_reader_copy(cohort_reader *reader, int64_t n, void *const into[],
                                     int64_t *out_rows)
{
    npy_reader *r = (npy_reader *)reader;
    int64_t left = r->rows - r->next, now = n < left ? n : left;
    *out_rows = 0;
    cohort_status status = read_arrays(r, r->next, now, into, 0);
    if (status >= 0)
        *out_rows = now;
    for (bool is_good = status < 0 && now > 1; is_good && *out_rows < now; *out_rows += is_good) {
        status = read_arrays(r, r->next + *out_rows, 1, into, *out_rows);
        is_good = status >= 0;
    }
    r->next += *out_rows;
    return status;
}

cohort_status cohort_npy_reader_skip(cohort_reader *reader, int64_t n, int64_t *out_passed)
{
    npy_reader *r = (npy_reader *)reader;
    int64_t left = r->rows - r->next;
    *out_passed = n < left ? n : left;
    r->next += *out_passed;
    return COHORT_OK;
}

cohort_status cohort_npy_reader_at(cohort_reader *reader, int64_t index, void *const into[])
{
    return read_arrays((npy_reader *)reader, index, 1, into, 0);
}
