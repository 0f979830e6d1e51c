/* SPDX-License-Identifier: BSD-3-Clause */
/* Elements of NumPy's files as this machine wants them: its byte order, bools that are 0 or 1,
 * row-major. */
#include "config.h"

#include "runtime/data/format/elements.h"

#include "runtime/base/array.h"
#include "runtime/base/error.h"
#include "runtime/base/memory.h"

#include <string.h>

/* A cache line, which is also what the widest vector loads want. */
enum { ALIGNMENT = 64 };

/* Numbers of 2, 4 or 8 bytes, turned around one by one; the loops are what compilers make vectors
 * of. */
#define SWAP(bits)                                                                                 \
    static void swap_##bits(unsigned char *bytes, int64_t count)                                   \
    {                                                                                              \
        for (int64_t at = 0; at < count; at += bits / 8) {                                         \
            uint##bits##_t number;                                                                 \
            memcpy(&number, bytes + at, sizeof number);                                            \
            number = __builtin_bswap##bits(number);                                                \
            memcpy(bytes + at, &number, sizeof number);                                            \
        }                                                                                          \
    }
SWAP(16)
SWAP(32)
SWAP(64)

/* A complex number is two numbers, each of which is turned around. */
static void swap_bytes(unsigned char *bytes, int64_t count, cohort_dtype dtype)
{
    int64_t width = cohort_dtype_bytes(cohort_dtype_part(dtype));
    if (width == 2)
        swap_16(bytes, count);
    else if (width == 4)
        swap_32(bytes, count);
    else if (width == 8)
        swap_64(bytes, count);
}

/* C has undefined behaviour for a bool of any other byte, and files may have one. */
static void normalize_bools(unsigned char *bytes, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        bytes[i] = bytes[i] != 0;
}

void cohort_elements_arrange(void *data, int64_t bytes, cohort_dtype dtype, bool is_swapped)
{
    if (is_swapped)
        swap_bytes(data, bytes, dtype);
    if (dtype == COHORT_BOOL)
        normalize_bools(data, bytes);
}

static void *allocate(int64_t bytes)
{
    return bytes <= PTRDIFF_MAX ? cohort_allocate_aligned((size_t)bytes, ALIGNMENT) : NULL;
}

/* An array in Fortran order takes twice its memory for this moment: its elements move across all
 * of it. */
static cohort_status make_row_major(const cohort_npy_header *header, const char *name, void **data)
{
    cohort_array from = header->array;
    from.data = *data;
    if (cohort_array_items(&from) == 0 || cohort_array_is_row_major(&from))
        return COHORT_OK;
    void *packed = allocate(header->bytes);
    if (packed == NULL)
        return cohort_error_memory(name);
    cohort_array_pack(packed, &from);
    cohort_free(*data);
    *data = packed;
    return COHORT_OK;
}

cohort_status cohort_elements_read(cohort_stream *stream, const cohort_npy_header *header,
                                   void **out)
{
    const char *name = cohort_stream_name(stream);
    void *data = allocate(header->bytes);
    cohort_status status = data != NULL ? cohort_stream_read(stream, data, (size_t)header->bytes)
                                        : cohort_error_memory(name);
    if (status >= 0)
        cohort_elements_arrange(data, header->bytes, header->array.dtype, header->is_swapped);
    if (status >= 0)
        status = make_row_major(header, name, &data);
    if (status < 0) {
        cohort_free(data);
        data = NULL;
    }
    *out = data;
    return status;
}
