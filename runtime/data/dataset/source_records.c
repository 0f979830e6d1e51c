/* SPDX-License-Identifier: BSD-3-Clause */
/* Records of fixed length. In a plain file their number follows from its size; in a packed one
 * the end of the records is where only the footer is left, so a record is not given before what
 * follows it is there. */
#include "config.h"

#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/data/dataset/files.h"
#include "runtime/data/dataset/row_file.h"

#include <cohort/files.h>

static const char call[] = "cohort_dataset_records";

typedef struct records_settings {
    int64_t record, header, footer; /* bytes */
} records_settings;

typedef struct records_reader {
    cohort_reader head;
    const records_settings *settings;
    cohort_bytes *bytes;   /* of a packed file; NULL: it is not packed */
    cohort_row_file plain; /* where records are read that are not packed */
    int64_t next;
} records_reader;

static const cohort_reader_kind kind;

/* ---- Opening */

static void close_records(cohort_reader *reader)
{
    records_reader *r = (records_reader *)reader;
    cohort_bytes_close(r->bytes);
    cohort_row_file_close(&r->plain);
    cohort_free(r);
}

/* The file must divide exactly: a record more or less means that one of the three lengths is
 * wrong, and then every record would be cut in the wrong place. */
static cohort_status count_records(const records_settings *s, const char *path, int64_t bytes,
                                   int64_t *out)
{
    int64_t around = s->header + s->footer, left = bytes - around;
    if (left >= 0 && left % s->record == 0) {
        *out = left / s->record;
        return COHORT_OK;
    }
    return cohort_error_set(
        COHORT_EINVAL,
        "%s: it has %lld bytes; expected a header of %lld, a footer of %lld, and between them "
        "records of %lld: what is left over is %lld",
        path, (long long)bytes, (long long)s->header, (long long)s->footer, (long long)s->record,
        (long long)(left < 0 ? bytes : left % s->record));
}

/* A packed file is read through a window, which has room for one record and what may follow it. */
static cohort_status begin_packed(records_reader *r, const char *path)
{
    const records_settings *s = r->settings;
    if (s->record > COHORT_LIMIT_RECORD_BYTES || s->footer > COHORT_LIMIT_RECORD_BYTES)
        return cohort_error_set(
            COHORT_ENOTSUP,
            "%s: a packed file, of which records and footers of more than %d bytes are not read; "
            "unpack it with gunzip",
            path, (int)COHORT_LIMIT_RECORD_BYTES);
    return cohort_bytes_skip(r->bytes, s->header);
}

static cohort_status begin(records_reader *r, const char *path)
{
    int64_t rows = 0;
    const records_settings *s = r->settings;
    cohort_status status = cohort_bytes_open(path, COHORT_PACKING_AUTO, &r->bytes);
    if (status < 0)
        return status;
    if (cohort_bytes_is_packed(r->bytes))
        return begin_packed(r, path);
    status = count_records(s, path, cohort_bytes_left(r->bytes), &rows);
    cohort_bytes_close(r->bytes);
    r->bytes = NULL;
    return status < 0
               ? status
               : cohort_row_file_open(path, s->header, s->record, rows, s->footer, &r->plain);
}

static cohort_status open_records(const char *path, const void *settings,
                                  cohort_reader_layout *layout, cohort_reader **out)
{
    records_reader *r = cohort_reader_allocate(&kind, sizeof *r, path);
    if (r == NULL)
        return COHORT_ENOMEM;
    r->settings = settings;
    r->plain.file.fd = -1;
    cohort_status status = begin(r, path);
    if (status < 0) {
        close_records(&r->head);
        return status;
    }
    layout->n = 1;
    layout->specs[0] =
        (cohort_spec){ .dtype = COHORT_U8, .rank = 1, .shape = { r->settings->record } };
    layout->is_indexed = r->bytes == NULL;
    layout->rows = layout->is_indexed ? r->plain.rows : COHORT_UNKNOWN;
    *out = &r->head;
    return COHORT_OK;
}

/* ---- Reading */

static cohort_status read_packed(records_reader *r, int64_t n, void *into, int64_t *out_rows)
{
    const records_settings *s = r->settings;
    int64_t left = 0;
    cohort_status status =
        cohort_row_file_read_packed(r->bytes, s->record, s->footer, n, into, out_rows, &left);
    r->next += *out_rows;
    if (status < 0 || *out_rows == n || left == s->footer)
        return status;
    return cohort_error_set(
        COHORT_EINVAL,
        "%s: unpacked byte %lld: %lld bytes are left behind record %lld; expected a footer of %lld "
        "bytes, or one more record of %lld before it",
        cohort_bytes_path(r->bytes), (long long)cohort_bytes_at(r->bytes), (long long)left,
        (long long)r->next, (long long)s->footer, (long long)s->record);
}

static int64_t records_left(const records_reader *r, int64_t n)
{
    int64_t left = r->plain.rows - r->next;
    return n < left ? n : left;
}

static cohort_status copy_records(cohort_reader *reader, int64_t n, void *const into[],
                                  int64_t *out_rows)
{
    records_reader *r = (records_reader *)reader;
    if (r->bytes != NULL)
        return read_packed(r, n, into[0], out_rows);
    cohort_status status =
        cohort_row_file_read(&r->plain, r->next, records_left(r, n), into[0], out_rows);
    r->next += *out_rows;
    return status;
}

static cohort_status skip_records(cohort_reader *reader, int64_t n, int64_t *out_passed)
{
    records_reader *r = (records_reader *)reader;
    if (r->bytes != NULL)
        return read_packed(r, n, NULL, out_passed);
    *out_passed = records_left(r, n);
    r->next += *out_passed;
    return COHORT_OK;
}

static cohort_status at_record(cohort_reader *reader, int64_t index, void *const into[])
{
    int64_t rows = 0;
    return cohort_row_file_read(&((records_reader *)reader)->plain, index, 1, into[0], &rows);
}

/* ---- Making */

static void describe_records(const void *settings, FILE *out)
{
    const records_settings *s = settings;
    (void)fprintf(out, ", %lld bytes", (long long)s->record);
    if (s->header > 0)
        (void)fprintf(out, ", header %lld", (long long)s->header);
    if (s->footer > 0)
        (void)fprintf(out, ", footer %lld", (long long)s->footer);
}

static const cohort_dataset_kind node = COHORT_FILES_KIND("records");

static const cohort_reader_kind kind = { .node = &node,
                                         .call = call,
                                         .is_counted = true,
                                         .open = open_records,
                                         .close = close_records,
                                         .copy = copy_records,
                                         .skip = skip_records,
                                         .at = at_record,
                                         .describe = describe_records,
                                         .free_settings = cohort_free };

static cohort_status check_settings(const records_settings *s)
{
    int64_t all = 0;
    if (s->record < 1)
        return cohort_error_number(s->record, "%s: records of %lld bytes; expected 1 or more", call,
                                   (long long)s->record);
    if (s->header < 0 || s->footer < 0 || __builtin_add_overflow(s->header, s->footer, &all) ||
        __builtin_add_overflow(all, s->record, &all))
        return cohort_error_number(
            s->header < 0 ? s->header : s->footer,
            "%s: a header of %lld bytes and a footer of %lld; expected 0 or more, and no more than "
            "a file can have",
            call, (long long)s->header, (long long)s->footer);
    return COHORT_OK;
}

cohort_dataset *cohort_dataset_records(const char *const files[], int n, int64_t record_bytes,
                                       int64_t header_bytes, int64_t footer_bytes)
{
    records_settings *s = cohort_allocate(1, sizeof *s);
    if (s == NULL) {
        (void)cohort_error_memory(call);
        return cohort_handle_made(COHORT_HANDLE_DATASET, NULL);
    }
    *s = (records_settings){ record_bytes, header_bytes, footer_bytes };
    if (check_settings(s) >= 0)
        return cohort_files_make(&kind, files, n, s);
    cohort_free(s);
    return cohort_handle_made(COHORT_HANDLE_DATASET, NULL);
}
