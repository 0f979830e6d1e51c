/* SPDX-License-Identifier: BSD-3-Clause */
/* A file is written beside the old one and takes its place when it is whole (replacement.h):
 * whoever reads meanwhile sees one or the other. */
#include "config.h"

#include <cohort/npy.h>

#include "runtime/base/array.h"
#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/data/format/npy_header.h"
#include "runtime/data/format/replacement.h"

/* Writes elements in any strides, through a row-major copy where they do not lie so. */
static cohort_status write_elements(cohort_replacement *file, const cohort_array *array)
{
    int64_t bytes = cohort_array_items(array) * cohort_array_item_bytes(array);
    if (cohort_array_is_row_major(array) || bytes == 0)
        return cohort_replacement_write(file, array->data, (size_t)bytes);
    void *packed = cohort_allocate_aligned((size_t)bytes, sizeof(void *));
    if (packed == NULL)
        return cohort_error_memory("the row-major copy of the array");
    cohort_array_pack(packed, array);
    cohort_status status = cohort_replacement_write(file, packed, (size_t)bytes);
    cohort_free(packed);
    return status;
}

static cohort_status save(const char *path, const cohort_array *array)
{
    char header[COHORT_NPY_HEADER_TEXT_BYTES];
    size_t header_bytes =
        array->dtype != COHORT_RECORD ? cohort_npy_header_write(array, header) : 0;
    cohort_replacement file;
    if (header_bytes == 0)
        return cohort_error_set(COHORT_EINVAL, "%s: NumPy has no dtype for %s", path,
                                cohort_dtype_name(array->dtype));
    cohort_status status = cohort_replacement_open(path, &file);
    if (status < 0)
        return status;
    status = cohort_replacement_write(&file, header, header_bytes);
    if (status >= 0)
        status = write_elements(&file, array);
    return cohort_replacement_close(&file, status);
}

cohort_status cohort_npy_save(const char *path, cohort_array array)
{
    if (path == NULL)
        return cohort_error_null("cohort_npy_save", "the path");
    cohort_status status = cohort_array_check(&array, false, path);
    return status < 0 ? status : save(path, &array);
}
