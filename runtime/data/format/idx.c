/* SPDX-License-Identifier: BSD-3-Clause */
/* The header of an IDX file, as the MNIST data set has it: all numbers big-endian. Everything that
 * it declares is compared with the size of the file before it is used.
 *
 * Source: LeCun, Cortes, Burges, "The MNIST database of handwritten digits", file formats. */
#include "config.h"

#include "runtime/data/format/idx.h"

#include "runtime/base/error.h"
#include "runtime/base/memory.h"

#include <stddef.h>

enum { START_BYTES = 4, EXTENT_BYTES = 4 };

static const struct {
    uint8_t code;
    cohort_dtype dtype;
} types[] = { { 0x08, COHORT_U8 },  { 0x09, COHORT_I8 },  { 0x0b, COHORT_I16 },
              { 0x0c, COHORT_I32 }, { 0x0d, COHORT_F32 }, { 0x0e, COHORT_F64 } };

/* Exactly n bytes of the header to look at. */
static cohort_status need(cohort_bytes *bytes, size_t n, const uint8_t **out)
{
    size_t there = 0;
    cohort_status status = cohort_bytes_need(bytes, n, out, &there);
    if (status >= 0 && there < n)
        status = cohort_error_set(
            COHORT_EINVAL,
            "%s: byte %lld: the header of an IDX file needs %zu bytes here, and %zu follow: "
            "the file is cut, or no IDX file",
            cohort_bytes_path(bytes), (long long)cohort_bytes_at(bytes), n, there);
    return status;
}

static cohort_status refuse_byte(const cohort_bytes *bytes, int at, int found, const char *expected)
{
    return cohort_error_set(COHORT_EINVAL, "%s: byte %d: 0x%02x; expected %s: is this an IDX file?",
                            cohort_bytes_path(bytes), at, (unsigned)found, expected);
}

/* Two zero bytes, the type of the elements, and the number of axes. */
static cohort_status read_start(cohort_bytes *bytes, cohort_spec *out)
{
    const uint8_t *start;
    cohort_status status = need(bytes, START_BYTES, &start);
    if (status < 0)
        return status;
    for (int i = 0; i < 2; i++)
        if (start[i] != 0)
            return refuse_byte(bytes, i, start[i], "0, with which an IDX file begins");
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (types[i].code == start[2])
            out->dtype = types[i].dtype;
    if (out->dtype == COHORT_VOID)
        return refuse_byte(bytes, 2, start[2], "a type: 0x08, 0x09, 0x0b, 0x0c, 0x0d or 0x0e");
    if (start[3] < 1 || start[3] > COHORT_MAX_RANK)
        return refuse_byte(bytes, 3, start[3], "1 to 8 axes");
    out->rank = start[3];
    cohort_bytes_take(bytes, START_BYTES);
    return COHORT_OK;
}

/* Extents have four bytes each, the highest first. */
static cohort_status read_extents(cohort_bytes *bytes, cohort_spec *spec)
{
    const uint8_t *p;
    size_t n = (size_t)spec->rank * EXTENT_BYTES;
    cohort_status status = need(bytes, n, &p);
    if (status < 0)
        return status;
    for (int32_t i = 0; i < spec->rank; i++, p += EXTENT_BYTES)
        spec->shape[i] =
            (int64_t)((uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3]);
    cohort_bytes_take(bytes, n);
    return COHORT_OK;
}

/* Bytes of a row and of all; extents of 0 count as 1 until the end, so that the order of axes makes
 * no difference. */
static bool multiply_extents(cohort_idx_header *header, int64_t *out_all)
{
    int64_t product = cohort_dtype_bytes(header->spec.dtype);
    bool is_empty_row = false, is_good = true;
    for (int32_t i = header->spec.rank - 1; i >= 0 && is_good; i--) {
        int64_t extent = header->spec.shape[i];
        if (i == 0)
            header->row_bytes = is_empty_row ? 0 : product;
        is_empty_row = is_empty_row || extent == 0;
        is_good = cohort_multiply(product, extent > 0 ? extent : 1, &product);
    }
    *out_all = is_empty_row ? 0 : product;
    return is_good;
}

/* Before memory is taken for a row: extents come from the file. The rows of a packed file are not
 * known here; its end is looked for behind the last row. */
static cohort_status check_size(const cohort_bytes *bytes, cohort_idx_header *header)
{
    int64_t all = 0, left = cohort_bytes_left(bytes);
    if (!multiply_extents(header, &all))
        return cohort_error_set(
            COHORT_EINVAL,
            "%s: byte %d: the product of the extents overflows: the header is damaged",
            cohort_bytes_path(bytes), START_BYTES);
    if (left < 0 || left == all)
        return COHORT_OK;
    return cohort_error_set(
        COHORT_EINVAL,
        "%s: byte %lld: the header's extents need %lld bytes, and %lld follow: the file is cut, "
        "or has more than one array",
        cohort_bytes_path(bytes), (long long)cohort_bytes_at(bytes), (long long)all,
        (long long)left);
}

cohort_status cohort_idx_open(cohort_bytes *bytes, cohort_idx_header *out)
{
    cohort_idx_header header = { 0 };
    *out = header;
    cohort_status status = read_start(bytes, &header.spec);
    if (status >= 0)
        status = read_extents(bytes, &header.spec);
    if (status >= 0)
        status = check_size(bytes, &header);
    if (status >= 0)
        *out = header;
    return status;
}

cohort_status cohort_idx_finish(cohort_bytes *bytes)
{
    const uint8_t *unused;
    size_t there = 0;
    cohort_status status = cohort_bytes_need(bytes, 1, &unused, &there);
    if (status < 0 || there == 0)
        return status;
    return cohort_error_set(
        COHORT_EINVAL,
        "%s: byte %lld: more bytes follow the last row; expected the end: the header's first "
        "extent is too small, or the file has more than one array",
        cohort_bytes_path(bytes), (long long)cohort_bytes_at(bytes));
}
