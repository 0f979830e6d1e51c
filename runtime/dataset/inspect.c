/* SPDX-License-Identifier: BSD-3-Clause */
/* Names in files, for those who look before they read. */
#include "config.h"

#include <cohort/files.h>

#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/dataset/source_features.h"
#include "runtime/format/csv.h"
#include "runtime/format/example.h"
#include "runtime/format/npy_header.h"
#include "runtime/format/npz.h"

#include <string.h>

static cohort_status check_call(const char *call, const void *subject, const char *what, cohort_name_fn fn)
{
    if (subject == NULL)
        return cohort_error_null(call, what);
    return fn == NULL ? cohort_error_null(call, "the callback") : COHORT_OK;
}

/* ---- NumPy */

static cohort_status read_spec(const cohort_file *file, const char *member, cohort_spec *out)
{
    cohort_npy_header header;
    cohort_extent extent;
    cohort_npz *npz = NULL;
    cohort_stream *stream = NULL;
    const char *name = NULL;
    cohort_status status = cohort_npz_locate(file, member, &npz, &name, &extent);
    if (status >= 0)
        status = cohort_stream_open(file, name, &extent, &stream);
    if (status >= 0)
        status = cohort_npy_header_read(stream, &header);
    if (status >= 0) {
        *out = (cohort_spec){ .dtype = header.array.dtype, .rank = header.array.rank };
        memcpy(out->shape, header.array.shape, sizeof out->shape);
    }
    cohort_stream_close(stream);
    cohort_npz_close(npz);
    return status;
}

/* An array that cannot be read is no reason to be silent about those behind it. */
static cohort_status tell_array(const cohort_file *file, const char *name, cohort_name_fn fn, void *user)
{
    cohort_spec spec;
    cohort_status status = read_spec(file, name, &spec);
    if (status == COHORT_ENOMEM)
        return status;
    return fn(name, status >= 0 ? &spec : NULL, user);
}

static cohort_status tell_members(const cohort_file *file, cohort_name_fn fn, void *user)
{
    cohort_npz *npz = NULL;
    cohort_status status = cohort_npz_open(file, &npz);
    const char *name;
    for (int i = 0; status >= 0 && (name = cohort_npz_name(npz, i)) != NULL; i++)
        status = tell_array(file, name, fn, user);
    cohort_npz_close(npz);
    return status < 0 ? status : COHORT_OK;
}

static cohort_status tell_only_array(const cohort_file *file, cohort_name_fn fn, void *user)
{
    cohort_spec spec;
    cohort_status status = read_spec(file, NULL, &spec);
    if (status >= 0)
        status = fn("", &spec, user);
    return status < 0 ? status : COHORT_OK;
}

cohort_status cohort_list_arrays(const char *path, cohort_name_fn fn, void *user)
{
    cohort_file file;
    uint8_t first[2] = { 0 };
    cohort_status status = check_call("cohort_list_arrays", path, "the file", fn);
    if (status >= 0)
        status = cohort_file_open(path, &file);
    if (status < 0)
        return status;
    if (file.bytes >= (int64_t)sizeof first)
        status = cohort_file_read(&file, 0, first, sizeof first);
    if (status >= 0) {
        bool is_zip = memcmp(first, "PK", sizeof first) == 0;
        status = is_zip ? tell_members(&file, fn, user) : tell_only_array(&file, fn, user);
    }
    cohort_file_close(&file);
    return status;
}

/* ---- CSV */

cohort_status cohort_list_columns(const char *file, const cohort_csv_options *options, cohort_name_fn fn, void *user)
{
    static const cohort_spec number = { .dtype = COHORT_F32 };
    cohort_csv *csv = NULL;
    cohort_csv_options all = { 0 };
    cohort_status status = check_call("cohort_list_columns", file, "the file", fn);
    if (options != NULL)
        all = *options;
    all.components = NULL;
    all.n_components = 0;
    if (status >= 0)
        status = cohort_csv_open(file, &all, &csv);
    for (int i = 0; status >= 0 && i < cohort_csv_columns(csv); i++) {
        const char *name = cohort_csv_column(csv, i);
        status = fn(name != NULL ? name : "", &number, user);
    }
    cohort_csv_close(csv);
    return status < 0 ? status : COHORT_OK;
}

/* ---- tf.Example */

typedef struct listing {
    cohort_name_fn fn;
    void *user;
} listing;

static cohort_spec spec_of_feature(char kind, int64_t count, int64_t size)
{
    if (kind != 'b')
        return (cohort_spec){ .dtype = kind == 'i' ? COHORT_I64 : COHORT_F32, .rank = 1, .shape = { count } };
    return count == 1 ? (cohort_spec){ .dtype = COHORT_U8, .rank = 1, .shape = { size } }
                      : (cohort_spec){ .dtype = COHORT_U8, .rank = 2, .shape = { count, -1 } };
}

/* The record's name has no zero byte behind it. */
static cohort_status tell_feature(const char *name, size_t name_bytes, char kind, int64_t count, int64_t size,
                                  void *user)
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
        status = cohort_error_set(COHORT_EINVAL, "cohort_list_features: a record of %lld bytes", (long long)bytes);
    if (status < 0)
        return status;
    status = cohort_example_list(record, (size_t)bytes, tell_feature, &l, "cohort_list_features");
    return status < 0 ? status : COHORT_OK;
}

static cohort_status check_read(const char *call, const void *record, int64_t bytes, const cohort_feature *feature,
                                int64_t room, const cohort_array *out)
{
    if (record == NULL)
        return cohort_error_null(call, "the record");
    if (feature == NULL || out == NULL)
        return cohort_error_null(call, feature == NULL ? "the feature" : "the array");
    if (bytes < 0 || room < 0)
        return cohort_error_set(COHORT_EINVAL, "%s: a record of %lld bytes, and room for %lld", call, (long long)bytes,
                                (long long)room);
    return room > 0 && out->data == NULL ? cohort_error_null(call, "the array's data") : COHORT_OK;
}

cohort_status cohort_read_feature(const void *record, int64_t bytes, const cohort_feature *feature, int64_t room,
                                  cohort_array *out)
{
    static const char call[] = "cohort_read_feature";
    cohort_feature *checked = NULL;
    size_t needed[1];
    cohort_status status = check_read(call, record, bytes, feature, room, out);
    if (status >= 0)
        status = cohort_features_copy(feature, 1, call, &checked);
    if (status < 0)
        return status;
    cohort_array found = { .data = out->data };
    status = cohort_example_decode(record, (size_t)bytes, checked, 1, &found, (const size_t[]){ (size_t)room }, needed,
                                   call);
    cohort_features_free(checked, 1);
    if (status >= 0)
        *out = found;
    return status;
}
