/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers between text and dtype: read and converted to the number that was meant, or to an error
 * that says why not; printed with the fewest digits from which the same number is read back. */
#include "config.h"

#include "cli/number.h"

#include "cli/ascii.h"
#include "cli/enumeration.h"

#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char no_number[] = "no number", out_of_range[] = "out of range";

/* ------------------------------------------------------------------ converting */

bool number_is_dtype(cohort_dtype dtype)
{
#define IS_IT(name, value, text, bytes, kind) || dtype == COHORT_##name
    return false COHORT_NUMBER_DTYPES(IS_IT);
}

/* Bool counts as one here: it is read and written as 0 and 1. */
static bool is_integer(cohort_dtype dtype)
{
    return cohort_dtype_kind(dtype) == 'b' || number_is_integer(dtype);
}

bool number_is_integer(cohort_dtype dtype)
{
    return cohort_dtype_kind(dtype) == 'i' || cohort_dtype_kind(dtype) == 'u';
}

int number_digits(cohort_dtype dtype)
{
    return dtype == COHORT_F16           ? 11
           : dtype == COHORT_BF16        ? 8
           : dtype == COHORT_F8_E4M3     ? 4
           : dtype == COHORT_F8_E5M2     ? 3
           : dtype == COHORT_F32         ? FLT_MANT_DIG
           : dtype == COHORT_LONG_DOUBLE ? LDBL_MANT_DIG
                                         : DBL_MANT_DIG;
}

/* Why a number cannot be one of the dtype. Called when the conversion has failed already: what is
 * left when nothing else is wrong is the range. */
static const char *why_not(const long double number[2], cohort_dtype to)
{
    if (is_integer(to) && !isfinite(number[0]))
        return "not finite, for an integer";
    if (is_integer(to) && truncl(number[0]) != number[0])
        return "a fraction, for an integer";
    if (number[1] != 0 && cohort_dtype_kind(to) != 'c')
        return "an imaginary part, for a real number";
    return out_of_range;
}

/* The library decides whether it fits; only the reason is found out here, in the widest type. */
const char *number_convert(cohort_dtype from, const void *number, cohort_dtype to, void *out)
{
    long double wide[2] = { 0, 0 };
    if (cohort_dtype_convert(from, number, to, out) >= 0)
        return NULL;
    (void)cohort_dtype_convert(from, number, COHORT_COMPLEX_LONG_DOUBLE, wide);
    return why_not(wide, to);
}

/* For floating-point dtypes, of which long double holds every number. */
static long double load_real(cohort_dtype dtype, const void *number)
{
    long double x = 0;
    (void)cohort_dtype_convert(dtype, number, COHORT_LONG_DOUBLE, &x);
    return x;
}

/* ------------------------------------------------------------------ reading */

/* Rounded once, to the dtype that it is for; *end NULL when there is no number here. */
static long double read_real(const char *text, cohort_dtype dtype, char **end)
{
    const char *digits = text + (*text == '+' || *text == '-');
    if (!ascii_is_digit(*digits) && *digits != '.' && strchr("iInN", *digits) == NULL) {
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
    return isinf(x) && (ascii_is_digit(*digits) || *digits == '.');
}

/* 1, 2j, 1+2j, and each in parentheses. As Python writes complex numbers, which NumPy's users have
 * in their scripts. */
static const char *read_complex(const char *text, cohort_dtype dtype, void *out)
{
    cohort_dtype part = cohort_dtype_part(dtype);
    char inside[NUMBER_TEXT_BYTES], *end;
    size_t length = strlen(text);
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
    const long double number[2] = { real, imaginary };
    return is_overflown ? out_of_range
                        : number_convert(COHORT_COMPLEX_LONG_DOUBLE, number, dtype, out);
}

static const char *read_floating(const char *text, cohort_dtype dtype, void *out)
{
    char *end;
    long double x = read_real(text, dtype, &end);
    if (end != NULL && *end == 'j')
        return "an imaginary part, for a real number";
    if (end == NULL || *end != '\0')
        return no_number;
    return is_overflow(text, x) ? out_of_range : number_convert(COHORT_LONG_DOUBLE, &x, dtype, out);
}

/* A real number that is whole, such as 3.0 or 1e3. */
static const char *read_whole_real(const char *text, cohort_dtype dtype, void *out)
{
    char *end;
    long double x = read_real(text, COHORT_LONG_DOUBLE, &end);
    if (end == NULL || *end != '\0')
        return end != NULL && *end == 'j' ? "an imaginary part, for an integer" : no_number;
    return number_convert(COHORT_LONG_DOUBLE, &x, dtype, out);
}

/* Digits, which may be more than a long double has. */
static const char *read_whole(const char *text, cohort_dtype dtype, void *out)
{
    const char *digits = text + (*text == '+' || *text == '-');
    bool is_hexadecimal = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
    char *end = NULL;
    if (!ascii_is_digit(*digits))
        return read_whole_real(text, dtype, out);
    errno = 0;
    uint64_t size = strtoull(digits, &end, is_hexadecimal ? 16 : 10);
    int64_t negative = (int64_t)(0 - size);
    if (*end != '\0')
        return read_whole_real(text, dtype, out);
    if (errno == ERANGE || (*text == '-' && size > UINT64_C(1) << 63))
        return out_of_range;
    return *text == '-' ? number_convert(COHORT_I64, &negative, dtype, out)
                        : number_convert(COHORT_U64, &size, dtype, out);
}

/* true and false first, then numbers, then the constants of --type, whose names are no numbers. */
static const char *read_integer(const char *text, cohort_dtype dtype, void *out)
{
    static const char *const yes[] = { "true", "True", NULL }, *const no[] = { "false", "False",
                                                                               NULL };
    int64_t constant = is_word(text, yes);
    const char *wrong = no_number;
    bool is_constant = constant != 0 || is_word(text, no);
    if (!is_constant)
        wrong = read_whole(text, dtype, out);
    if (is_constant || (wrong == no_number && enumeration_find(text, &constant)))
        wrong = number_convert(COHORT_I64, &constant, dtype, out);
    return wrong;
}

const char *number_read(const char *text, cohort_dtype dtype, void *out)
{
    if (is_integer(dtype))
        return read_integer(text, dtype, out);
    return cohort_dtype_part(dtype) != dtype ? read_complex(text, dtype, out)
                                             : read_floating(text, dtype, out);
}

/* ------------------------------------------------------------------ printing */

/* Digits that every decimal of so many has for itself, which is what the DIG of float.h are; one to
 * three more are always enough to read back. log10(2) is 0.30103. */
static int fewest_digits(cohort_dtype dtype)
{
    int digits = (number_digits(dtype) - 1) * 30103 / 100000;
    return digits < 1 ? 1 : digits;
}

/* Tried out, because the fewest digits differ from number to number. */
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

static void print_integer(cohort_dtype dtype, const void *p, char *text, size_t capacity)
{
    int64_t x = 0;
    uint64_t size = 0;
    bool is_unsigned = cohort_dtype_kind(dtype) == 'u';
    if (is_unsigned && cohort_dtype_convert(dtype, p, COHORT_U64, &size) >= 0)
        (void)snprintf(text, capacity, "%" PRIu64, size);
    else if (!is_unsigned && cohort_dtype_convert(dtype, p, COHORT_I64, &x) >= 0)
        (void)snprintf(text, capacity, "%" PRId64, x);
}

/* The sign of an imaginary part is written between the parts, also that of a negative zero. */
const char *number_print(cohort_dtype dtype, const void *number, char *text)
{
    cohort_dtype part = cohort_dtype_part(dtype);
    const char *imaginary = (const char *)number + cohort_dtype_bytes(part);
    if (dtype == COHORT_BOOL) {
        (void)snprintf(text, NUMBER_TEXT_BYTES, "%s",
                       *(const unsigned char *)number ? "true" : "false");
    } else if (is_integer(dtype)) {
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

/* JSON has no infinities and no NaN: they are texts. A complex number is a list of two. */
const char *number_json(cohort_dtype dtype, const void *number, char *text)
{
    cohort_dtype part = cohort_dtype_part(dtype);
    if (is_integer(dtype))
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
