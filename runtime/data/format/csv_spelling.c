/* SPDX-License-Identifier: BSD-3-Clause */
/* A spelling is recognized, and never read: where it stands in a first row, the row may be one of
 * data, and only who made the file knows. So what is taken here is wide, as long as it is no name
 * that people give to a column.
 *
 * Source  Fortran 2018, 13.7.2.3 (D, and no letter before three digits of an exponent); C11,
 *         7.21.6.1 (nan, -nan, nan(...)); the C library of Windows (1.#IND); the words that
 *         pandas.read_csv takes for missing. */
#include "config.h"

#include "runtime/data/format/csv_spelling.h"

#include "runtime/base/ascii.h"

/* What is left of a text. */
typedef struct span {
    const uint8_t *at, *end;
} span;

static const char *const signs[] = { "+", "-", "\xe2\x88\x92", NULL }; /* and the minus of print */
static const char *const units[] = { "%", "$", "\xe2\x82\xac", "\xc2\xa3", "\xc2\xa5", NULL };
/* of thousands or of a fraction: spaces that do not break, thin ones, apostrophes */
static const char *const parts[] = { ".",
                                     ",",
                                     "'",
                                     "_",
                                     "\xd9\xab",
                                     "\xd9\xac",
                                     "\xc2\xa0",
                                     "\xe2\x80\xaf",
                                     "\xe2\x80\x89",
                                     "\xe2\x80\x99",
                                     NULL };
static const char *const exponents[] = { "e",
                                         "d",
                                         "q",
                                         "*^",
                                         "x10^",
                                         "*10^",
                                         "\xc3\x97"
                                         "10^",
                                         NULL };
/* the zeros of the digits that are not ASCII's: Arabic, Persian, of Devanagari, of full width */
static const char *const zeros[] = { "\xd9\xa0", "\xdb\xb0", "\xe0\xa5\xa6", "\xef\xbc\x90", NULL };
static const char *const missing[] = {
    "na",      "n/a",   "nan",    "null",   "#n/a",    "#na",          "<na>",         "none",
    "nil",     "nat",   "n.a.",   "n.a",    "\\n",     "missing",      "undefined",    "#ref!",
    "#div/0!", "#num!", "#null!", "#name?", "#value!", "\xe2\x80\x93", "\xe2\x80\x94", NULL
};

/* ---- Pieces */

static size_t left(const span *s)
{
    return (size_t)(s->end - s->at);
}

/* In any case; nothing is taken where it does not stand there. */
static bool take(span *s, const char *text)
{
    size_t bytes = strlen(text);
    bool is_there = left(s) >= bytes && cohort_ascii_same_bytes((const char *)s->at, text, bytes);
    s->at += is_there ? bytes : 0;
    return is_there;
}

static bool take_any(span *s, const char *const texts[])
{
    bool is_there = false;
    for (int i = 0; texts[i] != NULL && !is_there; i++)
        is_there = take(s, texts[i]);
    return is_there;
}

static bool is_any(span s, const char *const texts[])
{
    bool is_it = false;
    for (int i = 0; texts[i] != NULL && !is_it; i++)
        is_it = strlen(texts[i]) == left(&s) &&
                cohort_ascii_same_bytes((const char *)s.at, texts[i], left(&s));
    return is_it;
}

/* All digits of one script stand behind its zero, in the last byte. */
static bool take_digit(span *s)
{
    if (left(s) > 0 && *s->at >= '0' && *s->at <= '9') {
        s->at++;
        return true;
    }
    for (int i = 0; zeros[i] != NULL; i++) {
        size_t last = strlen(zeros[i]) - 1;
        if (left(s) > last && memcmp(s->at, zeros[i], last) == 0 &&
            (unsigned)s->at[last] - (uint8_t)zeros[i][last] < 10) {
            s->at += last + 1;
            return true;
        }
    }
    return false;
}

static int take_digits(span *s)
{
    int n = 0;
    while (take_digit(s))
        n++;
    return n;
}

static int take_characters(span *s, const char *allowed)
{
    int n = 0;
    for (; left(s) > 0 && *s->at != '\0' && strchr(allowed, *s->at) != NULL; s->at++)
        n++;
    return n;
}

/* ---- Numbers */

/* 0x1f, 0x1.8p3, 0b101, 0o17. */
static bool is_of_other_base(span s)
{
    static const struct {
        const char *prefix, *digits;
    } bases[] = { { "0x", "0123456789abcdefABCDEF._" }, { "0b", "01" }, { "0o", "01234567" } };
    for (size_t i = 0; i < sizeof bases / sizeof *bases; i++) {
        span rest = s;
        if (!take(&rest, bases[i].prefix) || take_characters(&rest, bases[i].digits) == 0)
            continue;
        if (!take(&rest, "p"))
            return left(&rest) == 0;
        (void)take_any(&rest, signs);
        return take_digits(&rest) > 0 && left(&rest) == 0;
    }
    return false;
}

/* What is no number, or has no end, whatever wrote it: nan(0x7fc00000), 1.#QNAN, 1.#INF00. */
static bool is_not_finite(span s)
{
    static const char letters[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    static const char *const words[] = { "nan",      "nanq",         "nans", "inf",
                                         "infinity", "\xe2\x88\x9e", NULL };
    span start = s;
    if (is_any(s, words))
        return true;
    if (take(&s, "1.#"))
        return take_characters(&s, letters) > 0 && left(&s) == 0;
    s = start;
    return take(&s, "nan(") && take_characters(&s, letters) >= 0 && take(&s, ")") && left(&s) == 0;
}

static bool is_at_point(const span *s)
{
    return left(s) > 0 && (*s->at == '.' || *s->at == ',');
}

/* Digits with points, commas and the like among them, one at a time; a point or a comma may also
 * stand before or behind all of them. */
static bool take_mantissa(span *s, bool *out_has_point)
{
    int n = take_digits(s), more = n;
    for (*out_has_point = false; more > 0 || n == 0; n += more) {
        span before = *s;
        bool is_point = is_at_point(s);
        if (!(is_point || n > 0) || !take_any(s, parts))
            break;
        more = take_digits(s);
        if (more == 0 && !(is_point && n > 0)) {
            *s = before;
            break;
        }
        *out_has_point = *out_has_point || is_point;
    }
    return n > 0;
}

/* Fortran leaves the letter out before three digits. */
static void take_exponent(span *s, bool has_point)
{
    span before = *s;
    bool has_letter = take_any(s, exponents), has_sign = take_any(s, signs);
    int n = take_digits(s);
    if (n == 0 || (!has_letter && !(has_point && has_sign && n == 3)))
        *s = before;
}

static bool take_decimal(span *s)
{
    bool has_point = false;
    if (!take_mantissa(s, &has_point))
        return false;
    take_exponent(s, has_point);
    if (has_point)
        (void)take(s, "f"); /* as in C */
    return true;
}

/* A number with its sign, the unit before or behind it, its imaginary part, or what it is divided
 * by. */
static bool is_number(span s)
{
    bool has_sign = take_any(&s, signs);
    (void)take_any(&s, units);
    if (!has_sign)
        (void)take_any(&s, signs);
    if (is_of_other_base(s) || is_not_finite(s))
        return true;
    if (!take_decimal(&s))
        return false;
    span start = s;
    if (take_any(&s, signs) && take_decimal(&s) && (take(&s, "i") || take(&s, "j")))
        return left(&s) == 0;
    s = start;
    if (take(&s, "/"))
        return take_digits(&s) > 0 && left(&s) == 0;
    (void)take_any(&s, units);
    return left(&s) == 0;
}

/* ---- Fields */

/* What stands between ( and ), or between single quotes; else all. */
static span unwrap(span s)
{
    size_t n = left(&s);
    if (n > 2 && ((*s.at == '(' && s.end[-1] == ')') || (*s.at == '\'' && s.end[-1] == '\'')))
        return (span){ s.at + 1, s.end - 1 };
    return s;
}

/* ?, --, ***** of Fortran, ##### of a spreadsheet; a # alone is a name for the number of a row. */
static bool is_mark(span s)
{
    size_t n = left(&s);
    bool is_name = n == 1 && *s.at == '#';
    return n > 0 && !is_name && take_characters(&s, "?*-.~#") == (int)n;
}

static bool is_value(span s)
{
    return is_any(s, missing) || is_number(s) || is_number(unwrap(s));
}

static bool is_blank(uint8_t c)
{
    return c == ' ' || c == '\t';
}

/* Several values with spaces between them are what a separator that was not found leaves; a unit
 * may stand beside them. */
bool cohort_csv_is_spelled_value(const cohort_csv_field *field)
{
    cohort_csv_field trimmed = cohort_csv_field_trim(field);
    span s = { trimmed.text, trimmed.text + trimmed.bytes };
    bool has_value = false;
    if (is_mark(s))
        return true;
    while (left(&s) > 0) {
        span word = { s.at, s.at };
        while (word.end < s.end && !is_blank(*word.end))
            word.end++;
        if (!is_value(word) && !is_any(word, units))
            return false;
        has_value = has_value || !is_any(word, units);
        for (s.at = word.end; left(&s) > 0 && is_blank(*s.at); s.at++)
            continue;
    }
    return has_value;
}
