/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows are cut in the window of the file and converted there: no row is copied. A row that is
 * not all in the window is cut again with twice as much to look at, so the time is that of
 * reading it once or twice, whatever its length. */
#include "config.h"

#include "runtime/data/format/csv.h"

#include "runtime/base/dtype.h"
#include "runtime/base/limits.h"
#include "runtime/base/memory.h"
#include "runtime/data/format/bytes.h"
#include "runtime/data/format/csv_error.h"
#include "runtime/data/format/csv_spelling.h"

#include <string.h>

struct cohort_csv {
    cohort_bytes *bytes;
    cohort_csv_schema schema;
    cohort_csv_row row; /* the next one, or the latest */
    uint8_t separator;  /* 0: not known before the first row */
    bool has_missing;
    double missing;
    locale_t c_locale;
};

/* ---- One row */

static cohort_status refuse_length(const cohort_csv *csv)
{
    return cohort_error_set(
        COHORT_EINVAL,
        "%s: line %lld: a row of more than %d bytes begins here, at byte %lld; expected the end of "
        "the line before: close a quote that is open, or make the row shorter",
        csv->schema.path, (long long)csv->row.line, COHORT_LIMIT_LINE_BYTES,
        (long long)cohort_bytes_at(csv->bytes));
}

/* Cut the next row or blank line, which is looked at until all of it is there. Nothing is passed
 * over. COHORT_END behind the last; *out_cut: what it is. */
static cohort_status cut_row(cohort_csv *csv, cohort_csv_cut *out_cut)
{
    cohort_csv_row *row = &csv->row;
    /* Twice as much each time. Cutting starts at the beginning of the row again, since a window
     * that grows moves. */
    for (size_t wanted = 1, there;; wanted = 2 * there) {
        cohort_status status = cohort_bytes_need(csv->bytes, wanted, &row->at, &there);
        if (status < 0 || there == 0)
            return status < 0 ? status : COHORT_END;
        row->end = row->at + there;
        row->is_rest = there < wanted;
        row->separator = csv->separator != 0 ? csv->separator : cohort_csv_row_separator(row);
        *out_cut = cohort_csv_row_cut(row);
        bool is_known = *out_cut != COHORT_CSV_CUT_MORE;
        /* A quote that is never closed would take the rest of a file of any size into memory. */
        if ((is_known ? row->bytes : there) > COHORT_LIMIT_LINE_BYTES)
            return refuse_length(csv);
        if (is_known || row->is_rest)
            break;
    }
    /* The first row that is no blank line decides about the separator, for all rows. */
    if (*out_cut != COHORT_CSV_CUT_BLANK)
        csv->separator = row->separator;
    return COHORT_OK;
}

static void pass_row(cohort_csv *csv)
{
    cohort_bytes_take(csv->bytes, csv->row.bytes);
    csv->row.line += csv->row.lines;
}

/* Cut the next row that is no blank line. */
static cohort_status find_row(cohort_csv *csv, cohort_csv_cut *out_cut)
{
    cohort_status status = cut_row(csv, out_cut);
    while (status == COHORT_OK && *out_cut == COHORT_CSV_CUT_BLANK) {
        pass_row(csv);
        status = cut_row(csv, out_cut);
    }
    return status;
}

/* Some programs write a separator behind each row, which begins no field. */
static bool ends_with_separator(const cohort_csv_row *row)
{
    const cohort_csv_field *last = &row->fields[row->n_fields - 1];
    return row->n_fields > 1 && !last->is_quoted && cohort_csv_field_trim(last).bytes == 0;
}

/* A row that was found, with as many fields as the file has columns; one more is left out when
 * nothing is in it. */
static cohort_status check_row(cohort_csv *csv, cohort_csv_cut cut)
{
    cohort_csv_row *row = &csv->row;
    if (cut == COHORT_CSV_CUT)
        row->n_fields -= row->n_fields == csv->schema.n + 1 && ends_with_separator(row);
    return cut == COHORT_CSV_CUT && row->n_fields == csv->schema.n
               ? COHORT_OK
               : cohort_csv_error_row(&csv->schema, row, cut);
}

/* ---- Open */

/* A byte order mark of UTF-8 is passed over; UTF-16 has one of its own, and zero bytes in each
 * digit. */
static cohort_status pass_mark(cohort_csv *csv)
{
    const uint8_t *p;
    size_t there;
    cohort_status status = cohort_bytes_need(csv->bytes, 3, &p, &there);
    if (status >= 0 && there >= 2 &&
        (memcmp(p, "\xff\xfe", 2) == 0 || memcmp(p, "\xfe\xff", 2) == 0))
        return cohort_error_set(COHORT_EINVAL,
                                "%s: byte 0: text in UTF-16; expected UTF-8: iconv -f UTF-16 "
                                "-t UTF-8 converts it",
                                csv->schema.path);
    if (status >= 0 && there >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0)
        cohort_bytes_take(csv->bytes, 3);
    return status;
}

static cohort_status find_first_row(cohort_csv *csv)
{
    cohort_csv_cut cut;
    cohort_status status = pass_mark(csv);
    if (status >= 0)
        status = find_row(csv, &cut);
    if (status == COHORT_END)
        return cohort_error_set(
            COHORT_EINVAL,
            "%s: line %lld: the file has no row; expected numbers, or names of columns",
            csv->schema.path, (long long)csv->row.line);
    return status < 0 || cut == COHORT_CSV_CUT ? status
                                               : cohort_csv_error_row(&csv->schema, &csv->row, cut);
}

/* The fields of a first row: the column of the first word, and of the first value that is not read
 * as a number; -1 for none. */
typedef struct first_row {
    int word, spelled;
    bool has_number;
} first_row;

static first_row look_at_first_row(const cohort_csv *csv)
{
    double unused;
    first_row found = { .word = -1, .spelled = -1 };
    for (int i = 0; i < csv->row.n_fields; i++) {
        const cohort_csv_field *field = &csv->row.fields[i];
        cohort_csv_verdict verdict =
            cohort_csv_field_number(field, COHORT_F64, csv->c_locale, &unused);
        bool is_read = verdict != COHORT_CSV_NO_NUMBER && verdict != COHORT_CSV_MISSING;
        found.has_number = found.has_number || is_read;
        if (verdict == COHORT_CSV_NO_NUMBER && found.word < 0)
            found.word = i;
        if (!is_read && found.spelled < 0 && cohort_csv_is_spelled_value(field))
            found.spelled = i;
    }
    return found;
}

/* Whether the first row is one of names: what of its fields is not missing is no number.
 * COHORT_EINVAL where some of them are words and others numbers, in whatever spelling, or stand for
 * a missing one: names, a mistake, or a row of data, which only who made the file knows. */
static cohort_status look_for_header(const cohort_csv *csv, bool *out_is_header)
{
    first_row found = look_at_first_row(csv);
    *out_is_header = found.word >= 0;
    if (found.word >= 0 && found.has_number)
        return cohort_csv_error_header(&csv->schema, &csv->row, found.word);
    return found.word >= 0 && found.spelled >= 0
               ? cohort_csv_error_spelling(&csv->schema, &csv->row, found.spelled)
               : COHORT_OK;
}

/* Names of columns, or their number. An empty field behind them is a column only where it may be a
 * missing value. */
static cohort_status read_header(cohort_csv *csv, cohort_csv_header header)
{
    bool is_header = header == COHORT_CSV_HEADER_FIRST_ROW;
    cohort_status status =
        header == COHORT_CSV_HEADER_AUTO ? look_for_header(csv, &is_header) : COHORT_OK;
    csv->row.n_fields -= ends_with_separator(&csv->row) && (is_header || !csv->has_missing);
    csv->schema.n = csv->row.n_fields;
    if (status >= 0 && is_header) {
        status = cohort_csv_schema_name(&csv->schema, &csv->row);
        pass_row(csv);
    }
    return status;
}

static cohort_status open_file(const char *path, const cohort_csv_options *options, cohort_csv *csv)
{
    static const cohort_csv_options defaults = { .header = COHORT_CSV_HEADER_AUTO };
    cohort_status status = cohort_csv_schema_check(path, options);
    if (status >= 0)
        status = cohort_bytes_open(path, COHORT_PACKING_AUTO, &csv->bytes);
    if (status < 0)
        return status;
    options = options != NULL ? options : &defaults;
    /* the path of the caller may go, that of `bytes` stays */
    csv->schema.path = cohort_bytes_path(csv->bytes);
    csv->row.line = 1;
    csv->separator = (uint8_t)options->separator;
    csv->has_missing = options->has_missing;
    csv->missing = options->missing;
    /* The program may have set a locale in which numbers have a decimal comma. */
    csv->c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (csv->c_locale == (locale_t)0)
        return cohort_error_memory(path);
    status = find_first_row(csv);
    if (status >= 0)
        status = read_header(csv, options->header);
    return status < 0 ? status : cohort_csv_schema_select(&csv->schema, options);
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
    cohort_csv_schema_fini(&csv->schema);
    cohort_csv_row_fini(&csv->row);
    cohort_bytes_close(csv->bytes);
    if (csv->c_locale != (locale_t)0)
        freelocale(csv->c_locale);
    cohort_free(csv);
}

const cohort_csv_schema *cohort_csv_schema_of(const cohort_csv *csv)
{
    return &csv->schema;
}

/* ---- Rows */

/* The numbers of one part from the row that was cut, as element `row` of what is at `into`. */
static cohort_status convert_part(const cohort_csv *csv, const cohort_csv_part *part, char *into,
                                  int64_t row)
{
    cohort_dtype dtype = part->spec.dtype;
    size_t bytes = (size_t)cohort_dtype_bytes(dtype);
    into += (size_t)row * (size_t)part->n * bytes;
    for (int i = 0; i < part->n; i++, into += bytes) {
        const cohort_csv_field *field = &csv->row.fields[part->columns[i]];
        cohort_csv_verdict verdict = cohort_csv_field_number(field, dtype, csv->c_locale, into);
        if (verdict == COHORT_CSV_MISSING && csv->has_missing && !cohort_dtype_is_integer(dtype))
            cohort_csv_real_store(csv->missing, dtype, into);
        else if (verdict != COHORT_CSV_NUMBER)
            return cohort_csv_error_field(&csv->schema, &csv->row, part->columns[i], dtype,
                                          verdict);
    }
    return COHORT_OK;
}

/* It is known where the next row begins, so this one can be passed over. */
static bool is_passable(cohort_csv_cut cut)
{
    return cut != COHORT_CSV_CUT_MORE && cut != COHORT_CSV_CUT_NO_MEMORY;
}

cohort_status cohort_csv_rows(cohort_csv *csv, int64_t max, void *const out[], int64_t *out_rows,
                              bool *can_go_on)
{
    cohort_csv_cut cut;
    *can_go_on = true;
    for (*out_rows = 0; *out_rows < max; ++*out_rows) {
        cohort_status status = find_row(csv, &cut);
        *can_go_on = status >= 0 && (status == COHORT_END || is_passable(cut));
        if (status != COHORT_OK)
            return status < 0 ? status : COHORT_OK;
        status = check_row(csv, cut);
        for (int i = 0; i < csv->schema.n_parts && status >= 0; i++)
            status = convert_part(csv, &csv->schema.parts[i], out[i], *out_rows);
        if (*can_go_on)
            pass_row(csv);
        if (status < 0)
            return status;
    }
    return COHORT_OK;
}

cohort_status cohort_csv_text(cohort_csv *csv, int part, cohort_csv_field *out)
{
    cohort_csv_cut cut;
    cohort_status status = find_row(csv, &cut);
    if (status == COHORT_OK)
        status = check_row(csv, cut);
    if (status != COHORT_OK)
        return status;
    *out = cohort_csv_field_trim(&csv->row.fields[csv->schema.parts[part].columns[0]]);
    pass_row(csv);
    return COHORT_OK;
}

/* A line without quotes is a row, or blank: its fields need not be cut. false: the row is
 * another. */
static bool skip_line(cohort_csv *csv, int64_t *skipped)
{
    enum { NEAR = 8192 }; /* bytes: where lines end with \r no \n is looked for any further */
    const uint8_t *at, *end = NULL;
    size_t there;
    if (cohort_bytes_need(csv->bytes, 1, &at, &there) >= 0 && there > 0 && csv->separator != ' ')
        end = memchr(at, '\n', there < NEAR ? there : NEAR);
    if (end == NULL || memchr(at, '"', (size_t)(end - at)) != NULL)
        return false;
    const uint8_t *back = memchr(at, '\r', (size_t)(end - at));
    if (back != NULL && back + 1 < end)
        return false;
    *skipped += (back != NULL ? back : end) > at;
    cohort_bytes_take(csv->bytes, (size_t)(end + 1 - at));
    csv->row.line++;
    return true;
}

cohort_status cohort_csv_skip(cohort_csv *csv, int64_t n, int64_t *out_skipped)
{
    cohort_csv_cut cut;
    for (*out_skipped = 0; *out_skipped < n;) {
        if (skip_line(csv, out_skipped))
            continue;
        cohort_status status = find_row(csv, &cut);
        if (status != COHORT_OK)
            return status < 0 ? status : COHORT_OK;
        if (!is_passable(cut))
            return cohort_csv_error_row(&csv->schema, &csv->row, cut);
        pass_row(csv);
        ++*out_skipped;
    }
    return COHORT_OK;
}
