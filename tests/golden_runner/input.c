/* SPDX-License-Identifier: BSD-3-Clause */
/* Arguments of rows as arrays and values. */
#include "config.h"

#include "tests/table/table.h"

#include <string.h>

cohort_dtype table_args_dtype(table_case *c, cohort_dtype otherwise)
{
    const json_t *name = table_arg(c, "dtype");
    if (name != NULL && !table_dtype(json_string_value(name), &otherwise))
        (void)table_skipped(c, "a dtype that Cohort has not");
    return otherwise;
}

const char *table_text(table_case *c, const char *key, const char *otherwise)
{
    const json_t *text = table_arg(c, key);
    if (text != NULL && !json_is_string(text))
        (void)table_malformed(c, "args: \"%s\" is no text", key);
    return json_is_string(text) ? json_string_value(text) : otherwise;
}

bool table_number(table_case *c, const char *key, double *out)
{
    const json_t *number = table_arg(c, key);
    *out = json_number_value(number);
    if (!json_is_number(number))
        (void)table_malformed(c, "args: \"%s\" is no number", key);
    return json_is_number(number);
}

cohort_reduce_op table_op(table_case *c, const char *otherwise)
{
    return cohort_reduce_op_parse(table_text(c, "op", otherwise));
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

cohort_array table_array(table_case *c, const json_t *tensor, cohort_dtype dtype)
{
    cohort_array array = { .dtype = dtype };
    const json_t *name = json_object_get(tensor, "dtype");
    if (name != NULL && !table_dtype(json_string_value(name), &array.dtype))
        return (void)table_skipped(c, "a dtype that Cohort has not"), array;
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

cohort_array table_scalar(table_case *c, double number, cohort_dtype dtype)
{
    json_t *element = dtype == COHORT_BOOL ? json_boolean(number != 0) : json_real(number);
    cohort_array array = table_array(c, element, dtype);
    json_decref(element);
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

cohort_array *table_floats(table_case *c, const char *key, int rank)
{
    cohort_array *arrays = table_per_replica(c, table_arg(c, key), COHORT_F32);
    for (int r = 0; r < c->replicas && arrays != NULL; r++)
        if (arrays[r].dtype != COHORT_F32 || arrays[r].rank != rank)
            return (void *)table_malformed(c, "args: \"%s\" has to be float32 of rank %d", key,
                                           rank);
    return arrays;
}

cohort_array *table_vectors(table_case *c)
{
    double length = 0;
    cohort_array *arrays = table_floats(c, "per_replica", 0);
    if (arrays == NULL || !table_number(c, "length", &length))
        return NULL;
    if (!(length >= 1 && length <= 1 << 24))
        return (void *)table_malformed(c, "args: length %g", length);
    for (int r = 0; r < c->replicas; r++) {
        float *vector = table_memory(c, (size_t)length * sizeof *vector), number;
        memcpy(&number, arrays[r].data, sizeof number);
        for (int64_t i = 0; i < (int64_t)length; i++)
            vector[i] = number;
        arrays[r] = COHORT_ARRAY(vector, (int64_t)length);
    }
    return arrays;
}

cohort_value *table_value(table_case *c, const char *key)
{
    cohort_array *arrays = table_per_replica(c, table_arg(c, key), table_args_dtype(c, COHORT_F32));
    cohort_value *value = arrays == NULL ? NULL : cohort_value_per_replica(c->s, arrays);
    if (arrays != NULL && value == NULL)
        (void)table_failed(c);
    return value;
}
