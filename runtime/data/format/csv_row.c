/* SPDX-License-Identifier: BSD-3-Clause */
/* A row is cut in one pass, in which numbers are read on the way, since most fields end where
 * their number does. Text that is cut stays in the window; fields point there. */
#include "config.h"

#include "runtime/data/format/csv_row.h"

#include "runtime/base/limits.h"
#include "runtime/base/memory.h"

#include <string.h>

static bool is_separator(uint8_t c, uint8_t separator)
{
    return c == separator || (c == '\t' && separator == ' ');
}

static bool ends_line(const cohort_csv_row *row, const uint8_t *p)
{
    return p == row->end || *p == '\n' || *p == '\r';
}

/* What follows the spaces at p; p itself where spaces are no separator. */
static const uint8_t *pass_spaces(const cohort_csv_row *row, uint8_t separator, const uint8_t *p)
{
    while (separator == ' ' && p < row->end && is_separator(*p, ' '))
        p++;
    return p;
}

/* Only a quoted field can have ends of lines in it, so without quotes there is nothing to count.
 * \r\n counts once. */
int64_t cohort_csv_row_line(const cohort_csv_row *row, const uint8_t *p)
{
    int64_t line = row->line;
    for (const uint8_t *q = row->at; q < p && row->has_quotes; q++)
        line += *q == '\n' || (*q == '\r' && (q + 1 == p || q[1] != '\n'));
    return line;
}

/* The row takes all of the line in which p is. */
static cohort_csv_cut end_row(cohort_csv_row *row, const uint8_t *p, cohort_csv_cut cut)
{
    while (!ends_line(row, p))
        p++;
    bool is_known = p < row->end && (*p == '\n' || p + 1 < row->end); /* a \n may follow a \r */
    if (!is_known && !row->is_rest)
        return COHORT_CSV_CUT_MORE;
    row->lines = cohort_csv_row_line(row, p) - row->line + 1;
    if (p < row->end)
        p += 1 + (*p == '\r' && p + 1 < row->end && p[1] == '\n');
    row->bytes = (size_t)(p - row->at);
    return cut;
}

/* What follows the quote that closes a field whose text begins at p; NULL: the quote is not in
 * memory. Two quotes are one in the text. */
static const uint8_t *pass_quoted(const cohort_csv_row *row, const uint8_t *p)
{
    for (;; p += 2) {
        p = memchr(p, '"', (size_t)(row->end - p));
        if (p == NULL || p + 1 == row->end)
            return p != NULL && row->is_rest ? p + 1 : NULL;
        if (p[1] != '"')
            return p + 1;
    }
}

/* Up to three digits with a separator behind them, without a jump that depends on how many: one
 * that is guessed wrong takes longer than the field. NULL: it is something else. */
static inline const uint8_t *pass_short(const uint8_t *p, uint8_t separator,
                                        cohort_csv_decimal *out)
{
    static const unsigned worth[][3] = { { 0, 0, 0 }, { 1, 0, 0 }, { 10, 1, 0 }, { 100, 10, 1 } };
    const unsigned a = p[0] - '0', b = p[1] - '0', c = p[2] - '0';
    const unsigned n = (a < 10) + ((a < 10) & (b < 10)) + ((a < 10) & (b < 10) & (c < 10));
    if (n == 0 || p[n] != separator)
        return NULL;
    out->digits = worth[n][0] * a + worth[n][1] * b + worth[n][2] * c;
    out->exponent = 0;
    out->is_negative = out->is_long = false;
    out->is_integer = true;
    return p + n;
}

/* A field without quotes, which is read as a number on the way. */
static inline const uint8_t *pass_plain(const cohort_csv_row *row, const uint8_t *p,
                                        cohort_csv_field *out)
{
    uint8_t separator = row->separator, other = separator == ' ' ? '\t' : separator;
    const uint8_t *behind = pass_short(p, separator, &out->decimal);
    out->is_decimal = true;
    if (behind != NULL)
        return behind;
    behind = cohort_csv_decimal_scan(p, &out->decimal);
    p = behind != NULL ? behind : p;
    while (p < row->end && *p != separator && *p != other && *p != '\n' && *p != '\r')
        p++;
    out->is_decimal = p == behind;
    return p;
}

/* A field whose text, or the quote before it, is at *p. */
static inline cohort_csv_cut cut_field(cohort_csv_row *row, const uint8_t **p)
{
    size_t wanted = (size_t)row->n_fields + 1;
    if (wanted > COHORT_LIMIT_CSV_COLUMNS)
        return COHORT_CSV_CUT_WIDE;
    if (wanted > row->capacity) {
        void *fields = row->fields;
        if (!cohort_grow(&fields, &row->capacity, wanted, sizeof *row->fields))
            return COHORT_CSV_CUT_NO_MEMORY;
        row->fields = fields;
    }
    cohort_csv_field *field = &row->fields[row->n_fields++];
    field->is_quoted = *p < row->end && **p == '"';
    field->text = *p + field->is_quoted;
    if (!field->is_quoted) {
        *p = pass_plain(row, field->text, field);
        field->bytes = (uint32_t)(*p - field->text);
        return COHORT_CSV_CUT;
    }
    *p = pass_quoted(row, field->text);
    field->bytes = *p != NULL ? (uint32_t)(*p - field->text - 1) : 0;
    field->is_decimal = false;
    row->has_quotes = true;
    return *p != NULL ? COHORT_CSV_CUT : COHORT_CSV_CUT_MORE;
}

cohort_csv_cut cohort_csv_row_cut(cohort_csv_row *row)
{
    uint8_t separator = row->separator;
    const uint8_t *p = pass_spaces(row, separator, row->at);
    row->n_fields = 0;
    row->has_quotes = false;
    if (ends_line(row, p))
        return end_row(row, p, COHORT_CSV_CUT_BLANK);
    for (;; p = pass_spaces(row, separator, p + 1)) {
        cohort_csv_cut cut = cut_field(row, &p);
        if (cut != COHORT_CSV_CUT)
            return cut == COHORT_CSV_CUT_WIDE ? end_row(row, p, cut) : cut;
        if (p < row->end && *p == separator && separator != ' ')
            continue;
        const uint8_t *behind = pass_spaces(row, separator, p);
        if (ends_line(row, behind))
            return end_row(row, behind, COHORT_CSV_CUT);
        if (!is_separator(*p, separator))
            return end_row(row, p, COHORT_CSV_CUT_STRAY);
    }
}

void cohort_csv_row_fini(cohort_csv_row *row)
{
    cohort_free(row->fields);
}

/* Several numbers with nothing but spaces between them, as numpy.savetxt writes them. */
static bool are_spaced_numbers(const cohort_csv_row *row)
{
    int n = 0;
    const uint8_t *p = pass_spaces(row, ' ', row->at);
    for (; !ends_line(row, p); p = pass_spaces(row, ' ', p), n++) {
        bool has_digit = false;
        for (; p < row->end && *p != '\0' && strchr("0123456789+-.eE", *p) != NULL; p++)
            has_digit = has_digit || (*p >= '0' && *p <= '9');
        if (!has_digit)
            return false;
    }
    return n > 1;
}

uint8_t cohort_csv_row_separator(const cohort_csv_row *row)
{
    static const uint8_t separators[] = { ',', ';', '\t' };
    size_t counts[sizeof separators] = { 0 }, best = 0;
    bool is_quoted = false;
    for (const uint8_t *p = row->at; p < row->end && (is_quoted || !ends_line(row, p)); p++) {
        is_quoted ^= *p == '"';
        for (size_t i = 0; i < sizeof separators; i++)
            counts[i] += !is_quoted && *p == separators[i];
    }
    for (size_t i = 1; i < sizeof separators; i++)
        best = counts[i] > counts[best] ? i : best;
    return counts[best] == 0 && are_spaced_numbers(row) ? ' ' : separators[best];
}
