/* SPDX-License-Identifier: BSD-3-Clause */
/* One number from the text of a field, rounded once. Most numbers in files have few digits and a
 * small exponent: one operation on two exact doubles gives the nearest double then. All others go
 * to the C library.
 *
 * Source: Clinger, "How to read floating point numbers accurately", 1990. */
#include "config.h"

#include "runtime/data/format/csv_field.h"

#include "runtime/base/ascii.h"
#include "runtime/base/dtype.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* 767 significant digits tell any double from its neighbours; the rest is room for zeros. Beyond
 * FAR_EXPONENT every number is 0 or infinite, and the sum of two such exponents still fits. */
enum { LONGEST = 1024, FAR_EXPONENT = 1000000 };

/* The powers of ten that a double has exactly: 5^22 is the last power of 5 below 2^53. */
static const double powers[] = { 1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                 1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };
enum { N_POWERS = sizeof powers / sizeof *powers };

/* ---- Text */

cohort_csv_field cohort_csv_field_trim(const cohort_csv_field *field)
{
    const uint8_t *p = field->text, *end = p + field->bytes;
    while (p < end && (*p == ' ' || *p == '\t'))
        p++;
    while (p < end && (end[-1] == ' ' || end[-1] == '\t'))
        end--;
    return (cohort_csv_field){ p, (uint32_t)(end - p), .is_quoted = field->is_quoted };
}

size_t cohort_csv_field_copy(const cohort_csv_field *field, char *text)
{
    size_t used = 0;
    for (size_t i = 0; i < field->bytes; i++) {
        text[used++] = (char)field->text[i];
        i += field->is_quoted && field->text[i] == '"';
    }
    text[used] = '\0';
    return used;
}

static bool is_word(const cohort_csv_field *field, size_t from, const char *word)
{
    return strlen(word) == field->bytes - from &&
           cohort_ascii_same_bytes((const char *)field->text + from, word, strlen(word));
}

/* All of the text is a decimal with an exponent or none: [e[+-]digits]. */
static bool scan(const cohort_csv_field *field, cohort_csv_decimal *d)
{
    cohort_csv_decimal e;
    const uint8_t *p = cohort_csv_decimal_scan(field->text, d);
    if (p != NULL && (*p == 'e' || *p == 'E')) {
        p = cohort_csv_decimal_scan(p + 1, &e);
        if (p == NULL || !e.is_integer)
            return false;
        int32_t exponent = e.is_long || e.digits > FAR_EXPONENT ? FAR_EXPONENT : (int32_t)e.digits;
        d->exponent += e.is_negative ? -exponent : exponent;
        d->is_integer = false;
    }
    return p == field->text + field->bytes;
}

/* ---- Numbers of a type */

/* By one multiplication or division of two doubles that are exact. false: that would not do, x is
 * too large for a float, or lies exactly between two of them, where x itself may be rounded: which
 * of them is nearest to what was rounded cannot be told from x. */
static bool store_exact(const cohort_csv_decimal *d, cohort_dtype dtype, void *into)
{
    static const double signs[] = { 1, -1 };
    uint64_t bits;
    /* Where registers are wider than a double (x87) the operation would round twice. */
    if (FLT_EVAL_METHOD != 0 || d->is_long || d->digits > (uint64_t)1 << 53 ||
        d->exponent <= -N_POWERS || d->exponent >= N_POWERS)
        return false;
    double x = (double)(int64_t)d->digits * signs[d->is_negative];
    x = d->exponent < 0 ? x / powers[-d->exponent] : x * powers[d->exponent];
    memcpy(&bits, &x, sizeof bits);
    if (dtype == COHORT_F32 && ((bits & 0x1fffffffu) == 0x10000000u || fabs(x) >= (double)FLT_MAX))
        return false;
    cohort_csv_real_store(x, dtype, into);
    return true;
}

/* By the C library, which needs a zero byte behind the text. */
static cohort_csv_verdict store_rounded(const cohort_csv_field *field, cohort_dtype dtype,
                                        locale_t c_locale, void *into)
{
    char copy[LONGEST + 1];
    if (field->bytes > LONGEST)
        return COHORT_CSV_LONG;
    memcpy(copy, field->text, field->bytes);
    copy[field->bytes] = '\0';
    double x = dtype == COHORT_F32 ? (double)strtof_l(copy, NULL, c_locale)
                                   : strtod_l(copy, NULL, c_locale);
    if (isfinite(x))
        cohort_csv_real_store(x, dtype, into);
    return isfinite(x) ? COHORT_CSV_NUMBER : COHORT_CSV_RANGE;
}

/* Keep the digits up to the last that is not 0: all those of 1.000000000000000000000e+03 pass 64
 * bits. Returns how many zeros were behind it; the exponent is still that of all of them. */
static int drop_zeros(const cohort_csv_field *field, cohort_csv_decimal *d)
{
    int zeros = 0;
    const uint8_t *p = field->text + (*field->text == '-' || *field->text == '+');
    d->digits = 0;
    d->is_long = false;
    for (; (*p >= '0' && *p <= '9') || *p == '.'; p++) {
        zeros += *p == '0';
        if (*p == '0' || *p == '.')
            continue;
        for (; zeros > 0 && d->digits > 0 && !d->is_long; zeros--)
            d->is_long = __builtin_mul_overflow(d->digits, (uint64_t)10, &d->digits);
        zeros = 0;
        d->is_long = d->is_long || __builtin_mul_overflow(d->digits, (uint64_t)10, &d->digits) ||
                     __builtin_add_overflow(d->digits, (uint64_t)(*p - '0'), &d->digits);
    }
    return zeros;
}

/* A number with a point or an exponent as an integer, where it is one. */
static cohort_csv_verdict make_integer(const cohort_csv_field *field, cohort_csv_decimal *d)
{
    d->exponent += drop_zeros(field, d);
    if ((d->digits > 0 || d->is_long) && d->exponent < 0)
        return COHORT_CSV_FRACTION;
    for (; d->digits > 0 && d->exponent > 0 && !d->is_long; d->exponent--)
        d->is_long = __builtin_mul_overflow(d->digits, (uint64_t)10, &d->digits);
    return COHORT_CSV_NUMBER;
}

static cohort_csv_verdict store_integer(const cohort_csv_field *field, cohort_dtype dtype,
                                        void *into)
{
    cohort_csv_decimal d = field->decimal;
    cohort_csv_verdict verdict = d.is_integer ? COHORT_CSV_NUMBER : make_integer(field, &d);
    if (verdict != COHORT_CSV_NUMBER)
        return verdict;
    uint64_t number = d.is_negative ? 0 - d.digits : d.digits; /* two's complement */
    uint64_t least = 0 - (uint64_t)cohort_dtype_least(dtype);  /* its magnitude */
    if (d.is_long || d.digits > (d.is_negative ? least : cohort_dtype_most(dtype)))
        return COHORT_CSV_RANGE;
    cohort_dtype_store_integer(dtype, (int64_t)number, into);
    return COHORT_CSV_NUMBER;
}

/* Stores what is no decimal number: a missing value, an infinity, or nothing that is known. */
static cohort_csv_verdict store_word(const cohort_csv_field *field, cohort_dtype dtype, void *into)
{
    static const char *const missing[] = { "", "na", "n/a", "nan", "null" };
    bool is_real = dtype == COHORT_F32 || dtype == COHORT_F64;
    for (size_t i = 0; i < sizeof missing / sizeof *missing; i++)
        if (is_word(field, 0, missing[i]))
            return COHORT_CSV_MISSING;
    bool has_sign = *field->text == '-' || *field->text == '+';
    if (!is_word(field, has_sign, "inf") && !is_word(field, has_sign, "infinity"))
        return COHORT_CSV_NO_NUMBER;
    if (is_real)
        cohort_csv_real_store(*field->text == '-' ? -HUGE_VAL : HUGE_VAL, dtype, into);
    return is_real ? COHORT_CSV_NUMBER : COHORT_CSV_RANGE;
}

cohort_csv_verdict cohort_csv_field_number(const cohort_csv_field *field, cohort_dtype dtype,
                                           locale_t c_locale, void *into)
{
    cohort_csv_field trimmed;
    if (!field->is_decimal) {
        trimmed = cohort_csv_field_trim(field);
        field = &trimmed;
        if (!scan(field, &trimmed.decimal))
            return store_word(field, dtype, into);
    }
    if (cohort_dtype_is_integer(dtype))
        return store_integer(field, dtype, into);
    return store_exact(&field->decimal, dtype, into) ? COHORT_CSV_NUMBER
                                                     : store_rounded(field, dtype, c_locale, into);
}
