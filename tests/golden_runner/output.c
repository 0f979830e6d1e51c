/* SPDX-License-Identifier: BSD-3-Clause */
/* What came out of calls, in the form of the table. */
#include "config.h"

#include "tests/golden_runner/table.h"

#include <string.h>

/* The element behind `index`, which counts in row-major order. */
static const char *element(const cohort_array *array, int64_t index)
{
    int64_t offset = 0, step = 1;
    for (int i = array->rank - 1; i >= 0; i--) {
        offset += index % array->shape[i] * (array->strides[i] != 0 ? array->strides[i] : step);
        index /= array->shape[i];
        step *= array->shape[i];
    }
    return (const char *)array->data + offset * cohort_dtype_bytes(array->dtype);
}

static int64_t elements(const cohort_array *array)
{
    int64_t n = 1;
    for (int i = 0; i < array->rank; i++)
        n *= array->shape[i];
    return n;
}

json_t *table_tensor(const cohort_array *array)
{
    json_t *shape = json_array(), *data = json_array();
    for (int i = 0; i < array->rank; i++)
        json_array_append_new(shape, json_integer(array->shape[i]));
    for (int64_t i = 0, n = elements(array); i < n; i++)
        json_array_append_new(data, table_decode(element(array, i), array->dtype));
    return json_pack("{s:s, s:o, s:o}", "dtype", cohort_dtype_name(array->dtype), "shape", shape,
                     "data", data);
}

static json_t *nested(const cohort_array *array, int axis, int64_t first, int64_t n)
{
    if (axis == array->rank)
        return table_decode(element(array, first), array->dtype);
    json_t *list = json_array();
    for (int64_t i = 0, part = array->shape[axis] == 0 ? 0 : n / array->shape[axis];
         i < array->shape[axis]; i++)
        json_array_append_new(list, nested(array, axis + 1, first + i * part, part));
    return list;
}

json_t *table_numbers(const cohort_array *array)
{
    return nested(array, 0, 0, elements(array));
}

/* ---- Rows as JSON: uint8 is text. */

static json_t *text_of(const cohort_array *array, int64_t row)
{
    const char *at = (const char *)array->data + row * array->shape[array->rank - 1];
    return json_stringn(at, strnlen(at, (size_t)array->shape[array->rank - 1]));
}

json_t *table_rows_of(const cohort_array *array)
{
    if (array->dtype != COHORT_U8 || array->rank == 0)
        return table_numbers(array);
    if (array->rank == 1)
        return text_of(array, 0);
    json_t *list = json_array();
    for (int64_t i = 0; i < array->shape[0]; i++)
        json_array_append_new(list, text_of(array, i));
    return list;
}
