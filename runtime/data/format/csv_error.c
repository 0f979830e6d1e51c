/* SPDX-License-Identifier: BSD-3-Clause */
/* These sentences are for people who look at the file with an editor: lines are counted from 1,
 * as editors do, and what is shown of the file is short and has no control characters. */
#include "config.h"

#include "runtime/data/format/csv_error.h"

#include "runtime/base/dtype.h"
#include "runtime/base/limits.h"

#include <stdio.h>

enum { SHOWN_CHARACTERS = 40, SHOWN_BYTES = SHOWN_CHARACTERS + sizeof "...", RANGE_BYTES = 64 };

/* At most 40 bytes of a text, without what a terminal would take as a command, and no half
 * character. */
static const char *show(const void *from, size_t bytes, char *shown)
{
    const uint8_t *text = from;
    size_t n = bytes;
    if (n > SHOWN_CHARACTERS)
        for (n = SHOWN_CHARACTERS; n > 0 && (text[n] & 0xc0) == 0x80; n--)
            continue;
    for (size_t i = 0; i < n; i++)
        shown[i] = (char)(text[i] < ' ' || text[i] == 0x7f ? '?' : text[i]);
    (void)snprintf(shown + n, SHOWN_BYTES - n, "%s", n < bytes ? "..." : "");
    return shown;
}

/* Put before the error: "rows.csv: line 3, column 1 (from 0) 'age'". */
static cohort_status at_column(const cohort_csv_schema *schema, const cohort_csv_row *row,
                               int column)
{
    char shown[SHOWN_BYTES] = "";
    const char *name = schema->names != NULL && column < schema->n ? schema->names[column] : "";
    const char *quote = *name != '\0' ? "'" : "";
    return cohort_error_prefix(
        COHORT_EINVAL, "%s: line %lld, column %d (from 0)%s%s%s%s", schema->path,
        (long long)cohort_csv_row_line(row, row->fields[column].text), column,
        *name != '\0' ? " " : "", quote, show(name, strlen(name), shown), quote);
}

/* Digits with commas among them: of thousands, or a decimal comma. */
static bool has_commas(const cohort_csv_field *field)
{
    bool has_comma = false;
    for (size_t i = 0; i < field->bytes; i++) {
        if (memchr("0123456789,.+-eE ", field->text[i], sizeof "0123456789,.+-eE " - 1) == NULL)
            return false;
        has_comma = has_comma || field->text[i] == ',';
    }
    return has_comma;
}

/* What the reader of the message can do about the field. Options have the names that programs
 * and the command both know. */
static const char *advise(const cohort_csv_row *row, const cohort_csv_field *field, bool is_real,
                          cohort_csv_verdict verdict)
{
    if (verdict == COHORT_CSV_MISSING)
        return is_real ? "fill it in, or say which number stands for it (option missing)"
                       : "fill it in, or ask for a float type, which can have missing values";
    if (verdict == COHORT_CSV_FRACTION)
        return "correct it, or ask for a float type";
    if (verdict == COHORT_CSV_RANGE)
        return "correct it, or ask for a wider type";
    if (verdict == COHORT_CSV_LONG)
        return "round it";
    if (row->n_fields == 1)
        return "is it several, and the separator another (option separator)?";
    return has_commas(field) ? "a comma is no part of a number; write 1234.5, or choose columns "
                               "without it (option columns)"
                             : "correct it, or choose columns without it (option columns)";
}

cohort_status cohort_csv_error_field(const cohort_csv_schema *schema, const cohort_csv_row *row,
                                     int column, cohort_dtype dtype, cohort_csv_verdict verdict)
{
    static const char *const what[] = {
        [COHORT_CSV_MISSING] = "is a missing value",     [COHORT_CSV_NO_NUMBER] = "is no number",
        [COHORT_CSV_FRACTION] = "is no integer",         [COHORT_CSV_RANGE] = "is out of range",
        [COHORT_CSV_LONG] = "is longer than any number",
    };
    const cohort_csv_field *field = &row->fields[column];
    bool is_real = !cohort_dtype_is_integer(dtype);
    char shown[SHOWN_BYTES], range[RANGE_BYTES] = "a decimal number such as -1.5e3";
    if (!is_real)
        (void)snprintf(range, sizeof range, "%lld to %llu", (long long)cohort_dtype_least(dtype),
                       (unsigned long long)cohort_dtype_most(dtype));
    (void)cohort_error_set(COHORT_EINVAL, "'%s' %s; expected %s for %s: %s",
                           show(field->text, field->bytes, shown), what[verdict],
                           is_real && verdict == COHORT_CSV_RANGE ? "a number that fits" : range,
                           cohort_dtype_name(dtype), advise(row, field, is_real, verdict));
    return at_column(schema, row, column);
}

cohort_status cohort_csv_error_header(const cohort_csv_schema *schema, const cohort_csv_row *row,
                                      int column)
{
    char shown[SHOWN_BYTES];
    (void)cohort_error_set(
        COHORT_EINVAL,
        "'%s' is no number, and other fields of this first row are: names of columns, or a "
        "mistake? Say whether this row is a header (option header)",
        show(row->fields[column].text, row->fields[column].bytes, shown));
    return at_column(schema, row, column);
}

cohort_status cohort_csv_error_spelling(const cohort_csv_schema *schema, const cohort_csv_row *row,
                                        int column)
{
    char shown[SHOWN_BYTES];
    (void)cohort_error_set(COHORT_EINVAL,
                           "'%s' is a number in another spelling, or a word for a missing one: is "
                           "this first row data, "
                           "or names of columns? Say whether it is a header (option header); a "
                           "number is read where it "
                           "is written as -1.5e3",
                           show(row->fields[column].text, row->fields[column].bytes, shown));
    return at_column(schema, row, column);
}

cohort_status cohort_csv_error_row(const cohort_csv_schema *schema, const cohort_csv_row *row,
                                   cohort_csv_cut cut)
{
    char shown[SHOWN_BYTES];
    int n = row->n_fields;
    if (cut == COHORT_CSV_CUT_NO_MEMORY)
        return cohort_error_memory(schema->path);
    if (cut == COHORT_CSV_CUT_MORE)
        (void)cohort_error_set(COHORT_EINVAL, "the quote that opens here is never closed; expected "
                                              "another before the end of the file");
    if (cut == COHORT_CSV_CUT_STRAY)
        (void)cohort_error_set(
            COHORT_EINVAL,
            "something follows the closing quote of '%s'; expected a separator or the end of the "
            "line: write a quote within quotes twice",
            show(row->fields[n - 1].text, row->fields[n - 1].bytes, shown));
    if (cut == COHORT_CSV_CUT_MORE || cut == COHORT_CSV_CUT_STRAY)
        return at_column(schema, row, n - 1);
    if (cut == COHORT_CSV_CUT_WIDE)
        (void)cohort_error_set(
            COHORT_EINVAL, "a row of more than %d fields; expected fewer: is the separator right?",
            COHORT_LIMIT_CSV_COLUMNS);
    else
        (void)cohort_error_set(COHORT_EINVAL,
                               "a row of %d field%s; expected %d, as many as the first row has: "
                               "correct it, or put fields with separators in them into quotes",
                               n, n == 1 ? "" : "s", schema->n);
    return cohort_error_prefix(COHORT_EINVAL, "%s: line %lld", schema->path, (long long)row->line);
}
