/* SPDX-License-Identifier: BSD-3-Clause */
/* Names in files, for those who look before they read: the command's `data`, and programs that
 * ask for a file's columns. Nothing is kept open between calls, and only headers are read where
 * nothing else was asked for. */
#include "config.h"

#include <cohort/files.h>

#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/data/dataset/features.h"
#include "runtime/data/format/csv.h"
#include "runtime/data/format/example.h"
#include "runtime/data/format/npy_header.h"
#include "runtime/data/format/npz.h"

#include <string.h>

static cohort_status check_call(const char *call, const void *subject, const char *what,
                                cohort_name_fn fn)
{
    if (subject == NULL)
        return cohort_error_null(call, what);
    return fn == NULL ? cohort_error_null(call, "the callback") : COHORT_OK;
}

/* ---- NumPy */

/* What is done with each array of a file. */
typedef struct look {
    const cohort_file *file;
    bool is_whole; /* its elements are read too */
    cohort_name_fn fn;
    void *user;
} look;

static cohort_status read_rest(cohort_stream *stream, int64_t bytes)
{
    cohort_status status = cohort_stream_pass(stream, bytes);
    return status < 0 ? status : cohort_stream_finish(stream);
}

static cohort_status read_array(const look *l, const char *name, const cohort_extent *extent,
                                cohort_spec *out)
{
    cohort_npy_header header;
    cohort_stream *stream = NULL;
    cohort_status status = cohort_stream_open(l->file, name, extent, &stream);
    if (status >= 0)
        status = cohort_npy_header_read(stream, &header);
    if (status >= 0) {
        *out = (cohort_spec){ .dtype = header.array.dtype, .rank = header.array.rank };
        memcpy(out->shape, header.array.shape, sizeof out->shape);
        status = l->is_whole ? read_rest(stream, header.bytes) : COHORT_OK;
    }
    cohort_stream_close(stream);
    return status;
}

/* An array that cannot be read is no reason to be silent about those behind it. */
static cohort_status tell_member(const look *l, cohort_npz *npz, int index)
{
    cohort_spec spec;
    cohort_extent extent;
    const char *name = NULL;
    cohort_status status = cohort_npz_find_nth(npz, l->file, index, &name, &extent);
    if (status >= 0)
        status = read_array(l, name, &extent, &spec);
    /* a lack of memory is no fault of the member */
    if (status == COHORT_ENOMEM)
        return status;
    return l->fn(cohort_npz_name(npz, index), status >= 0 ? &spec : NULL, l->user);
}

static cohort_status tell_members(const look *l)
{
    cohort_npz *npz = NULL;
    cohort_status status = cohort_npz_open(l->file, &npz);
    for (int i = 0; status >= 0 && cohort_npz_name(npz, i) != NULL; i++)
        status = tell_member(l, npz, i);
    cohort_npz_close(npz);
    return status < 0 ? status : COHORT_OK;
}

/* A .npy file has one array, without a name. */
static cohort_status tell_only_array(const look *l)
{
    cohort_spec spec;
    cohort_extent whole = { .bytes = l->file->bytes, .packed_bytes = l->file->bytes };
    cohort_status status = read_array(l, l->file->path, &whole, &spec);
    if (status >= 0)
        status = l->fn("", &spec, l->user);
    return status < 0 ? status : COHORT_OK;
}

static cohort_status tell_arrays(const char *call, const char *path, bool is_whole,
                                 cohort_name_fn fn, void *user)
{
    cohort_file file;
    uint8_t first[2] = { 0 };
    cohort_status status = check_call(call, path, "the file", fn);
    if (status >= 0)
        status = cohort_file_open(path, &file);
    if (status < 0)
        return status;
    /* a file of fewer bytes is no zip file, and refused as no .npy file */
    if (file.bytes >= (int64_t)sizeof first)
        status = cohort_file_read(&file, 0, first, sizeof first);
    if (status >= 0) {
        const look l = { &file, is_whole, fn, user };
        status = memcmp(first, "PK", sizeof first) == 0 ? tell_members(&l) : tell_only_array(&l);
    }
    cohort_file_close(&file);
    return status;
}

cohort_status cohort_list_arrays(const char *file, cohort_name_fn fn, void *user)
{
    return tell_arrays("cohort_list_arrays", file, false, fn, user);
}

cohort_status cohort_check_arrays(const char *file, cohort_name_fn fn, void *user)
{
    return tell_arrays("cohort_check_arrays", file, true, fn, user);
}

/* ---- CSV */

static cohort_status tell_columns(const cohort_csv_schema *schema, cohort_name_fn fn, void *user)
{
    static const cohort_spec number = { .dtype = COHORT_F32 };
    cohort_status status = COHORT_OK;
    for (int i = 0; status >= 0 && i < schema->n; i++)
        status = fn(schema->names != NULL ? schema->names[i] : "", &number, user);
    return status;
}

cohort_status cohort_list_columns(const char *file, const cohort_csv_options *options,
                                  cohort_name_fn fn, void *user)
{
    cohort_csv *csv = NULL;
    cohort_csv_options all = { 0 };
    cohort_status status = check_call("cohort_list_columns", file, "the file", fn);
    if (options != NULL)
        all = *options;
    /* all columns of the file, whatever the options choose of them */
    all.components = NULL;
    all.n_components = 0;
    if (status >= 0)
        status = cohort_csv_open(file, &all, &csv);
    if (status >= 0)
        status = tell_columns(cohort_csv_schema_of(csv), fn, user);
    cohort_csv_close(csv);
    return status < 0 ? status : COHORT_OK;
}

/* Where texts go: the caller's function, and the text as it is meant. */
typedef struct telling {
    cohort_text_fn fn;
    void *user;
    char *text;
    size_t room;
} telling;

static cohort_status tell_text(telling *t, const cohort_csv_field *field)
{
    void *text = t->text;
    bool is_there = cohort_grow(&text, &t->room, field->bytes + 1, 1);
    t->text = text;
    if (!is_there)
        return cohort_error_memory("cohort_list_texts");
    size_t bytes = cohort_csv_field_copy(field, t->text);
    return t->fn(t->text, (int64_t)bytes, t->user);
}

/* Texts of several columns could not be told apart; a single one has rank 0
 * (format/csv_schema.h). */
static cohort_status check_column(cohort_csv *csv, const char *file, const char *column)
{
    if (cohort_csv_schema_of(csv)->parts[0].spec.rank == 0)
        return COHORT_OK;
    return cohort_error_set(COHORT_EINVAL,
                            "cohort_list_texts: %s: columns '%s'; expected one name or number",
                            file, column);
}

cohort_status cohort_list_texts(const char *file, const cohort_csv_options *options,
                                const char *column, cohort_text_fn fn, void *user)
{
    cohort_csv *csv = NULL;
    cohort_csv_field field;
    telling t = { .fn = fn, .user = user };
    cohort_csv_component one = { .columns = column, .dtype = COHORT_F32 };
    cohort_csv_options all = { 0 };
    if (file == NULL || column == NULL || fn == NULL)
        return cohort_error_null("cohort_list_texts", file == NULL     ? "the file"
                                                      : column == NULL ? "the column"
                                                                       : "the callback");
    if (options != NULL)
        all = *options;
    all.components = &one;
    all.n_components = 1;
    cohort_status status = cohort_csv_open(file, &all, &csv);
    if (status >= 0)
        status = check_column(csv, file, column);
    while (status == COHORT_OK && (status = cohort_csv_text(csv, 0, &field)) == COHORT_OK)
        status = tell_text(&t, &field);
    cohort_free(t.text);
    cohort_csv_close(csv);
    return status < 0 ? status : COHORT_OK;
}

/* ---- tf.Example */

typedef struct listing {
    cohort_name_fn fn;
    void *user;
} listing;

/* Strings are arrays of bytes: one has its length, several have lengths of their own. */
static cohort_spec spec_of_feature(char kind, int64_t count, int64_t size)
{
    if (kind != 'b')
        return (cohort_spec){ .dtype = kind == 'i' ? COHORT_I64 : COHORT_F32,
                              .rank = 1,
                              .shape = { count } };
    return count == 1 ? (cohort_spec){ .dtype = COHORT_U8, .rank = 1, .shape = { size } }
                      : (cohort_spec){ .dtype = COHORT_U8, .rank = 2, .shape = { count, -1 } };
}

/* The record's name has no zero byte behind it. */
static cohort_status tell_feature(const char *name, size_t name_bytes, char kind, int64_t count,
                                  int64_t size, void *user)
{
    const listing *l = user;
    const cohort_spec spec = spec_of_feature(kind, count, size);
    char *text = cohort_allocate(name_bytes + 1, 1);
    if (text == NULL)
        return cohort_error_memory("the name of a feature");
    if (name_bytes > 0)
        memcpy(text, name, name_bytes);
    cohort_status status = l->fn(text, &spec, l->user);
    cohort_free(text);
    return status;
}

cohort_status cohort_list_features(const void *record, int64_t bytes, cohort_name_fn fn, void *user)
{
    listing l = { fn, user };
    cohort_status status = check_call("cohort_list_features", record, "the record", fn);
    if (status >= 0 && bytes < 0)
        status = cohort_error_set(COHORT_EINVAL, "cohort_list_features: a record of %lld bytes",
                                  (long long)bytes);
    if (status < 0)
        return status;
    status = cohort_example_list(record, (size_t)bytes, tell_feature, &l, "cohort_list_features");
    return status < 0 ? status : COHORT_OK;
}

static cohort_status check_read(const char *call, const void *record, int64_t bytes,
                                const cohort_feature *feature, int64_t room,
                                const cohort_array *out)
{
    if (record == NULL)
        return cohort_error_null(call, "the record");
    if (feature == NULL || out == NULL)
        return cohort_error_null(call, feature == NULL ? "the feature" : "the array");
    if (bytes < 0 || room < 0)
        return cohort_error_set(COHORT_EINVAL, "%s: a record of %lld bytes, and room for %lld",
                                call, (long long)bytes, (long long)room);
    return room > 0 && out->data == NULL ? cohort_error_null(call, "the array's data") : COHORT_OK;
}

cohort_status cohort_read_feature(const void *record, int64_t bytes, const cohort_feature *feature,
                                  int64_t room, cohort_array *out)
{
    static const char call[] = "cohort_read_feature";
    cohort_feature *checked = NULL;
    size_t needed[1];
    cohort_status status = check_read(call, record, bytes, feature, room, out);
    if (status >= 0)
        status = cohort_features_copy(feature, 1, call, &checked);
    if (status < 0)
        return status;
    /* `out` stays as it is on failure */
    cohort_array found = { .data = out->data };
    status = cohort_example_decode(record, (size_t)bytes, checked, 1, &found,
                                   (const size_t[]){ (size_t)room }, needed, call);
    cohort_features_free(checked, 1);
    if (status >= 0)
        *out = found;
    return status;
}
