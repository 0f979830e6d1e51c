/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "cli/number.h"

#include "cli/enumeration.h"
#include "cli/half.h"

#include <ctype.h>
#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char no_number[] = "no number", out_of_range[] = "out of range";

/* The dtype of the parts of a complex number; any other by itself. */
static cohort_dtype part_of(cohort_dtype dtype)
{
    return dtype == COHORT_C64                   ? COHORT_F32
           : dtype == COHORT_C128                ? COHORT_F64
           : dtype == COHORT_COMPLEX_LONG_DOUBLE ? COHORT_LONG_DOUBLE
                                                 : dtype;
}

/* ------------------------------------------------------------------ reading */

/* Rounded once, to the dtype that it is for; *end NULL when there is no number here. */
static long double read_real(const char *text, cohort_dtype dtype, char **end)
{
    const char *digits = text + (*text == '+' || *text == '-');
    if (!isdigit((unsigned char)*digits) && *digits != '.' && strchr("iInN", *digits) == NULL) {
        *end = NULL;
        return 0;
    }
    long double x = dtype == COHORT_F32           ? (long double)strtof(text, end)
                    : dtype == COHORT_LONG_DOUBLE ? strtold(text, end)
                                                  : (long double)strtod(text, end);
    if (*end == text)
        *end = NULL;
    return x;
}

static bool is_word(const char *text, const char *const words[])
{
    for (int i = 0; words[i] != NULL; i++)
        if (strcmp(text, words[i]) == 0)
            return true;
    return false;
}

/* strtof and its like turn what is too large into an infinity. */
static bool is_overflow(const char *text, long double x)
{
    const char *digits = text + (*text == '+' || *text == '-');
    return isinf(x) && (isdigit((unsigned char)*digits) || *digits == '.');
}

static bool store_16_bits(long double x, int fraction, void *out)
{
    uint16_t bits = half_of_double((double)x, fraction);
    memcpy(out, &bits, sizeof bits);
    return isinf(x) || !isinf(half_to_double(bits, fraction));
}

/* false: a finite number became infinite */
static bool store_real(long double x, cohort_dtype dtype, void *out)
{
    float f = (float)x;
    double d = (double)x;
    switch (dtype) {
    case COHORT_F16:
        return store_16_bits(x, HALF_FRACTION, out);
    case COHORT_BF16:
        return store_16_bits(x, BFLOAT_FRACTION, out);
    case COHORT_F32:
        memcpy(out, &f, sizeof f);
        return true;
    case COHORT_LONG_DOUBLE:
        memset(out, 0, sizeof x);
        memcpy(out, &x, sizeof x);
        return true;
    default:
        memcpy(out, &d, sizeof d);
        return true;
    }
}

/* 1, 2j, 1+2j, and each in parentheses. */
static const char *read_complex(const char *text, cohort_dtype dtype, void *out)
{
    cohort_dtype part = part_of(dtype);
    char inside[NUMBER_TEXT_BYTES], *end;
    size_t length = strlen(text), bytes = (size_t)cohort_dtype_bytes(part);
    bool has_parentheses = length > 2 && text[0] == '(' && text[length - 1] == ')';
    if (length >= sizeof inside)
        return no_number;
    (void)snprintf(inside, sizeof inside, "%.*s", (int)(length - (has_parentheses ? 2 : 0)),
                   text + has_parentheses);
    long double real = read_real(inside, part, &end), imaginary = 0;
    bool is_overflown = is_overflow(inside, real);
    if (end != NULL && (*end == '+' || *end == '-')) {
        char *start = end;
        imaginary = read_real(start, part, &end);
        is_overflown = is_overflown || is_overflow(start, imaginary);
        end = end != NULL && *end == 'j' ? end + 1 : NULL;
    } else if (end != NULL && *end == 'j') {
        imaginary = real;
        real = 0;
        end++;
    }
    if (end == NULL || *end != '\0')
        return no_number;
    (void)store_real(real, part, out);
    (void)store_real(imaginary, part, (char *)out + bytes);
    return is_overflown ? out_of_range : NULL;
}

static const char *read_floating(const char *text, cohort_dtype dtype, void *out)
{
    char *end;
    long double x = read_real(text, dtype, &end);
    if (end != NULL && *end == 'j')
        return "an imaginary part, for a real number";
    if (end == NULL || *end != '\0')
        return no_number;
    return is_overflow(text, x) || !store_real(x, dtype, out) ? out_of_range : NULL;
}

/* Sign and size of an integer. */
typedef struct whole {
    bool is_negative;
    uint64_t size;
} whole;

static const char *whole_of_real(long double x, whole *out)
{
    if (isnan(x) || truncl(x) != x)
        return isfinite(x) ? "a fraction, for an integer" : "not finite, for an integer";
    if (fabsl(x) >= 18446744073709551616.0L)
        return out_of_range;
    *out = (whole){ x < 0, (uint64_t)fabsl(x) };
    return NULL;
}

/* A real number that is whole, such as 3.0 or 1e3. */
static const char *read_whole_real(const char *text, whole *out)
{
    char *end;
    long double x = read_real(text, COHORT_LONG_DOUBLE, &end);
    if (end == NULL || *end != '\0')
        return end != NULL && *end == 'j' ? "an imaginary part, for an integer" : no_number;
    return whole_of_real(x, out);
}

static const char *read_whole(const char *text, whole *out)
{
    const char *digits = text + (*text == '+' || *text == '-');
    bool is_hexadecimal = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
    char *end = NULL;
    if (!isdigit((unsigned char)*digits))
        return read_whole_real(text, out);
    errno = 0;
    *out = (whole){ *text == '-', strtoull(digits, &end, is_hexadecimal ? 16 : 10) };
    if (*end != '\0')
        return read_whole_real(text, out);
    return errno == ERANGE ? out_of_range : NULL;
}

static bool is_signed(cohort_dtype dtype)
{
    return dtype == COHORT_I8 || dtype == COHORT_I16 || dtype == COHORT_I32 || dtype == COHORT_I64;
}

/* Largest size of a positive integer. */
static uint64_t most_of(cohort_dtype dtype)
{
    int bits = dtype == COHORT_BOOL ? 1 : 8 * (int)cohort_dtype_bytes(dtype) - is_signed(dtype);
    return bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

static void store_integer(uint64_t x, cohort_dtype dtype, void *out)
{
    uint8_t u8 = (uint8_t)x;
    uint16_t u16 = (uint16_t)x;
    uint32_t u32 = (uint32_t)x;
    switch (cohort_dtype_bytes(dtype)) {
    case 1:
        memcpy(out, &u8, sizeof u8);
        break;
    case 2:
        memcpy(out, &u16, sizeof u16);
        break;
    case 4:
        memcpy(out, &u32, sizeof u32);
        break;
    default:
        memcpy(out, &x, sizeof x);
    }
}

static const char *store_whole(whole x, cohort_dtype dtype, void *out)
{
    uint64_t most = most_of(dtype) + (x.is_negative && is_signed(dtype) ? 1 : 0);
    store_integer(x.is_negative ? 0 - x.size : x.size, dtype, out);
    return x.size > most || (x.is_negative && x.size > 0 && !is_signed(dtype)) ? out_of_range
                                                                               : NULL;
}

static const char *read_integer(const char *text, cohort_dtype dtype, void *out)
{
    static const char *const yes[] = { "true", "True", NULL }, *const no[] = { "false", "False",
                                                                               NULL };
    int64_t constant;
    whole x = { .size = is_word(text, yes) };
    const char *wrong = is_word(text, yes) || is_word(text, no) ? NULL : read_whole(text, &x);
    if (wrong == no_number && enumeration_find(text, &constant)) {
        x = (whole){ constant < 0, constant < 0 ? 0 - (uint64_t)constant : (uint64_t)constant };
        wrong = NULL;
    }
    return wrong != NULL ? wrong : store_whole(x, dtype, out);
}

const char *number_read(const char *text, cohort_dtype dtype, void *out)
{
    if (dtype >= COHORT_BOOL && dtype <= COHORT_U64)
        return read_integer(text, dtype, out);
    return part_of(dtype) != dtype ? read_complex(text, dtype, out)
                                   : read_floating(text, dtype, out);
}

/* ------------------------------------------------------------------ printing */

static long double load_real(cohort_dtype dtype, const void *p)
{
    uint16_t bits;
    float f;
    double d;
    long double x;
    switch (dtype) {
    case COHORT_F16:
    case COHORT_BF16:
        memcpy(&bits, p, sizeof bits);
        return (long double)half_to_double(bits,
                                           dtype == COHORT_F16 ? HALF_FRACTION : BFLOAT_FRACTION);
    case COHORT_F32:
        memcpy(&f, p, sizeof f);
        return (long double)f;
    case COHORT_LONG_DOUBLE:
        memcpy(&x, p, sizeof x);
        return x;
    default:
        memcpy(&d, p, sizeof d);
        return (long double)d;
    }
}

/* Digits that every decimal of so many has for itself; one to three more are always enough to read
 * back. */
static int fewest_digits(cohort_dtype dtype)
{
    return dtype == COHORT_F16           ? 3
           : dtype == COHORT_BF16        ? 2
           : dtype == COHORT_F32         ? FLT_DIG
           : dtype == COHORT_LONG_DOUBLE ? LDBL_DIG
                                         : DBL_DIG;
}

static int print_real(cohort_dtype dtype, const void *p, char *text, size_t capacity)
{
    char again[NUMBER_BYTES] = { 0 };
    long double x = load_real(dtype, p);
    int length = 0;
    if (!isfinite(x))
        return snprintf(text, capacity, "%s", isnan(x) ? "nan" : x < 0 ? "-inf" : "inf");
    for (int digits = fewest_digits(dtype), last = digits + 6; digits <= last; digits++) {
        length = snprintf(text, capacity, "%.*Lg", digits, x);
        if (number_read(text, dtype, again) == NULL && load_real(dtype, again) == x)
            break;
    }
    return length;
}

static whole load_whole(cohort_dtype dtype, const void *p)
{
    uint8_t u8 = *(const uint8_t *)p;
    uint16_t u16;
    uint32_t u32;
    uint64_t u64 = u8;
    int shift = 64 - 8 * (int)cohort_dtype_bytes(dtype);
    if (shift == 48) {
        memcpy(&u16, p, sizeof u16);
        u64 = u16;
    } else if (shift == 32) {
        memcpy(&u32, p, sizeof u32);
        u64 = u32;
    } else if (shift == 0) {
        memcpy(&u64, p, sizeof u64);
    }
    bool is_negative = is_signed(dtype) && u64 >> (63 - shift) != 0;
    return (whole){ is_negative, is_negative ? (0 - u64) << shift >> shift : u64 };
}

static void print_integer(cohort_dtype dtype, const void *p, char *text, size_t capacity)
{
    whole x = load_whole(dtype, p);
    (void)snprintf(text, capacity, "%s%" PRIu64, x.is_negative ? "-" : "", x.size);
}

const char *number_print(cohort_dtype dtype, const void *number, char *text)
{
    cohort_dtype part = part_of(dtype);
    const char *imaginary = (const char *)number + cohort_dtype_bytes(part);
    if (dtype == COHORT_BOOL) {
        (void)snprintf(text, NUMBER_TEXT_BYTES, "%s",
                       *(const unsigned char *)number ? "true" : "false");
    } else if (dtype <= COHORT_U64) {
        print_integer(dtype, number, text, NUMBER_TEXT_BYTES);
    } else if (part == dtype) {
        (void)print_real(dtype, number, text, NUMBER_TEXT_BYTES);
    } else {
        int used = print_real(part, number, text, NUMBER_TEXT_BYTES / 2);
        bool has_sign = signbit(load_real(part, imaginary)) && !isnan(load_real(part, imaginary));
        used += snprintf(text + used, NUMBER_TEXT_BYTES - (size_t)used, "%s", has_sign ? "" : "+");
        used += print_real(part, imaginary, text + used, NUMBER_TEXT_BYTES / 2);
        (void)snprintf(text + used, NUMBER_TEXT_BYTES - (size_t)used, "j");
    }
    return text;
}

static int json_real_text(cohort_dtype dtype, const void *p, char *text, size_t capacity)
{
    long double x = load_real(dtype, p);
    if (isfinite(x))
        return print_real(dtype, p, text, capacity);
    return snprintf(text, capacity, "%s", isnan(x) ? "\"nan\"" : x < 0 ? "\"-inf\"" : "\"inf\"");
}

const char *number_json(cohort_dtype dtype, const void *number, char *text)
{
    cohort_dtype part = part_of(dtype);
    if (dtype <= COHORT_U64)
        return number_print(dtype, number, text);
    if (part == dtype) {
        (void)json_real_text(dtype, number, text, NUMBER_TEXT_BYTES);
        return text;
    }
    int used = snprintf(text, NUMBER_TEXT_BYTES, "[");
    used += json_real_text(part, number, text + used, NUMBER_TEXT_BYTES / 2 - 8);
    used += snprintf(text + used, NUMBER_TEXT_BYTES - (size_t)used, ", ");
    used += json_real_text(part, (const char *)number + cohort_dtype_bytes(part), text + used,
                           NUMBER_TEXT_BYTES / 2 - 8);
    (void)snprintf(text + used, NUMBER_TEXT_BYTES - (size_t)used, "]");
    return text;
}

/* ------------------------------------------------------------------ converting */

static bool is_integer(cohort_dtype dtype)
{
    return dtype >= COHORT_BOOL && dtype <= COHORT_U64;
}

static const char *convert_real(long double x, cohort_dtype to, void *out)
{
    whole integer;
    const char *wrong = NULL;
    if (is_integer(to)) {
        wrong = whole_of_real(x, &integer);
        return wrong != NULL ? wrong : store_whole(integer, to, out);
    }
    if (!store_real(x, to, out) || (isfinite(x) && isinf(load_real(to, out))))
        wrong = out_of_range;
    return wrong;
}

static const char *convert_complex(cohort_dtype part, const void *number, cohort_dtype to,
                                   void *out)
{
    long double imaginary = load_real(part, (const char *)number + cohort_dtype_bytes(part));
    cohort_dtype to_part = part_of(to);
    const char *wrong = convert_real(load_real(part, number), to_part, out);
    if (to_part == to)
        return wrong == NULL && imaginary != 0 ? "an imaginary part, for a real number" : wrong;
    return wrong != NULL
               ? wrong
               : convert_real(imaginary, to_part, (char *)out + cohort_dtype_bytes(to_part));
}

const char *number_convert(cohort_dtype from, const void *number, cohort_dtype to, void *out)
{
    cohort_dtype part = part_of(from);
    memset(out, 0, (size_t)cohort_dtype_bytes(to)); /* an imaginary part that there is not */
    if (part != from)
        return convert_complex(part, number, to, out);
    if (!is_integer(from))
        return convert_real(load_real(from, number), part_of(to), out);
    whole x = load_whole(from, number);
    if (is_integer(to))
        return store_whole(x, to, out);
    return convert_real(x.is_negative ? -(long double)x.size : (long double)x.size, part_of(to),
                        out);
}
