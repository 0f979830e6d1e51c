/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/data/format/csv_header.h"

#include "runtime/base/memory.h"
#include "runtime/data/format/csv_error.h"
#include "runtime/data/format/csv_number.h"

#include <string.h>

/* Several numbers with nothing but spaces between them, as numpy.savetxt writes them. */
static bool are_spaced_numbers(const uint8_t *p)
{
    static const char of_numbers[] = "0123456789+-.eE";
    int n = 0;
    for (p = cohort_csv_pass_spaces(p, ' '); *p != '\n' && *p != '\r';
         p = cohort_csv_pass_spaces(p, ' ')) {
        const uint8_t *start = p;
        bool has_digit = false;
        for (; memchr(of_numbers, *p, sizeof of_numbers - 1) != NULL; p++)
            has_digit = has_digit || (*p >= '0' && *p <= '9');
        if (p == start || !has_digit)
            return false;
        n++;
    }
    return n > 1;
}

uint8_t cohort_csv_find_separator(const uint8_t *p, const uint8_t *end)
{
    static const uint8_t separators[] = { ',', ';', '\t' };
    enum { N_SEPARATORS = sizeof separators };
    size_t counts[N_SEPARATORS] = { 0 };
    const uint8_t *line = p;
    bool is_quoted = false;
    int best = 0;
    for (; p < end && (is_quoted || *p != '\n'); p++) {
        is_quoted ^= *p == '"';
        for (int i = 0; i < N_SEPARATORS && !is_quoted; i++)
            counts[i] += *p == separators[i];
    }
    for (int i = 1; i < N_SEPARATORS; i++)
        best = counts[i] > counts[best] ? i : best;
    return counts[best] == 0 && are_spaced_numbers(line) ? ' ' : separators[best];
}

static bool is_space(uint8_t c)
{
    return c == ' ' || c == '\t';
}

cohort_csv_field cohort_csv_trim(cohort_csv_field field)
{
    while (field.bytes > 0 && is_space(*field.text)) {
        field.text++;
        field.bytes--;
    }
    while (field.bytes > 0 && is_space(field.text[field.bytes - 1]))
        field.bytes--;
    return field;
}

cohort_status cohort_csv_header_find(const cohort_csv_names *names, const cohort_csv_row *row,
                                     int64_t line, locale_t c_locale, bool *out_is_header)
{
    double unused;
    int word = -1;
    bool has_number = false;
    for (int i = 0; i < row->n_fields; i++) {
        cohort_csv_field field = cohort_csv_trim(row->fields[i]);
        cohort_csv_verdict verdict =
            cohort_csv_number(field.text, field.bytes, COHORT_F64, c_locale, &unused);
        has_number =
            has_number || (verdict != COHORT_CSV_NO_NUMBER && verdict != COHORT_CSV_MISSING);
        if (verdict == COHORT_CSV_NO_NUMBER && word < 0)
            word = i;
    }
    *out_is_header = word >= 0;
    return has_number && word >= 0 ? cohort_csv_refuse_first(names, line, row, word) : COHORT_OK;
}

/* Names go into messages, and so to terminals. */
static bool is_name(const char *name, size_t bytes)
{
    bool is_plain = true;
    for (size_t i = 0; i < bytes && is_plain; i++)
        is_plain = (uint8_t)name[i] >= ' ' ? name[i] != 0x7f
                                           : name[i] == '\t' || name[i] == '\n' || name[i] == '\r';
    return is_plain;
}

size_t cohort_csv_copy_text(const cohort_csv_field *field, char *name)
{
    size_t used = 0;
    for (size_t i = 0; i < field->bytes; i++) {
        name[used++] = (char)field->text[i];
        if (field->is_quoted && field->text[i] == '"')
            i++;
    }
    name[used] = '\0';
    return used;
}

cohort_status cohort_csv_names_read(cohort_csv_names *names, const cohort_csv_row *row,
                                    int64_t line)
{
    names->names = cohort_allocate((size_t)row->n_fields, sizeof *names->names);
    if (names->names == NULL)
        return cohort_error_memory(names->path);
    for (int i = 0; i < row->n_fields; i++) {
        cohort_csv_field field =
            row->fields[i].is_quoted ? row->fields[i] : cohort_csv_trim(row->fields[i]);
        char *name = names->names[i] = cohort_allocate(field.bytes + 1, 1);
        if (name == NULL)
            return cohort_error_memory(names->path);
        if (!is_name(name, cohort_csv_copy_text(&field, name)))
            return cohort_error_set(
                COHORT_EINVAL,
                "%s: line %lld, column %d (from 0): control characters in a name; expected text in "
                "UTF-8: is this a CSV file?",
                names->path, (long long)(line + field.line), i);
    }
    return COHORT_OK;
}

void cohort_csv_names_fini(cohort_csv_names *names)
{
    for (int i = 0; i < names->n && names->names != NULL; i++)
        cohort_free(names->names[i]);
    cohort_free(names->names);
    names->names = NULL;
}
