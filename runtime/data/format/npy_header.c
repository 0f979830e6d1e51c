/* SPDX-License-Identifier: BSD-3-Clause */
/* The order of checks is that of the bytes: each length is checked before anything of that
 * length is read, and the product of the extents against the size of the stream before memory is
 * taken for it. */
#include "config.h"

#include "runtime/data/format/npy_header.h"

#include "runtime/base/array.h"
#include "runtime/base/error.h"
#include "runtime/base/limits.h"
#include "runtime/data/format/npy_dict.h"

#include <string.h>

static const unsigned char magic[] = { 0x93, 'N', 'U', 'M', 'P', 'Y' };
enum { MAGIC_BYTES = sizeof magic, VERSION_BYTES = 2 };

static cohort_status refuse_short(const cohort_stream *stream, int64_t wanted)
{
    return cohort_error_set(COHORT_EINVAL, "%s: it has %lld bytes, and its header needs %lld",
                            cohort_stream_name(stream), (long long)cohort_stream_bytes(stream),
                            (long long)wanted);
}

/* The magic text and the version; *out_length_bytes: how wide the header's length is. */
static cohort_status read_version(cohort_stream *stream, int *out_version, int *out_length_bytes)
{
    unsigned char start[MAGIC_BYTES + VERSION_BYTES];
    if (cohort_stream_bytes(stream) < (int64_t)sizeof start)
        return refuse_short(stream, sizeof start);
    cohort_status status = cohort_stream_read(stream, start, sizeof start);
    if (status < 0)
        return status;
    int major = start[MAGIC_BYTES], minor = start[MAGIC_BYTES + 1];
    if (memcmp(start, magic, MAGIC_BYTES) != 0)
        return cohort_error_set(COHORT_EINVAL,
                                "%s: byte 0: no .npy file, which begins with \\x93NUMPY",
                                cohort_stream_name(stream));
    if (major < 1 || major > 3 || minor != 0)
        return cohort_error_set(COHORT_EINVAL,
                                "%s: byte 6: version %d.%d; there are 1.0, 2.0 and 3.0",
                                cohort_stream_name(stream), major, minor);
    *out_version = major;
    *out_length_bytes = major == 1 ? 2 : 4;
    return COHORT_OK;
}

static cohort_status read_length(cohort_stream *stream, int length_bytes, int64_t *out)
{
    unsigned char digits[4] = { 0 };
    int64_t before = MAGIC_BYTES + VERSION_BYTES + length_bytes;
    if (cohort_stream_bytes(stream) < before)
        return refuse_short(stream, before);
    cohort_status status = cohort_stream_read(stream, digits, (size_t)length_bytes);
    if (status < 0)
        return status;
    *out = (int64_t)digits[0] | (int64_t)digits[1] << 8 | (int64_t)digits[2] << 16 |
           (int64_t)digits[3] << 24;
    if (*out > COHORT_LIMIT_NPY_HEADER_BYTES)
        return cohort_error_set(COHORT_EINVAL, "%s: byte 8: a header of %lld bytes; at most %d",
                                cohort_stream_name(stream), (long long)*out,
                                COHORT_LIMIT_NPY_HEADER_BYTES);
    return cohort_stream_bytes(stream) < before + *out ? refuse_short(stream, before + *out)
                                                       : COHORT_OK;
}

/* Fortran order: the first axis is the fastest. */
static void set_fortran_strides(cohort_array *array)
{
    int64_t stride = 1;
    for (int32_t i = 0; i < array->rank; i++) {
        array->strides[i] = stride;
        /* the product fits: cohort_array_check */
        stride *= array->shape[i] > 0 ? array->shape[i] : 1;
    }
}

/* The elements fill the rest of the stream. */
static cohort_status check_bytes(const cohort_stream *stream, int64_t header_bytes,
                                 cohort_npy_header *header)
{
    char shape[128];
    int64_t rest = cohort_stream_bytes(stream) - header_bytes;
    cohort_status status = cohort_array_check(&header->array, true, cohort_stream_name(stream));
    if (status < 0)
        return status;
    header->bytes = cohort_array_items(&header->array) * cohort_array_item_bytes(&header->array);
    if (header->bytes == rest)
        return COHORT_OK;
    return cohort_error_set(
        COHORT_EINVAL, "%s: byte %lld: %s needs %lld bytes, and %lld follow",
        cohort_stream_name(stream), (long long)header_bytes,
        cohort_shape_to_string(header->array.dtype, header->array.rank, header->array.shape, shape),
        (long long)header->bytes, (long long)rest);
}

cohort_status cohort_npy_header_read_any(cohort_stream *stream, cohort_npy_header *out)
{
    /* 64 KiB of stack, which a thread of the usual size has */
    char text[COHORT_LIMIT_NPY_HEADER_BYTES];
    int version = 0, length_bytes = 0;
    int64_t length = 0;
    cohort_npy_dict dict = { 0 };
    *out = (cohort_npy_header){ 0 };
    cohort_status status = read_version(stream, &version, &length_bytes);
    if (status >= 0)
        status = read_length(stream, length_bytes, &length);
    if (status >= 0)
        status = cohort_stream_read(stream, text, (size_t)length);
    int64_t before = MAGIC_BYTES + VERSION_BYTES + length_bytes;
    if (status >= 0)
        status = cohort_npy_dict_parse(cohort_stream_name(stream), before, text, (size_t)length,
                                       version < 3, &dict);
    if (status < 0)
        return status;
    out->array = dict.array;
    out->is_swapped = dict.is_swapped;
    status = check_bytes(stream, before + length, out);
    if (status >= 0 && dict.is_fortran)
        set_fortran_strides(&out->array);
    return status;
}

cohort_status cohort_npy_header_read(cohort_stream *stream, cohort_npy_header *out)
{
    cohort_status status = cohort_npy_header_read_any(stream, out);
    if (status >= 0 && out->array.dtype == COHORT_RECORD)
        return cohort_error_set(COHORT_ENOTSUP,
                                "%s: dtype void of %lld bytes; arrays of NumPy have numbers here",
                                cohort_stream_name(stream), (long long)out->array.item_bytes);
    return status;
}

size_t cohort_npy_header_write(const cohort_array *array, char *text)
{
    enum {
        LENGTH_BYTES = 2,
        START_BYTES = MAGIC_BYTES + VERSION_BYTES + LENGTH_BYTES,
        ALIGNMENT = 64
    };
    size_t used = cohort_npy_dict_write(array, text + START_BYTES,
                                        COHORT_NPY_HEADER_TEXT_BYTES - START_BYTES - ALIGNMENT);
    if (used == 0)
        return 0;
    used += START_BYTES;
    /* NumPy adds 64 spaces where none were needed */
    size_t bytes = (used + 1) / ALIGNMENT * ALIGNMENT + ALIGNMENT;
    memset(text + used, ' ', bytes - used - 1);
    text[bytes - 1] = '\n';
    memcpy(text, magic, MAGIC_BYTES);
    /* the text of an array with 8 axes is far from the 65,535 bytes that version 2.0 is for */
    text[MAGIC_BYTES] = 1;
    text[MAGIC_BYTES + 1] = 0;
    text[MAGIC_BYTES + 2] = (char)((bytes - START_BYTES) & 0xff);
    text[MAGIC_BYTES + 3] = (char)((bytes - START_BYTES) >> 8);
    return bytes;
}
