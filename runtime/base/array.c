/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/base/array.h"

#include "runtime/base/dtype.h"
#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/base/text.h"

#include <string.h>

int64_t cohort_array_item_bytes(const cohort_array *array)
{
    return array->dtype == COHORT_RECORD ? array->item_bytes : cohort_dtype_bytes(array->dtype);
}

/* Multiplied without a check: cohort_array_check has found that the bytes fit 63 bits. */
int64_t cohort_shape_items(int32_t rank, const int64_t shape[])
{
    int64_t items = 1;
    for (int32_t i = 0; i < rank; i++)
        items *= shape[i];
    return items;
}

static bool has_extents(const cohort_array *array)
{
    bool are_good = array != NULL && array->rank >= 0 && array->rank <= COHORT_MAX_RANK;
    for (int32_t i = 0; are_good && i < array->rank; i++)
        are_good = array->shape[i] >= 0;
    return are_good;
}

/* Also for arrays that nobody has checked, so every product may overflow: -1 then. One extent of
 * 0 means no elements, however large the product of the others is. */
int64_t cohort_array_items(const cohort_array *array)
{
    int64_t items = 1;
    bool is_empty = false, fits = has_extents(array);
    if (!fits)
        return -1;
    for (int32_t i = 0; i < array->rank; i++) {
        is_empty = is_empty || array->shape[i] == 0;
        fits = fits && cohort_multiply(items, array->shape[i], &items);
    }
    return is_empty ? 0 : fits ? items : -1;
}

/* dtypes come from the program as plain integers, so any value is possible. item_bytes means
 * something for structs alone; for other dtypes it may be 0, or repeat what the dtype says. */
static cohort_status check_type(const cohort_array *a, int64_t item_bytes, const char *who)
{
    if (!cohort_dtype_is_element(a->dtype))
        return cohort_error_set(COHORT_EINVAL, "%s: dtype %d of the array is none", who,
                                (int)a->dtype);
    if (a->rank < 0 || a->rank > COHORT_MAX_RANK)
        return cohort_error_set(COHORT_EINVAL, "%s: rank %d of the array; from 0 to %d", who,
                                a->rank, COHORT_MAX_RANK);
    if (item_bytes <= 0 || item_bytes > INT32_MAX)
        return cohort_error_set(COHORT_EINVAL, "%s: item_bytes %lld of an array of structs", who,
                                (long long)a->item_bytes);
    if (a->dtype != COHORT_RECORD && a->item_bytes != 0 && a->item_bytes != item_bytes)
        return cohort_error_set(COHORT_EINVAL, "%s: item_bytes %lld, but %s has %lld", who,
                                (long long)a->item_bytes, cohort_dtype_name(a->dtype),
                                (long long)item_bytes);
    return COHORT_OK;
}

/* An extent of 0 counts as 1: the array has no bytes, but the product of its other extents,
 * which loops and batches compute without a check, must fit all the same. */
static cohort_status check_size(const cohort_array *a, int64_t item_bytes, const char *who)
{
    int64_t bytes = item_bytes;
    for (int32_t i = 0; i < a->rank; i++) {
        if (a->shape[i] < 0)
            return cohort_error_number(a->shape[i], "%s: extent %lld of axis %d is negative", who,
                                       (long long)a->shape[i], i);
        if (!cohort_multiply(bytes, a->shape[i] > 0 ? a->shape[i] : 1, &bytes))
            return cohort_error_set(COHORT_EINVAL,
                                    "%s: the size of the array overflows at axis %d of %lld", who,
                                    i, (long long)a->shape[i]);
    }
    return COHORT_OK;
}

/* Strides may be negative. The distance in bytes between the outermost two elements must fit 63
 * bits, whatever the signs: offsets of elements are then added up without a check. */
static cohort_status check_strides(const cohort_array *a, int64_t item_bytes, const char *who)
{
    int64_t span = item_bytes, step;
    for (int32_t i = 0; i < a->rank; i++) {
        bool fits = !__builtin_mul_overflow(a->strides[i], item_bytes, &step) && step > INT64_MIN &&
                    cohort_multiply(step < 0 ? -step : step, a->shape[i] > 1 ? a->shape[i] - 1 : 0,
                                    &step) &&
                    step <= INT64_MAX - span;
        if (!fits)
            return cohort_error_set(COHORT_EINVAL,
                                    "%s: the stride %lld of axis %d reaches beyond all memory", who,
                                    (long long)a->strides[i], i);
        span += step;
    }
    return COHORT_OK;
}

cohort_status cohort_array_check(const cohort_array *array, bool can_be_null, const char *who)
{
    int64_t item_bytes = cohort_array_item_bytes(array);
    cohort_status status = check_type(array, item_bytes, who);
    if (status >= 0)
        status = check_size(array, item_bytes, who);
    if (status >= 0)
        status = check_strides(array, item_bytes, who);
    if (status >= 0 && array->data == NULL && !can_be_null && cohort_array_items(array) > 0)
        status = cohort_error_set(COHORT_EINVAL, "%s: the array's data is NULL", who);
    return status;
}

/* Strides that are all 0 are not written, which means row-major order. The stride of an axis
 * with one element or none is never used, so any value will do. */
bool cohort_array_is_row_major(const cohort_array *array)
{
    int64_t stride = 1;
    bool is_default = true, is_packed = true;
    for (int32_t i = array->rank - 1; i >= 0; i--) {
        is_default = is_default && array->strides[i] == 0;
        is_packed = is_packed && (array->strides[i] == stride || array->shape[i] <= 1);
        stride *= array->shape[i];
    }
    return is_default || is_packed;
}

/* Visit the elements in row-major order, one row along the last axis after the other, and copy
 * each between its strided place and the next packed one. There is a last axis: an array of rank
 * 0 is row-major, and copied at once. The odometer `index` counts the other axes, the last of
 * them quickest. */
static void for_each_row(const cohort_array *a, char *packed, bool is_packing)
{
    int64_t index[COHORT_MAX_RANK] = { 0 }, item = cohort_array_item_bytes(a),
            items = cohort_array_items(a);
    int32_t last = a->rank - 1;
    int64_t row = a->shape[last], step = a->strides[last] * item;
    for (int64_t done = 0; done < items; done += row) {
        char *strided = a->data;
        for (int32_t i = 0; i < last; i++)
            strided += index[i] * a->strides[i] * item;
        for (int64_t j = 0; j < row; j++, strided += step, packed += item)
            memcpy(is_packing ? packed : strided, is_packing ? strided : packed, (size_t)item);
        for (int32_t i = last - 1; i >= 0 && ++index[i] == a->shape[i]; i--)
            index[i] = 0;
    }
}

void cohort_array_pack(void *row_major, const cohort_array *from)
{
    if (!cohort_array_is_row_major(from))
        for_each_row(from, row_major, true);
    else if (cohort_array_items(from) > 0)
        memcpy(row_major, from->data,
               (size_t)(cohort_array_items(from) * cohort_array_item_bytes(from)));
}

void cohort_array_unpack(const cohort_array *into, const void *row_major)
{
    if (!cohort_array_is_row_major(into))
        for_each_row(into, cohort_memory_read_only(row_major), false);
    else if (cohort_array_items(into) > 0)
        memcpy(into->data, row_major,
               (size_t)(cohort_array_items(into) * cohort_array_item_bytes(into)));
}

const char *cohort_shape_to_string(cohort_dtype dtype, int32_t rank, const int64_t shape[],
                                   char *text)
{
    cohort_text t = cohort_text_begin(text, COHORT_SHAPE_BYTES);
    cohort_text_add(&t, "%s", cohort_dtype_name(dtype));
    for (int32_t i = 0; i < rank; i++)
        cohort_text_add(&t, "[%lld]", (long long)shape[i]);
    return text;
}
