/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/data/format/csv_row.h"

#include "runtime/base/limits.h"
#include "runtime/base/memory.h"
#include "runtime/data/format/csv_scan.h"

#include <string.h>

void cohort_csv_row_fini(cohort_csv_row *row)
{
    cohort_free(row->fields);
    *row = (cohort_csv_row){ 0 };
}

/* The quote that closes a field whose text begins at p; NULL: none does. Two quotes are one in the
 * text. */
static const uint8_t *closing_quote(const uint8_t *p, const uint8_t *end)
{
    for (;;) {
        p = p < end ? memchr(p, '"', (size_t)(end - p)) : NULL;
        if (p == NULL || p + 1 == end || p[1] != '"')
            return p;
        p += 2;
    }
}

static int64_t count_lines(const uint8_t *p, size_t bytes)
{
    int64_t lines = 0;
    for (const uint8_t *end = p + bytes; p < end; p++)
        lines += *p == '\n' || (*p == '\r' && (p + 1 == end || p[1] != '\n'));
    return lines;
}

/* A field with quotes around it; *out: its end, a separator or the end of the line. */
static cohort_csv_cut cut_quoted(cohort_csv_row *row, cohort_csv_field *field, const uint8_t *p,
                                 const uint8_t *end, uint8_t separator, const uint8_t **out)
{
    const uint8_t *close = closing_quote(p + 1, end);
    if (close == NULL)
        return COHORT_CSV_CUT_MORE;
    field->text = p + 1;
    field->bytes = (size_t)(close - field->text);
    field->is_quoted = true;
    row->lines += count_lines(field->text, field->bytes);
    p = close + 1;
    if (p < end && *p == '\r' && p + 1 < end && p[1] == '\n')
        p++;
    if (p == end)
        return COHORT_CSV_CUT_MORE;
    *out = p;
    return cohort_csv_parts(*p, separator) || *p == '\n' ? COHORT_CSV_CUT : COHORT_CSV_CUT_STRAY;
}

static const uint8_t *find_end(const uint8_t *p, const uint8_t *end, uint8_t separator)
{
    if (separator != ' ')
        return cohort_csv_field_end(p, end, separator);
    while (!cohort_csv_parts(*p, separator) && *p != '\n')
        p++;
    return p;
}

static void cut_plain(cohort_csv_field *field, const uint8_t *p, const uint8_t *end,
                      uint8_t separator, const uint8_t **out)
{
    const uint8_t *stop = *out = find_end(p, end, separator);
    if (*stop == '\n' && stop > p && stop[-1] == '\r')
        stop--;
    field->text = p;
    field->bytes = (size_t)(stop - p);
}

/* No row, or an error: what follows begins behind the line in which p is. */
static cohort_csv_cut end_line(cohort_csv_row *row, const uint8_t *p, const uint8_t *end,
                               cohort_csv_cut why)
{
    row->next = (const uint8_t *)memchr(p, '\n', (size_t)(end - p)) + 1;
    row->lines++;
    return why;
}

static cohort_csv_cut add_field(cohort_csv_row *row, cohort_csv_field **out)
{
    size_t wanted = (size_t)row->n_fields + 1;
    void *fields = row->fields;
    if (wanted > COHORT_LIMIT_CSV_COLUMNS)
        return COHORT_CSV_CUT_WIDE;
    bool is_there = cohort_grow(&fields, &row->capacity, wanted, sizeof *row->fields);
    row->fields = fields;
    if (!is_there)
        return COHORT_CSV_CUT_NO_MEMORY;
    *out = &row->fields[row->n_fields++];
    **out = (cohort_csv_field){ .line = row->lines };
    return COHORT_CSV_CUT;
}

/* The \n where the field that ends at p is the last one of its row, with nothing but spaces behind
 * it; else p. */
static const uint8_t *end_of_row(const uint8_t *p, uint8_t separator, bool *out_is_last)
{
    const uint8_t *behind = cohort_csv_pass_spaces(p, separator);
    behind += separator == ' ' && *behind == '\r' && behind[1] == '\n';
    *out_is_last = *behind == '\n';
    return *out_is_last ? behind : p;
}

cohort_csv_cut cohort_csv_row_cut(cohort_csv_row *row, const uint8_t *p, const uint8_t *end,
                                  uint8_t separator)
{
    bool is_last;
    row->n_fields = 0;
    row->lines = 0;
    row->next = p;
    if (cohort_csv_is_blank(p, separator))
        return end_line(row, p, end, COHORT_CSV_CUT_BLANK);
    for (;; p++) {
        p = cohort_csv_pass_spaces(p, separator);
        cohort_csv_field *field;
        cohort_csv_cut cut = add_field(row, &field);
        if (cut != COHORT_CSV_CUT)
            return cut == COHORT_CSV_CUT_WIDE ? end_line(row, p, end, cut) : cut;
        if (*p == '"')
            cut = cut_quoted(row, field, p, end, separator, &p);
        else
            cut_plain(field, p, end, separator, &p);
        if (cut != COHORT_CSV_CUT)
            return cut == COHORT_CSV_CUT_STRAY ? end_line(row, p, end, cut) : cut;
        p = end_of_row(p, separator, &is_last);
        if (is_last)
            break;
    }
    row->next = p + 1;
    row->lines++;
    return COHORT_CSV_CUT;
}
