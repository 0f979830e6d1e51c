/* SPDX-License-Identifier: BSD-3-Clause */
/* Arguments of rows as arrays and values. */
#include "config.h"

#include "tests/golden_runner/table.h"

#include <string.h>

cohort_dtype table_args_dtype(table_case *c)
{
    cohort_dtype dtype = COHORT_F32;
    const json_t *name = table_arg(c, "dtype");
    if (name != NULL && !table_dtype(json_string_value(name), &dtype))
        (void)table_unknown(c, "dtype", json_is_string(name) ? json_string_value(name) : "?");
    return dtype;
}

/* ---- {"dtype", "shape", "data"}, data flat; or nested lists of equal length. */

static bool read_shape(const json_t *shape, cohort_array *out)
{
    if (!json_is_array(shape) || json_array_size(shape) > COHORT_MAX_RANK)
        return false;
    out->rank = (int32_t)json_array_size(shape);
    for (int i = 0; i < out->rank; i++) {
        out->shape[i] = json_integer_value(json_array_get(shape, (size_t)i));
        if (!json_is_integer(json_array_get(shape, (size_t)i)) || out->shape[i] < 0)
            return false;
    }
    return true;
}

static bool nested_shape(const json_t *list, cohort_array *out)
{
    for (; json_is_array(list); list = json_array_get(list, 0)) {
        if (out->rank == COHORT_MAX_RANK)
            return false;
        out->shape[out->rank++] = (int64_t)json_array_size(list);
    }
    return true;
}

/* Elements of nested lists in row-major order from `at` on; returns where they end, NULL when the
 * shape is another. */
static char *encode_nested(const json_t *list, const cohort_array *array, int axis, char *at)
{
    size_t i;
    const json_t *part;
    if (axis == array->rank)
        return table_encode(list, array->dtype, at) ? at + cohort_dtype_bytes(array->dtype) : NULL;
    if (!json_is_array(list) || (int64_t)json_array_size(list) != array->shape[axis])
        return NULL;
    json_array_foreach(list, i, part) if (at != NULL) at = encode_nested(part, array, axis + 1, at);
    return at;
}

/* A shape from a file is believed only as far as its elements are there. */
static size_t count(const cohort_array *array, size_t most)
{
    size_t n = 1;
    for (int i = 0; i < array->rank; i++)
        if (array->shape[i] == 0)
            return 0;
    for (int i = 0; i < array->rank; i++)
        n = (uint64_t)array->shape[i] > most / n ? most + 1 : n * (size_t)array->shape[i];
    return n;
}

static cohort_array flat_array(table_case *c, const json_t *tensor, cohort_array array)
{
    bool has_dtype = json_object_get(tensor, "dtype") != NULL;
    const json_t *data = json_object_get(tensor, "data");
    size_t n = json_array_size(data), bytes = (size_t)cohort_dtype_bytes(array.dtype);
    if (json_object_size(tensor) != (has_dtype ? 3 : 2) ||
        !read_shape(json_object_get(tensor, "shape"), &array) || !json_is_array(data) ||
        count(&array, n) != n)
        return (void)table_malformed(c, "a tensor whose shape and data do not fit"), array;
    char *at = table_memory(c, n * bytes);
    for (size_t i = 0; i < n; i++)
        if (!table_encode(json_array_get(data, i), array.dtype, at + i * bytes))
            return (void)table_malformed(c, "element %zu is no %s", i,
                                         cohort_dtype_name(array.dtype)),
                   array;
    array.data = at;
    return array;
}

/* Texts, all in as many bytes: a list, or one alone. */
static cohort_array texts(table_case *c, const json_t *given)
{
    enum { BYTES = 32 };
    bool is_list = json_is_array(given);
    size_t n = is_list ? json_array_size(given) : 1;
    cohort_array array = { .dtype = COHORT_U8, .rank = is_list ? 2 : 1 };
    char *at = table_memory(c, n * BYTES);
    array.shape[0] = (int64_t)n;
    array.shape[array.rank - 1] = BYTES;
    for (size_t i = 0; i < n; i++) {
        const char *text = json_string_value(is_list ? json_array_get(given, i) : given);
        if (text == NULL || strlen(text) >= BYTES)
            return (void)table_malformed(c, "element %zu is no text below %d bytes", i, BYTES),
                   array;
        memcpy(at + i * BYTES, text, strlen(text));
    }
    array.data = at;
    return array;
}

cohort_array table_array(table_case *c, const json_t *tensor, cohort_dtype dtype)
{
    cohort_array array = { .dtype = dtype };
    const json_t *name = json_object_get(tensor, "dtype");
    if (name != NULL && !table_dtype(json_string_value(name), &array.dtype))
        return (void)table_unknown(c, "dtype",
                                   json_is_string(name) ? json_string_value(name) : "?"),
               array;
    if (array.dtype == TABLE_TEXTS)
        return texts(c, tensor);
    if (json_is_object(tensor))
        return flat_array(c, tensor, array);
    if (!nested_shape(tensor, &array) || count(&array, 1 << 24) > 1 << 24)
        return (void)table_malformed(c, "a list of too many axes or elements"), array;
    char *at = table_memory(c, count(&array, 1 << 24) * (size_t)cohort_dtype_bytes(array.dtype));
    if (encode_nested(tensor, &array, 0, at) == NULL)
        return (void)table_malformed(c, "a list that is no %s tensor",
                                     cohort_dtype_name(array.dtype)),
               array;
    array.data = at;
    return array;
}

cohort_array *table_per_replica(table_case *c, const json_t *list, cohort_dtype dtype)
{
    cohort_array *arrays = table_memory(c, (size_t)c->replicas * sizeof *arrays);
    if (json_array_size(list) != (size_t)c->replicas)
        return (void)table_malformed(c, "%zu values for %d replicas", json_array_size(list),
                                     c->replicas),
               NULL;
    for (int r = 0; r < c->replicas; r++) {
        arrays[r] = table_array(c, json_array_get(list, (size_t)r), dtype);
        if (arrays[r].data == NULL)
            return NULL;
    }
    return arrays;
}
