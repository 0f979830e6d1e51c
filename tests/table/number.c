/* SPDX-License-Identifier: BSD-3-Clause */
/* Elements of tensors: JSON and back, exactly. */
#include "config.h"

#include "tests/table/table.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The two floating formats of 16 bits: bits of the exponent and of the fraction. */
typedef struct format {
    int exponent, fraction;
} format;
static const format half = { 5, 10 }, brain = { 8, 7 };

static uint16_t round_16(double x, format f)
{
    int bias = (1 << (f.exponent - 1)) - 1;
    uint16_t sign = (uint16_t)(signbit(x) ? 0x8000 : 0),
             infinity = (uint16_t)(((1 << f.exponent) - 1) << f.fraction);
    if (isnan(x))
        return (uint16_t)(infinity | 1 << (f.fraction - 1));
    if (isinf(x) || x == 0)
        return (uint16_t)(sign | (x == 0 ? 0 : infinity));
    int e = ilogb(x) < 1 - bias ? 1 - bias : ilogb(x);
    if (e > bias)
        return (uint16_t)(sign | infinity);
    int64_t units = (int64_t)nearbyint(ldexp(fabs(x), f.fraction - e));
    /* the leading 1 counts as one exponent more */
    int64_t bits = units + ((int64_t)(e + bias - 1) << f.fraction);
    return (uint16_t)(sign | (bits > infinity ? infinity : bits));
}

static double widen_16(uint16_t bits, format f)
{
    int bias = (1 << (f.exponent - 1)) - 1, e = (bits & 0x7fff) >> f.fraction;
    double units = bits & ((1 << f.fraction) - 1), sign = bits & 0x8000 ? -1 : 1;
    if (e == (1 << f.exponent) - 1)
        return units != 0 ? (double)NAN : sign * (double)INFINITY;
    return sign * (e == 0 ? ldexp(units, 1 - bias - f.fraction)
                          : ldexp(units + (1 << f.fraction), e - bias - f.fraction));
}

bool table_dtype(const char *name, cohort_dtype *out)
{
    for (int dtype = COHORT_BOOL; dtype <= COHORT_F64; dtype++)
        if (name != NULL && strcmp(cohort_dtype_name((cohort_dtype)dtype), name) == 0) {
            *out = (cohort_dtype)dtype;
            return true;
        }
    return false;
}

static bool read_real(const json_t *element, double *out)
{
    static const struct {
        const char *text;
        double value;
    } special[] = { { "inf", INFINITY }, { "-inf", -INFINITY }, { "nan", NAN } };
    if (json_is_number(element))
        *out = json_number_value(element);
    for (size_t i = 0; json_is_string(element) && i < sizeof special / sizeof *special; i++)
        if (strcmp(json_string_value(element), special[i].text) == 0) {
            *out = special[i].value;
            return true;
        }
    return json_is_number(element);
}

static bool encode_real(const json_t *element, cohort_dtype dtype, void *out)
{
    double x;
    if (!read_real(element, &x))
        return false;
    float narrow = (float)x;
    uint16_t bits = round_16(x, dtype == COHORT_F16 ? half : brain);
    double held = dtype == COHORT_F64   ? x
                  : dtype == COHORT_F32 ? (double)narrow
                                        : widen_16(bits, dtype == COHORT_F16 ? half : brain);
    if (isinf(held) && !isinf(x))
        return false;
    const void *from = dtype == COHORT_F64   ? (void *)&x
                       : dtype == COHORT_F32 ? (void *)&narrow
                                             : (void *)&bits;
    memcpy(out, from, (size_t)cohort_dtype_bytes(dtype));
    return true;
}

/* What does not fit into 64 bits with a sign stands as text (load.c), and is a uint64. */
static bool read_long_integer(const char *text, cohort_dtype dtype, int64_t *out)
{
    char *end;
    errno = 0;
    *out = (int64_t)strtoull(text, &end, 10);
    return dtype == COHORT_U64 && errno == 0 && isdigit((unsigned char)text[0]) && *end == '\0';
}

static bool read_integer(const json_t *element, int64_t *out)
{
    double x = json_real_value(element);
    if (json_is_integer(element))
        *out = json_integer_value(element);
    else if (json_is_real(element) && x == floor(x) && fabs(x) < 9e18)
        *out = (int64_t)x;
    else
        return false;
    return true;
}

static bool is_signed(cohort_dtype dtype)
{
    return dtype == COHORT_I8 || dtype == COHORT_I16 || dtype == COHORT_I32 || dtype == COHORT_I64;
}

static bool fits(int64_t x, cohort_dtype dtype)
{
    int bits = 8 * (int)cohort_dtype_bytes(dtype);
    if (!is_signed(dtype))
        return x >= 0 && (bits == 64 || x >> bits == 0);
    return bits == 64 || (x >= -(INT64_C(1) << (bits - 1)) && x < INT64_C(1) << (bits - 1));
}

static bool encode_integer(const json_t *element, cohort_dtype dtype, void *out)
{
    int64_t x = 0;
    size_t bytes = (size_t)cohort_dtype_bytes(dtype);
    if (json_is_string(element) ? !read_long_integer(json_string_value(element), dtype, &x)
                                : !read_integer(element, &x) || !fits(x, dtype))
        return false;
    int8_t x8 = (int8_t)x;
    int16_t x16 = (int16_t)x;
    int32_t x32 = (int32_t)x;
    memcpy(out,
           bytes == 1   ? (void *)&x8
           : bytes == 2 ? (void *)&x16
           : bytes == 4 ? (void *)&x32
                        : (void *)&x,
           bytes);
    return true;
}

bool table_encode(const json_t *element, cohort_dtype dtype, void *out)
{
    bool truth = json_is_true(element);
    if (dtype >= COHORT_F16)
        return encode_real(element, dtype, out);
    if (dtype != COHORT_BOOL)
        return encode_integer(element, dtype, out);
    memcpy(out, &truth, sizeof truth);
    return json_is_boolean(element);
}

static json_t *decode_real(double x)
{
    return isnan(x)   ? json_string("nan")
           : isinf(x) ? json_string(x > 0 ? "inf" : "-inf")
                      : json_real(x);
}

static json_t *decode_unsigned(uint64_t x)
{
    return x > INT64_MAX ? json_sprintf("%" PRIu64, x) : json_integer((json_int_t)x);
}

json_t *table_decode(const void *element, cohort_dtype dtype)
{
    union {
        bool truth;
        int8_t i8;
        uint8_t u8;
        int16_t i16;
        uint16_t u16;
        int32_t i32;
        uint32_t u32;
        int64_t i64;
        uint64_t u64;
        float f32;
        double f64;
    } x = { .u64 = 0 };
    memcpy(&x, element, (size_t)cohort_dtype_bytes(dtype));
    switch (dtype) {
    case COHORT_BOOL:
        return json_boolean(x.truth);
    case COHORT_I8:
        return json_integer(x.i8);
    case COHORT_U8:
        return json_integer(x.u8);
    case COHORT_I16:
        return json_integer(x.i16);
    case COHORT_U16:
        return json_integer(x.u16);
    case COHORT_I32:
        return json_integer(x.i32);
    case COHORT_U32:
        return json_integer(x.u32);
    case COHORT_I64:
        return json_integer(x.i64);
    case COHORT_U64:
        return decode_unsigned(x.u64);
    case COHORT_F16:
        return decode_real(widen_16(x.u16, half));
    case COHORT_BF16:
        return decode_real(widen_16(x.u16, brain));
    case COHORT_F32:
        return decode_real((double)x.f32);
    case COHORT_F64:
        return decode_real(x.f64);
    default:
        return json_null();
    }
}
