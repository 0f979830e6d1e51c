/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers of all floating-point types as doubles, which hold them. */
#include "config.h"

#include "runtime/operation/check_close.h"

#include <float.h>
#include <math.h>

/* The type of the parts of a complex one. */
static cohort_dtype part_of(uint32_t type)
{
    return type == COHORT_C64 ? COHORT_F32 : type == COHORT_C128 ? COHORT_F64 : (cohort_dtype)type;
}

static double epsilon_of(cohort_dtype part)
{
    return part == COHORT_F8_E4M3   ? 0x1p-3
           : part == COHORT_F8_E5M2 ? 0x1p-2
           : part == COHORT_F16     ? 0x1p-10
           : part == COHORT_BF16    ? 0x1p-7
           : part == COHORT_F32     ? FLT_EPSILON
                                    : DBL_EPSILON;
}

static int64_t parts_of(const cohort_checked_array *array)
{
    return (int64_t)(array->bytes / (uint64_t)cohort_dtype_bytes(part_of(array->type)));
}

static double largest(const cohort_checked_array *array, const char *numbers)
{
    double most = 0;
    for (int64_t i = 0, n = numbers != NULL ? parts_of(array) : 0; i < n; i++) {
        double x = fabs(cohort_dtype_load_real(part_of(array->type), numbers, i));
        most = isfinite(x) && x > most ? x : most;
    }
    return most;
}

double cohort_check_close_scale(const cohort_checked_arrays *arrays, const cohort_check_copy *copy)
{
    double most = 0;
    for (int32_t i = 0; i < arrays->n; i++) {
        const cohort_checked_array *array = &arrays->list[i];
        if (!cohort_check_array_counts(array) || !cohort_check_type_is_inexact(array->type))
            continue;
        most = fmax(most, fmax(largest(array, array->given), largest(array, copy->at[i])));
    }
    return most;
}

static bool is_close(double a, double b, double most)
{
    return a == b || (a != a && b != b) || fabs(a - b) <= most;
}

/* The halves of NaNs are the processor's, and so are the signs of those of bits. */
static bool is_same_number(const cohort_checked_array *array, int64_t i, double most, const char *a,
                           const char *b)
{
    cohort_dtype part = part_of(array->type);
    int64_t parts = array->item_bytes / cohort_dtype_bytes(part);
    bool is_same = true;
    for (int64_t k = i * parts; k < (i + 1) * parts && is_same; k++) {
        double x = cohort_dtype_load_real(part, a, k), y = cohort_dtype_load_real(part, b, k);
        is_same = is_close(x, y, most) && (most > 0 || x != x || signbit(x) == signbit(y));
    }
    return is_same;
}

int64_t cohort_check_close_differs(const cohort_checked_array *array, double scale, const char *a,
                                   const char *b)
{
    if (!cohort_check_type_is_inexact(array->type))
        return cohort_check_array_differs(array, 0, a, b);
    double most = scale * epsilon_of(part_of(array->type));
    int64_t n = cohort_check_array_items(array), i = 0;
    while (i < n && is_same_number(array, i, most, a, b))
        i++;
    return i < n ? i : -1;
}
