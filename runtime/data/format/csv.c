/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/data/format/csv.h"

#include "runtime/base/memory.h"
#include "runtime/data/format/csv_block.h"
#include "runtime/data/format/csv_error.h"
#include "runtime/data/format/csv_header.h"
#include "runtime/data/format/csv_plan.h"

#include <string.h>

struct cohort_csv {
    cohort_csv_block block;
    cohort_csv_names names;
    cohort_csv_plan plan;
    cohort_csv_row row; /* the last one that was cut */
    int64_t line;       /* the number of the line at block.at */
    uint8_t separator;
    bool has_header, has_missing;
    double missing;
    locale_t c_locale;
};

/* ---- One row */

/* Cut the row at block.at, with as many more lines as it takes. Nothing is passed over yet.
 * *out_cut: what it is. */
static cohort_status cut_row(cohort_csv *csv, cohort_csv_cut *out_cut)
{
    cohort_status status = COHORT_OK;
    for (;;) {
        const cohort_csv_block *block = &csv->block;
        *out_cut = cohort_csv_row_cut(&csv->row, block->at, block->end, csv->separator);
        if (*out_cut != COHORT_CSV_CUT_MORE)
            return COHORT_OK;
        cohort_status why = cohort_csv_refuse_cut(&csv->names, csv->line, &csv->row, *out_cut);
        status = cohort_csv_block_more(&csv->block, csv->line);
        if (status != COHORT_OK)
            return status == COHORT_END ? why : status;
    }
}

static void pass_row(cohort_csv *csv)
{
    csv->block.at = csv->row.next;
    csv->line += csv->row.lines;
}

/* Lines to read; COHORT_END behind the last. */
static cohort_status have_lines(cohort_csv *csv)
{
    return csv->block.at < csv->block.end ? COHORT_OK
                                          : cohort_csv_block_fill(&csv->block, csv->line);
}

/* ---- Open */

static cohort_status refuse_empty(const cohort_csv *csv)
{
    return cohort_error_set(
        COHORT_EINVAL, "%s: line %lld: the file has no row; expected numbers, or names of columns",
        csv->names.path, (long long)csv->line);
}

/* UTF-16 has a mark of its own, and zero bytes in each digit. */
static cohort_status check_encoding(const cohort_csv *csv)
{
    const uint8_t *p = csv->block.at;
    bool is_wide = csv->block.end - p >= 2 &&
                   ((p[0] == 0xff && p[1] == 0xfe) || (p[0] == 0xfe && p[1] == 0xff));
    return is_wide ? cohort_error_set(COHORT_EINVAL,
                                      "%s: byte 0: text in UTF-16; expected UTF-8: iconv -f UTF-16 "
                                      "-t UTF-8 converts it",
                                      csv->names.path)
                   : COHORT_OK;
}

/* Which line ends are in quotes depends on the separator: look again where there are such. */
static cohort_status separate(cohort_csv *csv)
{
    bool is_known = csv->block.separator == csv->separator;
    csv->block.separator = csv->separator;
    return is_known || csv->block.copy == NULL ? COHORT_OK
                                               : cohort_csv_block_fill(&csv->block, csv->line);
}

/* Cut the first line that is not blank: the separator is found out there. */
static cohort_status find_first_row(cohort_csv *csv, bool has_separator)
{
    cohort_csv_cut cut = COHORT_CSV_CUT_BLANK;
    cohort_status status = cohort_csv_block_rewind(&csv->block);
    if (status == COHORT_OK)
        status = check_encoding(csv);
    while (status == COHORT_OK) {
        if (!has_separator)
            csv->separator = cohort_csv_find_separator(csv->block.at, csv->block.end);
        status = separate(csv);
        if (status == COHORT_OK)
            status = cut_row(csv, &cut);
        if (status < 0 || cut != COHORT_CSV_CUT_BLANK)
            break;
        pass_row(csv);
        status = have_lines(csv);
    }
    if (status == COHORT_END)
        return refuse_empty(csv);
    return status < 0 || cut == COHORT_CSV_CUT
               ? status
               : cohort_csv_refuse_cut(&csv->names, csv->line, &csv->row, cut);
}

/* Some programs write a separator behind each row, which begins no field. */
static bool ends_with_separator(const cohort_csv_row *row)
{
    const cohort_csv_field *last = &row->fields[row->n_fields - 1];
    return row->n_fields > 1 && !last->is_quoted && cohort_csv_trim(*last).bytes == 0;
}

/* A row with one field too many that is nothing. */
static void leave_end_out(cohort_csv *csv)
{
    csv->row.n_fields -= csv->row.n_fields == csv->names.n + 1 && ends_with_separator(&csv->row);
}

/* Names of columns, or their number. What is empty behind them is a column only where it may be a
 * missing value. */
static cohort_status read_header(cohort_csv *csv, cohort_csv_header header)
{
    cohort_status status = COHORT_OK;
    csv->has_header = header == COHORT_CSV_HEADER_FIRST_ROW;
    if (header == COHORT_CSV_HEADER_AUTO)
        status = cohort_csv_header_find(&csv->names, &csv->row, csv->line, csv->c_locale,
                                        &csv->has_header);
    csv->row.n_fields -= ends_with_separator(&csv->row) && (csv->has_header || !csv->has_missing);
    csv->names.n = csv->row.n_fields;
    if (status < 0 || !csv->has_header)
        return status;
    status = cohort_csv_names_read(&csv->names, &csv->row, csv->line);
    if (status >= 0)
        pass_row(csv);
    return status;
}

static cohort_status open_file(const char *path, const cohort_csv_options *options, cohort_csv *csv)
{
    csv->names.path = path;
    csv->line = 1;
    cohort_status status = cohort_csv_options_check(path, options);
    if (status >= 0)
        status = cohort_bytes_open(path, COHORT_PACKING_AUTO, &csv->block.bytes);
    if (status < 0)
        return status;
    csv->names.path = cohort_bytes_path(csv->block.bytes);
    csv->c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (csv->c_locale == (locale_t)0)
        return cohort_error_memory(path);
    if (options != NULL) {
        csv->separator = (uint8_t)options->separator;
        csv->has_missing = options->has_missing;
        csv->missing = options->missing;
    }
    status = find_first_row(csv, csv->separator != 0);
    if (status >= 0)
        status = read_header(csv, options != NULL ? options->header : COHORT_CSV_HEADER_AUTO);
    return status < 0 ? status : cohort_csv_plan_find(&csv->names, options, &csv->plan);
}

cohort_status cohort_csv_open(const char *path, const cohort_csv_options *options, cohort_csv **out)
{
    cohort_csv *csv = cohort_allocate(1, sizeof *csv);
    cohort_status status = csv != NULL ? open_file(path, options, csv) : cohort_error_memory(path);
    if (status < 0) {
        cohort_csv_close(csv);
        csv = NULL;
    }
    *out = csv;
    return status;
}

void cohort_csv_close(cohort_csv *csv)
{
    if (csv == NULL)
        return;
    cohort_csv_plan_fini(&csv->plan);
    cohort_csv_names_fini(&csv->names);
    cohort_csv_row_fini(&csv->row);
    cohort_csv_block_fini(&csv->block);
    if (csv->c_locale != (locale_t)0)
        freelocale(csv->c_locale);
    cohort_free(csv);
}

cohort_status cohort_csv_rewind(cohort_csv *csv)
{
    csv->line = 1;
    cohort_status status = find_first_row(csv, true);
    leave_end_out(csv);
    if (status >= 0 && csv->row.n_fields != csv->names.n)
        status = cohort_error_set(
            COHORT_EINVAL,
            "%s: line %lld: the first row has changed since the file was opened: do not write to "
            "files that are read",
            csv->names.path, (long long)csv->line);
    if (status >= 0 && csv->has_header)
        pass_row(csv);
    return status;
}

int cohort_csv_components(const cohort_csv *csv)
{
    return csv->plan.n_parts;
}

cohort_spec cohort_csv_spec(const cohort_csv *csv, int component)
{
    return csv->plan.parts[component].spec;
}

const char *cohort_csv_column(const cohort_csv *csv, int column)
{
    return csv->names.names != NULL && column >= 0 && column < csv->names.n
               ? csv->names.names[column]
               : NULL;
}

int cohort_csv_columns(const cohort_csv *csv)
{
    return csv->names.n;
}

/* ---- Rows */

/* A missing value, where the caller has one for it. */
static cohort_csv_verdict fill_in(const cohort_csv *csv, cohort_dtype dtype, void *into)
{
    float single = (float)csv->missing;
    if (!csv->has_missing || (dtype != COHORT_F32 && dtype != COHORT_F64))
        return COHORT_CSV_MISSING;
    if (dtype == COHORT_F32)
        memcpy(into, &single, sizeof single);
    else
        memcpy(into, &csv->missing, sizeof csv->missing);
    return COHORT_CSV_NUMBER;
}

/* The numbers of one component from the row that was cut. */
static cohort_status convert_part(const cohort_csv *csv, const cohort_csv_part *part, char *into)
{
    cohort_dtype dtype = part->spec.dtype;
    for (int i = 0; i < part->n; i++, into += part->item_bytes) {
        cohort_csv_field field = cohort_csv_trim(csv->row.fields[part->columns[i]]);
        cohort_csv_verdict verdict =
            cohort_csv_number(field.text, field.bytes, dtype, csv->c_locale, into);
        if (verdict == COHORT_CSV_MISSING)
            verdict = fill_in(csv, dtype, into);
        if (verdict != COHORT_CSV_NUMBER)
            return cohort_csv_refuse_field(&csv->names, csv->line, &csv->row, part->columns[i],
                                           dtype, verdict);
    }
    return COHORT_OK;
}

static cohort_status convert_row(cohort_csv *csv, void *const out[], int64_t row)
{
    cohort_status status = COHORT_OK;
    leave_end_out(csv);
    if (csv->row.n_fields != csv->names.n)
        return cohort_csv_refuse_count(&csv->names, csv->line, &csv->row);
    for (int i = 0; i < csv->plan.n_parts && status >= 0; i++) {
        const cohort_csv_part *part = &csv->plan.parts[i];
        status = convert_part(csv, part, (char *)out[i] + (size_t)row * part->row_bytes);
    }
    return status;
}

/* The row at block.at, whatever is in it. After an error in the row itself it is passed over. */
static cohort_status read_row(cohort_csv *csv, void *const out[], int64_t *rows, bool *can_go_on)
{
    cohort_csv_cut cut;
    cohort_status status = cut_row(csv, &cut);
    if (status < 0)
        return status;
    *can_go_on = cut != COHORT_CSV_CUT_NO_MEMORY;
    if (cut == COHORT_CSV_CUT)
        status = convert_row(csv, out, *rows);
    else if (cut != COHORT_CSV_CUT_BLANK)
        status = cohort_csv_refuse_cut(&csv->names, csv->line, &csv->row, cut);
    *rows += status >= 0 && cut == COHORT_CSV_CUT;
    if (*can_go_on)
        pass_row(csv);
    return status;
}

cohort_status cohort_csv_rows(cohort_csv *csv, int64_t max, void *const out[], int64_t *out_rows,
                              bool *can_go_on)
{
    cohort_status status = COHORT_OK;
    *out_rows = 0;
    *can_go_on = false;
    while (*out_rows < max && status == COHORT_OK) {
        *can_go_on = false;
        status = have_lines(csv);
        if (status != COHORT_OK)
            break;
        status = read_row(csv, out, out_rows, can_go_on);
    }
    *can_go_on = status < 0 ? *can_go_on : true;
    return status < 0 ? status : COHORT_OK;
}

/* ---- Texts */

/* The next line that is no blank one, cut. */
static cohort_status find_row(cohort_csv *csv)
{
    for (cohort_csv_cut cut = COHORT_CSV_CUT_BLANK;; pass_row(csv)) {
        cohort_status status = have_lines(csv);
        if (status == COHORT_OK)
            status = cut_row(csv, &cut);
        if (status != COHORT_OK || cut == COHORT_CSV_CUT)
            return status;
        if (cut != COHORT_CSV_CUT_BLANK)
            return cohort_csv_refuse_cut(&csv->names, csv->line, &csv->row, cut);
    }
}

cohort_status cohort_csv_text(cohort_csv *csv, int component, cohort_csv_field *out)
{
    cohort_status status = find_row(csv);
    if (status != COHORT_OK)
        return status;
    leave_end_out(csv);
    if (csv->row.n_fields != csv->names.n)
        return cohort_csv_refuse_count(&csv->names, csv->line, &csv->row);
    *out = cohort_csv_trim(csv->row.fields[csv->plan.parts[component].columns[0]]);
    pass_row(csv);
    return COHORT_OK;
}

/* ---- Skip */

/* A row without quotes is a line. */
static cohort_status pass_one(cohort_csv *csv, int64_t *skipped)
{
    cohort_csv_cut cut = COHORT_CSV_CUT_BLANK;
    const uint8_t *p = csv->block.at, *end = memchr(p, '\n', (size_t)(csv->block.end - p));
    if (memchr(p, '"', (size_t)(end - p)) == NULL) {
        *skipped += !cohort_csv_is_blank(p, csv->separator);
        csv->block.at = end + 1;
        csv->line++;
        return COHORT_OK;
    }
    cohort_status status = cut_row(csv, &cut);
    if (status < 0)
        return status;
    if (cut == COHORT_CSV_CUT_NO_MEMORY)
        return cohort_csv_refuse_cut(&csv->names, csv->line, &csv->row, cut);
    *skipped += cut != COHORT_CSV_CUT_BLANK;
    pass_row(csv);
    return COHORT_OK;
}

cohort_status cohort_csv_skip(cohort_csv *csv, int64_t n, int64_t *out_skipped)
{
    cohort_status status = COHORT_OK;
    *out_skipped = 0;
    while (*out_skipped < n && status == COHORT_OK) {
        status = have_lines(csv);
        if (status == COHORT_OK)
            status = pass_one(csv, out_skipped);
    }
    return status < 0 ? status : COHORT_OK;
}
