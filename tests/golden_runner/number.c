/* SPDX-License-Identifier: BSD-3-Clause */
/* Elements of tensors: JSON and back, exactly. */
#include "config.h"

#include "tests/dtypes.h"
#include "tests/golden_runner/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool table_dtype(const char *name, cohort_dtype *out)
{
    if (name != NULL && strcmp(name, "string") == 0)
        return *out = TABLE_TEXTS, true;
    for (uint32_t dtype = next_dtype(0); dtype != 0; dtype = next_dtype(dtype))
        if (name != NULL && kind_of(dtype) != 'c' &&
            strcmp(cohort_dtype_name((cohort_dtype)dtype), name) == 0) {
            *out = (cohort_dtype)dtype;
            return true;
        }
    return false;
}

/* Infinities and NaN are texts. */
static bool is_special(const json_t *element, double *out)
{
    char *end = NULL;
    if (json_is_string(element))
        *out = strtod(json_string_value(element), &end);
    return end != NULL && *end == '\0' && !isfinite(*out);
}

bool table_encode(const json_t *element, cohort_dtype dtype, void *out)
{
    const bool truth = json_is_true(element);
    const int64_t integer = json_integer_value(element);
    double real = json_real_value(element);
    if (dtype == COHORT_BOOL)
        return memcpy(out, &truth, sizeof truth), json_is_boolean(element);
    if (json_is_integer(element))
        return cohort_dtype_convert(COHORT_I64, &integer, dtype, out) == COHORT_OK;
    return (json_is_real(element) || is_special(element, &real)) &&
           cohort_dtype_convert(COHORT_F64, &real, dtype, out) == COHORT_OK;
}

static json_t *decode_real(double x)
{
    return isnan(x)   ? json_string("nan")
           : isinf(x) ? json_string(x > 0 ? "inf" : "-inf")
                      : json_real(x);
}

json_t *table_decode(const void *element, cohort_dtype dtype)
{
    bool is_real = kind_of(dtype) == 'f';
    double real = 0;
    int64_t integer = 0;
    if (cohort_dtype_convert(dtype, element, is_real ? COHORT_F64 : COHORT_I64,
                             is_real ? (void *)&real : &integer) != COHORT_OK)
        return json_null(); /* a number that the table has no form for */
    return dtype == COHORT_BOOL ? json_boolean(integer != 0)
           : is_real            ? decode_real(real)
                                : json_integer((json_int_t)integer);
}
