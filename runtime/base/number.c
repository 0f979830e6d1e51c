/* SPDX-License-Identifier: BSD-3-Clause */
/* One number on its way from any dtype, or from an argument of a call, to any dtype. The middle
 * form loses nothing, so each conversion is one check and at most one rounding, and there are
 * not n * n of them. */
#include "config.h"

#include "runtime/base/number.h"

#include "runtime/base/dtype.h"
#include "runtime/base/error.h"
#include "runtime/base/half.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* ------------------------------------------------------------------ where it comes from */

bool cohort_number_is(const cohort_argument *argument)
{
    return argument->kind >= COHORT_ARGUMENT_INT && argument->kind <= COHORT_ARGUMENT_COMPLEX;
}

cohort_dtype cohort_number_dtype(const cohort_argument *number)
{
    return number->kind == COHORT_ARGUMENT_INT    ? COHORT_I64
           : number->kind == COHORT_ARGUMENT_UINT ? COHORT_U64
                                                  : COHORT_F64;
}

/* The magnitude of the smallest int64 does not fit an int64: it is negated as unsigned. */
static cohort_number from_signed(int64_t x)
{
    return (cohort_number){ true, x < 0, x < 0 ? 0 - (uint64_t)x : (uint64_t)x, (long double)x, 0 };
}

static cohort_number from_unsigned(uint64_t x)
{
    return (cohort_number){ true, false, x, (long double)x, 0 };
}

static cohort_number from_argument(const cohort_argument *a)
{
    switch (a->kind) {
    case COHORT_ARGUMENT_INT:
        return from_signed(a->as.i);
    case COHORT_ARGUMENT_UINT:
        return from_unsigned(a->as.u);
    case COHORT_ARGUMENT_REAL:
        return (cohort_number){ .real = (long double)a->as.f };
    case COHORT_ARGUMENT_LONG_DOUBLE:
        return cohort_number_load(COHORT_LONG_DOUBLE, a->as.p);
    default:
        return cohort_number_load(COHORT_COMPLEX_LONG_DOUBLE, a->as.p);
    }
}

static long double load_part(cohort_dtype dtype, const void *element)
{
    long double x;
    if (dtype != COHORT_LONG_DOUBLE)
        return (long double)cohort_dtype_load_real(dtype, element, 0);
    memcpy(&x, element, sizeof x);
    return x;
}

/* uint64 stands alone because its upper half is no int64; a complex dtype is its real part, and
 * its imaginary part behind it. */
cohort_number cohort_number_load(cohort_dtype dtype, const void *element)
{
    cohort_dtype part = cohort_dtype_part(dtype);
    if (dtype == COHORT_U64)
        return from_unsigned((uint64_t)cohort_dtype_load_integer(dtype, element, 0));
    if (cohort_dtype_is_integral(dtype))
        return from_signed(cohort_dtype_load_integer(dtype, element, 0));
    cohort_number n = { .real = load_part(part, element) };
    if (part != dtype)
        n.imaginary = load_part(part, (const char *)element + cohort_dtype_bytes(part));
    return n;
}

/* ------------------------------------------------------------------ what does not fit */

static cohort_status refuse(const cohort_number *n, const char *why, const char *name)
{
    if (n->is_integer)
        return cohort_error_set(COHORT_EINVAL, "%s%llu %s %s", n->is_negative ? "-" : "",
                                (unsigned long long)n->magnitude, why, name);
    return cohort_error_set(COHORT_EINVAL, "%.17Lg %s %s", n->real, why, name);
}

static cohort_status refuse_range(const cohort_number *n, cohort_dtype dtype)
{
    return refuse(n, "is out of the range of", cohort_dtype_name(dtype));
}

/* what: there is no room for that in the dtype of the target */
static cohort_status refuse_part(const cohort_number *n, const char *what, const char *target,
                                 cohort_dtype dtype)
{
    char why[80];
    (void)snprintf(why, sizeof why, "has %s, %s is", what, target);
    return refuse(n, why, cohort_dtype_name(dtype));
}

/* ------------------------------------------------------------------ integers */

/* A real number without a fraction becomes an integer; false when it has one, or is beyond 64
 * bits. */
static bool make_integer(cohort_number *n)
{
    if (n->is_integer)
        return true;
    /* 2^64; the comparison is written so that NaN fails it */
    if (!(fabsl(n->real) < 18446744073709551616.0L) || n->real != truncl(n->real))
        return false;
    n->is_negative = n->real < 0;
    n->magnitude = (uint64_t)fabsl(n->real);
    return n->is_integer = true;
}

static cohort_status store_integer(cohort_number n, cohort_dtype dtype, const char *target,
                                   void *out)
{
    if (!make_integer(&n))
        /* Beyond 10^18 the message would print a number without its fraction, and say that it
         * has one. */
        return isfinite(n.real) && fabsl(n.real) < 1e18L
                   ? refuse_part(&n, "a fraction", target, dtype)
                   : refuse_range(&n, dtype);
    uint64_t least = 0 - (uint64_t)cohort_dtype_least(dtype); /* its magnitude */
    if (n.magnitude > (n.is_negative ? least : cohort_dtype_most(dtype)))
        return refuse_range(&n, dtype);
    /* two's complement, without the overflow that negating a signed number may have */
    uint64_t bits = n.is_negative ? 0 - n.magnitude : n.magnitude;
    cohort_dtype_store_integer(dtype, (int64_t)bits, out);
    return COHORT_OK;
}

/* ------------------------------------------------------------------ floating point */

/* The float beside x whose last bit is 1, unless x is a float: rounding that to 16 bits or less is
 * rounding x once, because a float has more than two bits to spare.
 *
 * Source: Boldo, Melquiond: Emulation of FMA and correctly rounded sums, 2008, theorem 3. */
static float round_to_odd(long double x)
{
    float f = (float)x;
    if (isnan(x) || (long double)f == x)
        return f;
    uint32_t bits = cohort_half_bits(f);
    bits -= fabsl((long double)f) > fabsl(x);
    return cohort_half_float(bits | 1);
}

/* Widened again, because only the fewer bits tell whether rounding has gone beyond the numbers. */
static bool store_narrow(long double x, cohort_dtype dtype, void *out)
{
    float f = round_to_odd(x), back = 0;
#define STORE(name, bits_type, from, to)                                                           \
    case COHORT_##name: {                                                                          \
        const bits_type bits = to(f);                                                              \
        back = from(bits);                                                                         \
        memcpy(out, &bits, sizeof bits);                                                           \
        break;                                                                                     \
    }
    switch (dtype) {
        COHORT_NARROW_FLOATS(STORE)
    default:
        break;
    }
    return isfinite(back) == isfinite(x) && isnan(back) == isnan(x);
}

/* false: a finite number became infinite, which the caller refuses; infinities and NaN pass as
 * they are. */
static bool store_part(long double x, cohort_dtype dtype, void *out)
{
    if (cohort_dtype_is_narrow(dtype))
        return store_narrow(x, dtype, out);
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

static cohort_status store_floating(const cohort_number *n, cohort_dtype dtype, void *out)
{
    cohort_dtype part = cohort_dtype_part(dtype);
    bool fits = store_part(n->real, part, out);
    if (part != dtype)
        fits = store_part(n->imaginary, part, (char *)out + cohort_dtype_bytes(part)) && fits;
    return fits ? COHORT_OK : refuse_range(n, dtype);
}

cohort_status cohort_number_store(const cohort_number *number, cohort_dtype dtype,
                                  const char *target, void *out)
{
    if (number->imaginary != 0 && !cohort_dtype_is_complex(dtype))
        return refuse_part(number, "an imaginary part", target, dtype);
    if (cohort_dtype_is_integral(dtype))
        return store_integer(*number, dtype, target, out);
    if (cohort_dtype_is_floating(dtype) || cohort_dtype_is_complex(dtype))
        return store_floating(number, dtype, out);
    return cohort_error_set(COHORT_EINVAL, "a number cannot become %s", cohort_dtype_name(dtype));
}

cohort_status cohort_number_convert(const cohort_argument *argument, cohort_dtype dtype, void *out)
{
    cohort_number n = from_argument(argument);
    return cohort_number_store(&n, dtype, "the parameter", out);
}
