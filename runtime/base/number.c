/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/base/number.h"

#include "runtime/base/error.h"
#include "runtime/base/half.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* long double holds every int64, uint64 and double exactly on the machines with 80 or 128 bits;
 * integers take their own way, so that nothing is lost where it is a double. */
typedef struct number {
    bool is_integer, is_negative;
    uint64_t magnitude; /* of an integer */
    long double real, imaginary;
} number;

bool cohort_number_is(const cohort_argument *argument)
{
    return argument->kind >= COHORT_ARGUMENT_INT && argument->kind <= COHORT_ARGUMENT_COMPLEX;
}

static number read_number(const cohort_argument *a)
{
    switch (a->kind) {
    case COHORT_ARGUMENT_INT:
        return (number){ true, a->as.i < 0, a->as.i < 0 ? 0 - (uint64_t)a->as.i : (uint64_t)a->as.i,
                         (long double)a->as.i, 0 };
    case COHORT_ARGUMENT_UINT:
        return (number){ true, false, a->as.u, (long double)a->as.u, 0 };
    case COHORT_ARGUMENT_REAL:
        return (number){ .real = (long double)a->as.f };
    case COHORT_ARGUMENT_LONG_DOUBLE:
        return (number){ .real = *(const long double *)a->as.p };
    default:
        return (number){ .real = ((const long double *)a->as.p)[0],
                         .imaginary = ((const long double *)a->as.p)[1] };
    }
}

/* A real number without a fraction becomes an integer; false when it has one, or is beyond 64
 * bits. */
static bool make_integer(number *n)
{
    if (n->is_integer)
        return true;
    if (!(fabsl(n->real) < 18446744073709551616.0L) || n->real != truncl(n->real))
        return false;
    n->is_negative = n->real < 0;
    n->magnitude = (uint64_t)fabsl(n->real);
    return n->is_integer = true;
}

typedef struct integer_range {
    uint64_t most, least; /* magnitudes of the largest and the smallest number */
} integer_range;

static bool find_range(cohort_dtype dtype, integer_range *out)
{
    switch (dtype) {
    case COHORT_BOOL:
        *out = (integer_range){ 1, 0 };
        return true;
    case COHORT_I8:
    case COHORT_I16:
    case COHORT_I32:
    case COHORT_I64: {
        uint64_t half = UINT64_C(1) << (8 * cohort_dtype_bytes(dtype) - 1);
        *out = (integer_range){ half - 1, half };
        return true;
    }
    case COHORT_U8:
    case COHORT_U16:
    case COHORT_U32:
    case COHORT_U64:
        *out = (integer_range){ UINT64_MAX >> (64 - 8 * cohort_dtype_bytes(dtype)), 0 };
        return true;
    default:
        return false;
    }
}

static cohort_status refuse(const number *n, cohort_dtype dtype, const char *why)
{
    if (n->is_integer)
        return cohort_error_set(COHORT_EINVAL, "%s%llu %s %s", n->is_negative ? "-" : "",
                                (unsigned long long)n->magnitude, why, cohort_dtype_name(dtype));
    return cohort_error_set(COHORT_EINVAL, "%.17Lg %s %s", n->real, why, cohort_dtype_name(dtype));
}

static cohort_status convert_integer(number *n, cohort_dtype dtype, const integer_range *range,
                                     void *out)
{
    if (!make_integer(n))
        return refuse(n, dtype,
                      isfinite(n->real) && fabsl(n->real) < 1e18L
                          ? "has a fraction, the parameter is"
                          : "is out of the range of");
    if (n->magnitude > (n->is_negative ? range->least : range->most))
        return refuse(n, dtype, "is out of the range of");
    uint64_t bits = n->is_negative ? 0 - n->magnitude : n->magnitude;
    uint8_t u8 = (uint8_t)bits;
    uint16_t u16 = (uint16_t)bits;
    uint32_t u32 = (uint32_t)bits;
    const void *from[9] = { [1] = &u8, [2] = &u16, [4] = &u32, [8] = &bits };
    size_t bytes = (size_t)cohort_dtype_bytes(dtype);
    memcpy(out, from[bytes], bytes);
    return COHORT_OK;
}

/* The real type of both parts, for complex types too. */
static cohort_dtype part_of(cohort_dtype dtype)
{
    return dtype == COHORT_C64                   ? COHORT_F32
           : dtype == COHORT_C128                ? COHORT_F64
           : dtype == COHORT_COMPLEX_LONG_DOUBLE ? COHORT_LONG_DOUBLE
                                                 : dtype;
}

/* Through float32: two roundings, which differ from one in at most the last bit of numbers that
 * float32 rounds to a tie. */
static bool convert_half(long double x, cohort_dtype dtype, void *out)
{
    float f = (float)x;
    uint16_t half = dtype == COHORT_F16 ? cohort_half_to_f16(f) : cohort_half_to_bf16(f);
    float back = dtype == COHORT_F16 ? cohort_half_from_f16(half) : cohort_half_from_bf16(half);
    memcpy(out, &half, sizeof half);
    return isfinite(back) || !isfinite(x);
}

static bool convert_part(long double x, cohort_dtype dtype, void *out)
{
    if (dtype == COHORT_F16 || dtype == COHORT_BF16)
        return convert_half(x, dtype, out);
    float f = (float)x;
    double d = (double)x;
    bool is_finite = dtype == COHORT_F32   ? isfinite(f)
                     : dtype == COHORT_F64 ? isfinite(d)
                                           : isfinite(x);
    const void *from = dtype == COHORT_F32   ? (void *)&f
                       : dtype == COHORT_F64 ? (void *)&d
                                             : (void *)&x;
    memcpy(out, from, (size_t)cohort_dtype_bytes(dtype));
    return is_finite || !isfinite(x);
}

cohort_status cohort_number_convert(const cohort_argument *argument, cohort_dtype dtype, void *out)
{
    number n = read_number(argument);
    integer_range range;
    cohort_dtype part = part_of(dtype);
    bool is_complex = part != dtype;
    if (n.imaginary != 0 && !is_complex)
        return refuse(&n, dtype, "has an imaginary part, the parameter is");
    if (find_range(dtype, &range))
        return convert_integer(&n, dtype, &range, out);
    if ((part < COHORT_F16 || part > COHORT_F64) && part != COHORT_LONG_DOUBLE)
        return cohort_error_set(COHORT_EINVAL, "a number cannot become %s",
                                cohort_dtype_name(dtype));
    bool is_good = convert_part(n.real, part, out);
    if (is_complex)
        is_good =
            convert_part(n.imaginary, part, (char *)out + cohort_dtype_bytes(part)) && is_good;
    return is_good ? COHORT_OK : refuse(&n, dtype, "is out of the range of");
}
