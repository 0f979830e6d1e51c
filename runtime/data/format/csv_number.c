/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/data/format/csv_number.h"

#include "runtime/data/format/csv_integer.h"
#include "runtime/data/format/csv_scan.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <strings.h>

/* 767 digits tell any double from its neighbours; some room for zeros. */
enum { LONGEST = 1024, MOST_DIGITS = 19, FAR_EXPONENT = 1000000 };

const double cohort_csv_powers[COHORT_CSV_EXACT_POWERS] = { 1e0,  1e1,  1e2,  1e3,  1e4,  1e5,
                                                            1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                                            1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
                                                            1e18, 1e19, 1e20, 1e21, 1e22 };

/* digits * 10^exponent */
typedef struct decimal {
    uint64_t digits;
    int64_t exponent;
    int n_digits; /* without zeros before them; digits holds no more than MOST_DIGITS */
    bool is_negative, is_integer;
} decimal;

/* Digits from p on; returns what is behind them. */
static const uint8_t *add_digits(decimal *d, const uint8_t *p, const uint8_t *end)
{
    while (end - p >= COHORT_CSV_STRIDE && d->n_digits <= MOST_DIGITS - COHORT_CSV_STRIDE) {
        uint64_t digits = cohort_csv_load(p) ^ COHORT_EACH_BYTE('0');
        if (cohort_csv_no_digits(digits) != 0)
            break;
        d->digits = d->digits * 100000000 + cohort_csv_value(digits);
        d->n_digits += d->digits > 0 ? COHORT_CSV_STRIDE : 0;
        p += COHORT_CSV_STRIDE;
    }
    for (; p < end && (uint8_t)(*p - '0') < 10; p++) {
        if (d->n_digits < MOST_DIGITS)
            d->digits = d->digits * 10 + (uint8_t)(*p - '0');
        d->n_digits += d->digits > 0;
    }
    return p;
}

/* "e-10" at p; NULL when no digits follow the e. */
static const uint8_t *add_exponent(decimal *d, const uint8_t *p, const uint8_t *end)
{
    bool is_negative = ++p < end && *p == '-';
    int64_t exponent = 0;
    p += p < end && (*p == '-' || *p == '+');
    const uint8_t *digits = p;
    for (; p < end && (uint8_t)(*p - '0') < 10; p++)
        exponent = exponent < FAR_EXPONENT ? exponent * 10 + (uint8_t)(*p - '0') : exponent;
    d->exponent += is_negative ? -exponent : exponent;
    return p > digits ? p : NULL;
}

/* All of the text is [+-]digits[.digits][e[+-]digits], with a digit on one side of the point. */
static bool scan_decimal(const uint8_t *p, const uint8_t *end, decimal *d)
{
    *d = (decimal){ .is_negative = p < end && *p == '-', .is_integer = true };
    p += p < end && (*p == '-' || *p == '+');
    const uint8_t *behind = add_digits(d, p, end);
    int64_t count = behind - p;
    p = behind;
    if (p < end && *p == '.') {
        behind = add_digits(d, ++p, end);
        count += behind - p;
        d->exponent = p - behind;
        d->is_integer = false;
        p = behind;
    }
    if (count > 0 && p < end && (*p == 'e' || *p == 'E')) {
        p = add_exponent(d, p, end);
        d->is_integer = false;
    }
    return count > 0 && p == end;
}

/* By one multiplication or division of two doubles that are exact, where that is so. */
static bool is_one_operation(const decimal *d, double *out)
{
    bool is_exact =
        FLT_EVAL_METHOD == 0 && d->n_digits <= MOST_DIGITS && d->digits <= (uint64_t)1 << 53;
    int64_t exponent = d->digits == 0 ? 0 : d->exponent;
    if (!is_exact || exponent <= -COHORT_CSV_EXACT_POWERS || exponent >= COHORT_CSV_EXACT_POWERS)
        return false;
    double x = d->is_negative ? -(double)d->digits : (double)d->digits;
    *out = exponent < 0 ? x / cohort_csv_powers[-exponent] : x * cohort_csv_powers[exponent];
    return true;
}

static bool is_word(const uint8_t *text, size_t bytes, const char *word)
{
    return strlen(word) == bytes && strncasecmp((const char *)text, word, bytes) == 0;
}

static bool is_missing(const uint8_t *text, size_t bytes)
{
    return bytes == 0 || is_word(text, bytes, "na") || is_word(text, bytes, "n/a") ||
           is_word(text, bytes, "nan") || is_word(text, bytes, "null");
}

/* What is no decimal number. */
static cohort_csv_verdict read_word(const uint8_t *text, size_t bytes, double *out)
{
    size_t sign = bytes > 0 && (*text == '-' || *text == '+');
    if (is_missing(text, bytes))
        return COHORT_CSV_MISSING;
    if (!is_word(text + sign, bytes - sign, "inf") &&
        !is_word(text + sign, bytes - sign, "infinity"))
        return COHORT_CSV_NO_NUMBER;
    *out = *text == '-' ? -HUGE_VAL : HUGE_VAL;
    return COHORT_CSV_NUMBER;
}

/* A decimal number by the C library, which needs a zero byte behind it. */
static cohort_csv_verdict read_slowly(const uint8_t *text, size_t bytes, cohort_dtype dtype,
                                      locale_t c_locale, void *into)
{
    char copy[LONGEST + 1];
    if (bytes > LONGEST)
        return COHORT_CSV_LONG;
    memcpy(copy, text, bytes);
    copy[bytes] = '\0';
    bool is_single = dtype == COHORT_F32, is_finite;
    float single = is_single ? strtof_l(copy, NULL, c_locale) : 0;
    double wide = is_single ? 0 : strtod_l(copy, NULL, c_locale);
    is_finite = isfinite(single) && isfinite(wide);
    if (is_finite)
        memcpy(into, is_single ? (const void *)&single : (const void *)&wide,
               is_single ? sizeof single : sizeof wide);
    return is_finite ? COHORT_CSV_NUMBER : COHORT_CSV_RANGE;
}

/* false: x may be rounded twice. */
static bool store(double x, cohort_dtype dtype, void *into)
{
    float single = 0;
    if (dtype == COHORT_F64)
        memcpy(into, &x, sizeof x);
    else if (cohort_csv_narrow(x, &single))
        memcpy(into, &single, sizeof single);
    else
        return false;
    return true;
}

static cohort_csv_verdict read_real(const uint8_t *text, size_t bytes, cohort_dtype dtype,
                                    locale_t c_locale, void *into)
{
    decimal d;
    double x = 0;
    bool is_decimal = scan_decimal(text, text + bytes, &d);
    if (is_decimal && is_one_operation(&d, &x) &&
        fabs(x) < (dtype == COHORT_F32 ? (double)FLT_MAX : DBL_MAX) && store(x, dtype, into))
        return COHORT_CSV_NUMBER;
    if (is_decimal)
        return read_slowly(text, bytes, dtype, c_locale, into);
    cohort_csv_verdict verdict = read_word(text, bytes, &x);
    if (verdict == COHORT_CSV_NUMBER)
        (void)store(x, dtype, into);
    return verdict;
}

static cohort_csv_verdict read_integer(const uint8_t *text, size_t bytes, cohort_dtype dtype,
                                       void *into)
{
    decimal d;
    double unused;
    if (!scan_decimal(text, text + bytes, &d)) {
        cohort_csv_verdict verdict = read_word(text, bytes, &unused);
        return verdict == COHORT_CSV_NUMBER ? COHORT_CSV_RANGE : verdict;
    }
    if (!d.is_integer)
        return COHORT_CSV_FRACTION;
    if (d.n_digits > MOST_DIGITS) /* 20 digits fit 64 bits where they begin with 1 */
        return cohort_csv_long_integer(text, bytes, dtype, into) ? COHORT_CSV_NUMBER
                                                                 : COHORT_CSV_RANGE;
    return cohort_csv_store_integer(d.digits, d.is_negative, dtype, into) ? COHORT_CSV_NUMBER
                                                                          : COHORT_CSV_RANGE;
}

cohort_csv_verdict cohort_csv_number(const uint8_t *text, size_t bytes, cohort_dtype dtype,
                                     locale_t c_locale, void *into)
{
    bool is_real = dtype == COHORT_F32 || dtype == COHORT_F64;
    return is_real ? read_real(text, bytes, dtype, c_locale, into)
                   : read_integer(text, bytes, dtype, into);
}
