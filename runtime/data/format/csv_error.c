/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/data/format/csv_error.h"

#include "runtime/base/limits.h"
#include "runtime/data/format/csv_header.h"
#include "runtime/data/format/csv_integer.h"

#include <stdio.h>

enum { SHOWN_CHARACTERS = 40, SHOWN_BYTES = SHOWN_CHARACTERS + sizeof "...", WHERE_BYTES = 128 };

/* At most 40 bytes of a text, without what a terminal would take as a command, and no half
 * character. */
static const char *show(const uint8_t *text, size_t bytes, char *shown)
{
    size_t n = bytes;
    if (n > SHOWN_CHARACTERS)
        for (n = SHOWN_CHARACTERS; n > 0 && (text[n] & 0xc0) == 0x80; n--)
            continue;
    for (size_t i = 0; i < n; i++)
        shown[i] = (char)(text[i] < ' ' || text[i] == 0x7f ? '?' : text[i]);
    (void)snprintf(shown + n, SHOWN_BYTES - n, "%s", n < bytes ? "..." : "");
    return shown;
}

/* "line 3, column 1 (from 0) 'age'" */
static const char *say_where(const cohort_csv_names *names, int64_t line, int column, char *where)
{
    char shown[SHOWN_BYTES] = "";
    bool has_name = names->names != NULL && column < names->n && names->names[column][0] != '\0';
    if (has_name)
        (void)show((const uint8_t *)names->names[column], strlen(names->names[column]), shown);
    (void)snprintf(where, WHERE_BYTES, "line %lld, column %d (from 0)%s%s%s", (long long)line,
                   column, has_name ? " '" : "", shown, has_name ? "'" : "");
    return where;
}

static bool is_real(cohort_dtype dtype)
{
    return dtype == COHORT_F32 || dtype == COHORT_F64;
}

/* What the field is, what was expected, and what to do. Options are named as programs and the
 * command both call them.
 *
 * advice: for what is no number. */
static void explain(cohort_csv_verdict verdict, cohort_dtype dtype, const char *advice, char *text,
                    size_t bytes)
{
    char range[COHORT_CSV_RANGE_BYTES] = "a decimal number such as -1.5e3";
    const char *name = cohort_dtype_name(dtype);
    if (!is_real(dtype))
        (void)cohort_csv_integer_range(dtype, range);
    switch (verdict) {
    case COHORT_CSV_MISSING:
        (void)snprintf(text, bytes, "is a missing value; expected %s for %s: fill it in, or %s",
                       range, name,
                       is_real(dtype) ? "say which number stands for it (option missing)"
                                      : "ask for a float type, which can have missing values");
        return;
    case COHORT_CSV_FRACTION:
        (void)snprintf(text, bytes,
                       "is no integer; expected %s for %s: correct it, or ask for a float type",
                       range, name);
        return;
    case COHORT_CSV_RANGE:
        (void)snprintf(text, bytes,
                       "is out of range; expected %s for %s: correct it, or ask for a wider type",
                       is_real(dtype) ? "a number that fits" : range, name);
        return;
    case COHORT_CSV_LONG:
        (void)snprintf(text, bytes, "is longer than any number; expected %s for %s: round it",
                       range, name);
        return;
    default:
        (void)snprintf(text, bytes, "is no number; expected %s for %s: %s", range, name, advice);
    }
}

/* Digits with commas among them: of thousands, or a decimal comma. */
static bool has_commas(const cohort_csv_field *field)
{
    bool has_comma = false, is_number = field->bytes > 0;
    for (size_t i = 0; i < field->bytes && is_number; i++) {
        has_comma = has_comma || field->text[i] == ',';
        is_number =
            memchr("0123456789,.+-eE ", field->text[i], sizeof "0123456789,.+-eE " - 1) != NULL;
    }
    return has_comma && is_number;
}

static const char *advise(const cohort_csv_row *row, const cohort_csv_field *field)
{
    if (row->n_fields == 1)
        return "is it several, and the separator another (option separator)?";
    if (has_commas(field))
        return "a comma is no part of a number; write 1234.5, or choose columns without it (option "
               "columns)";
    return "correct it, or choose columns without it (option columns)";
}

cohort_status cohort_csv_refuse_field(const cohort_csv_names *names, int64_t line,
                                      const cohort_csv_row *row, int column, cohort_dtype dtype,
                                      cohort_csv_verdict verdict)
{
    const cohort_csv_field *field = &row->fields[column];
    char where[WHERE_BYTES], shown[SHOWN_BYTES], text[256];
    explain(verdict, dtype, advise(row, field), text, sizeof text);
    return cohort_error_set(COHORT_EINVAL, "%s: %s: '%s' %s", names->path,
                            say_where(names, line + field->line, column, where),
                            show(field->text, field->bytes, shown), text);
}

cohort_status cohort_csv_refuse_first(const cohort_csv_names *names, int64_t line,
                                      const cohort_csv_row *row, int column)
{
    const cohort_csv_field *field = &row->fields[column];
    char where[WHERE_BYTES], shown[SHOWN_BYTES];
    return cohort_error_set(
        COHORT_EINVAL,
        "%s: %s: '%s' is no number, and other fields of this first row are: names of columns, or a "
        "mistake? Say whether this row is a header (option header)",
        names->path, say_where(names, line + field->line, column, where),
        show(field->text, field->bytes, shown));
}

cohort_status cohort_csv_refuse_count(const cohort_csv_names *names, int64_t line,
                                      const cohort_csv_row *row)
{
    return cohort_error_set(
        COHORT_EINVAL,
        "%s: line %lld: a row of %d field%s; expected %d, as many as the first row has: correct "
        "it, or put fields with separators in them into quotes",
        names->path, (long long)line, row->n_fields, row->n_fields == 1 ? "" : "s", names->n);
}

cohort_status cohort_csv_refuse_cut(const cohort_csv_names *names, int64_t line,
                                    const cohort_csv_row *row, cohort_csv_cut cut)
{
    char where[WHERE_BYTES], shown[SHOWN_BYTES];
    int column = row->n_fields > 0 ? row->n_fields - 1 : 0;
    if (cut == COHORT_CSV_CUT_NO_MEMORY)
        return cohort_error_memory(names->path);
    if (cut == COHORT_CSV_CUT_WIDE)
        return cohort_error_set(
            COHORT_EINVAL,
            "%s: line %lld: a row of more than %d fields; expected fewer: is the separator right?",
            names->path, (long long)line, COHORT_LIMIT_CSV_COLUMNS);
    const cohort_csv_field *field = &row->fields[column];
    (void)say_where(names, line + field->line, column, where);
    if (cut == COHORT_CSV_CUT_MORE)
        return cohort_error_set(
            COHORT_EINVAL,
            "%s: %s: the quote that opens here is never closed; expected another before the end "
            "of the file",
            names->path, where);
    return cohort_error_set(
        COHORT_EINVAL,
        "%s: %s: something follows the closing quote of '%s'; expected a separator or the end of "
        "the line: write a quote within quotes twice",
        names->path, where, show(field->text, field->bytes, shown));
}
