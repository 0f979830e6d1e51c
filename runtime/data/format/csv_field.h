/* SPDX-License-Identifier: BSD-3-Clause */
/* One field of a CSV file and the number in it: decimal, correctly rounded, the same in every
 * locale. Behind each text is a readable byte that is no part of a number. */
#ifndef COHORT_FORMAT_CSV_FIELD_H
#define COHORT_FORMAT_CSV_FIELD_H

#include <cohort/codes.h>

#include <locale.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* digits * 10^exponent */
typedef struct cohort_csv_decimal {
    uint64_t digits;
    int32_t exponent;
    bool is_negative, is_integer;
    bool is_long; /* more digits than `digits` can hold */
} cohort_csv_decimal;

typedef struct cohort_csv_field {
    const uint8_t *text; /* without the quotes around it; a quote in it is still two */
    uint32_t bytes;
    bool is_quoted;
    bool is_decimal; /* all of it, and this is its value: */
    cohort_csv_decimal decimal;
} cohort_csv_field;

/* MISSING   nothing, NA, N/A, nan or null, in any case
 * FRACTION  a number that is no integer; 1.0 and 1e3 are
 * RANGE     a number that the type does not have
 * LONG      more characters than any number needs */
typedef enum cohort_csv_verdict {
    COHORT_CSV_NUMBER = 0,
    COHORT_CSV_MISSING,
    COHORT_CSV_NO_NUMBER,
    COHORT_CSV_FRACTION,
    COHORT_CSV_RANGE,
    COHORT_CSV_LONG
} cohort_csv_verdict;

/* [+-]digits[.digits] at p; returns what is behind them, NULL when there is no digit. */
static inline const uint8_t *cohort_csv_decimal_scan(const uint8_t *p, cohort_csv_decimal *out)
{
    enum { SAFE = 18 }; /* characters before which no digit is too many */
    uint64_t digits = 0, digit;
    bool is_long = false, is_negative = *p == '-';
    p += *p == '-' || *p == '+';
    const uint8_t *start = p, *point = NULL;
    for (; (digit = (uint64_t)*p - '0') < 10 || (*p == '.' && point == NULL); p++)
        if (digit >= 10)
            point = p;
        else if (p - start < SAFE)
            digits = digits * 10 + digit;
        else
            is_long |= __builtin_mul_overflow(digits, (uint64_t)10, &digits) ||
                       __builtin_add_overflow(digits, digit, &digits);
    out->digits = digits;
    out->exponent = point != NULL ? (int32_t)(point + 1 - p) : 0;
    out->is_negative = is_negative;
    out->is_integer = point == NULL;
    out->is_long = is_long;
    return p - (point != NULL) > start ? p : NULL;
}

/* The field, but for spaces around it, as a float32, float64 or integer at `into`, of any
 * alignment. inf and infinity are numbers of the float types, in any case and with a sign;
 * hexadecimal ones are not.
 *
 * c_locale  newlocale(LC_ALL_MASK, "C", 0): for what is not exact by one operation
 * Source    Clinger, "How to read floating point numbers accurately", 1990 */
cohort_csv_verdict cohort_csv_field_number(const cohort_csv_field *field, cohort_dtype dtype,
                                           locale_t c_locale, void *into);

/* The number as a float32 or float64. */
static inline void cohort_csv_real_store(double number, cohort_dtype dtype, void *into)
{
    float single = (float)number;
    if (dtype == COHORT_F32)
        memcpy(into, &single, sizeof single);
    else
        memcpy(into, &number, sizeof number);
}

/* The field without spaces and tabs around its text. */
cohort_csv_field cohort_csv_field_trim(const cohort_csv_field *field);

/* The text of a field as it is meant: two quotes in quotes are one. Room for field->bytes + 1;
 * returns the bytes. */
size_t cohort_csv_field_copy(const cohort_csv_field *field, char *text);

#endif
