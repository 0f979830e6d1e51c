/* SPDX-License-Identifier: BSD-3-Clause */
/* Members of a .npz file as tensors of a checkpoint. All headers are read first, so that what
 * cannot be is told before anything is written; the elements of one member after the other follow.
 */
#include "config.h"

#include "runtime/checkpoint/convert.h"

#include "runtime/base/array.h"
#include "runtime/base/byte_order.h"
#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/checkpoint/tensor.h"
#include "runtime/data/format/crc.h"
#include "runtime/data/format/elements.h"
#include "runtime/data/format/json_reader.h"
#include "runtime/data/format/npz.h"
#include "runtime/data/format/replacement.h"

#include <string.h>

typedef struct import {
    cohort_file file;
    cohort_npz *npz;
    cohort_tensors_layout layout;
    int *members; /* by the index of a tensor, as it was added: which array of the file it is */
    bool has_format;
} import;

/* ------------------------------------------------------------------ members */

/* The stream of an array, behind its header. *out: the caller's, also after a failure. */
static cohort_status open_member(import *in, int index, cohort_stream **out,
                                 cohort_npy_header *header)
{
    cohort_extent extent;
    const char *name;
    *out = NULL;
    cohort_status status = cohort_npz_find_nth(in->npz, &in->file, index, &name, &extent);
    if (status >= 0)
        status = cohort_stream_open(&in->file, name, &extent, out);
    return status < 0 ? status : cohort_npy_header_read_any(*out, header);
}

/* All of an array, row-major and in this machine's byte order. *out_data is the caller's, by
 * cohort_free; NULL after a failure. */
static cohort_status read_member(import *in, int index, cohort_npy_header *header, void **out_data)
{
    cohort_stream *stream;
    *out_data = NULL;
    cohort_status status = open_member(in, index, &stream, header);
    if (status >= 0)
        status = cohort_elements_read(stream, header, out_data);
    if (status >= 0)
        status = cohort_stream_finish(stream);
    cohort_stream_close(stream);
    if (status < 0) {
        cohort_free(*out_data);
        *out_data = NULL;
    }
    return status;
}

/* ------------------------------------------------------------------ metadata */

static cohort_status add_note(import *in, const char *key, const char *text)
{
    if (cohort_convert_is_of_file(key))
        return cohort_error_set(COHORT_EINVAL, "the key '%.256s' is one that is made for a file",
                                key);
    in->has_format = in->has_format || strcmp(key, COHORT_TENSORS_KEYS "format") == 0;
    return cohort_tensors_add_note(&in->layout, key, text);
}

static cohort_status parse_notes(import *in, cohort_json *json)
{
    cohort_status status = COHORT_OK;
    cohort_json_expect(json, '{');
    for (bool more = !cohort_json_take(json, '}'); more && status >= 0;
         more = cohort_json_more(json, '}')) {
        const char *key = cohort_json_key(json),
                   *text = key != NULL ? cohort_json_string(json, NULL) : NULL;
        status = text != NULL ? add_note(in, key, text) : status;
    }
    if (status >= 0)
        cohort_json_finish(json);
    return status >= 0 && json->why != NULL
               ? cohort_error_set(COHORT_EINVAL,
                                  "byte %zu of its text: %s; it is a JSON object of "
                                  "texts",
                                  json->why_at, json->why)
               : status;
}

/* The reader wants a 0 behind the text. */
static cohort_status take_text(import *in, const cohort_npy_header *header, const char *data)
{
    if (header->array.dtype != COHORT_U8 || header->array.rank != 1)
        return cohort_error_set(COHORT_EINVAL, "it is no row of uint8, as the metadata is");
    char *text = cohort_allocate((size_t)header->bytes + 1, 1);
    if (text == NULL)
        return cohort_error_memory("the metadata");
    memcpy(text, data, (size_t)header->bytes);
    cohort_json json = cohort_json_begin(text, (size_t)header->bytes);
    cohort_status status = parse_notes(in, &json);
    cohort_free(text);
    return status;
}

static cohort_status take_notes(import *in, int index)
{
    cohort_npy_header header;
    void *data;
    cohort_status status = read_member(in, index, &header, &data);
    if (status < 0)
        return status;
    status = take_text(in, &header, data);
    cohort_free(data);
    return status < 0 ? cohort_error_prefix(status, "%s, member '" COHORT_CONVERT_METADATA "'",
                                            in->file.path)
                      : status;
}

/* ------------------------------------------------------------------ the plan */

static cohort_status add_array(import *in, int index)
{
    cohort_stream *stream;
    cohort_npy_header header;
    const char *name = cohort_npz_name(in->npz, index);
    cohort_status status = open_member(in, index, &stream, &header);
    cohort_stream_close(stream);
    if (status < 0)
        return status;
    in->members[in->layout.n] = index;
    status = cohort_checkpoint_add(&in->layout, name, header.array.dtype,
                                   cohort_array_item_bytes(&header.array), header.array.rank,
                                   header.array.shape);
    return status < 0 ? cohort_error_prefix(status, "%s", in->file.path) : status;
}

static cohort_status add_member(import *in, int index)
{
    bool is_metadata = strcmp(cohort_npz_name(in->npz, index), COHORT_CONVERT_METADATA) == 0;
    return is_metadata ? take_notes(in, index) : add_array(in, index);
}

static int count(const cohort_npz *npz)
{
    int n = 0;
    while (cohort_npz_name(npz, n) != NULL)
        n++;
    return n;
}

static cohort_status plan(import *in)
{
    int n = count(in->npz);
    const char *other = cohort_npz_other(in->npz, 0);
    if (other != NULL)
        return cohort_error_set(COHORT_ENOTSUP, "%s: member '%.256s' is no array, as its name says",
                                in->file.path, other);
    in->members = cohort_allocate((size_t)n, sizeof *in->members);
    cohort_status status = in->members != NULL ? COHORT_OK : cohort_error_memory(in->file.path);
    for (int i = 0; i < n && status >= 0; i++)
        status = add_member(in, i);
    if (status >= 0 && !in->has_format)
        status = cohort_tensors_add_note(&in->layout, COHORT_TENSORS_KEYS "format",
                                         COHORT_CHECKPOINT_FORMAT);
    return status < 0 ? status : cohort_tensors_lay_out(&in->layout);
}

/* ------------------------------------------------------------------ writing */

/* The file is looked at for the second time. */
static cohort_status check_same(const import *in, const cohort_tensor_layout *t,
                                const cohort_npy_header *header)
{
    bool is_same =
        header->bytes == t->bytes && cohort_tensor_type_of(header->array.dtype) == t->type;
    return is_same
               ? COHORT_OK
               : cohort_error_set(COHORT_EINVAL, "%s: member '%.256s' changed while it was read",
                                  in->file.path, t->name);
}

static cohort_status write_bytes(cohort_replacement *file, cohort_tensor_layout *t,
                                 cohort_dtype dtype, void *data)
{
    if (!cohort_byte_order_is_little() && cohort_dtype_kind(dtype) != 'V')
        cohort_elements_arrange(data, t->bytes, dtype, true);
    t->sum = cohort_crc32c(0, data, (size_t)t->bytes);
    return cohort_replacement_write_at(file, t->at, data, (size_t)t->bytes);
}

static cohort_status write_tensor(import *in, cohort_replacement *file, cohort_tensor_layout *t)
{
    cohort_npy_header header;
    void *data;
    cohort_status status = read_member(in, in->members[t->index], &header, &data);
    if (status >= 0)
        status = check_same(in, t, &header);
    if (status >= 0)
        status = write_bytes(file, t, header.array.dtype, data);
    cohort_free(data);
    return status;
}

/* Metadata may say what no checkpoint says, such as a step that is no number. */
static cohort_status check_written(const import *in, const cohort_replacement *file)
{
    cohort_checkpoint *c;
    cohort_status status = cohort_checkpoint_begin_file(file->temporary, NULL, &c);
    cohort_checkpoint_end(c);
    return status < 0 ? cohort_error_prefix(status, "%s, member '" COHORT_CONVERT_METADATA "'",
                                            in->file.path)
                      : status;
}

static cohort_status write_all(import *in, cohort_replacement *file)
{
    cohort_status status = COHORT_OK;
    for (size_t i = 0; i < in->layout.n && status >= 0; i++)
        status = write_tensor(in, file, &in->layout.tensors[i]);
    if (status >= 0)
        status = cohort_checkpoint_write_header(file, &in->layout);
    return status < 0 ? status : check_written(in, file);
}

static cohort_status write_file(import *in, const char *to)
{
    cohort_replacement file;
    cohort_status status = cohort_replacement_open_durable(to, &file);
    return status < 0 ? status : cohort_replacement_close(&file, write_all(in, &file));
}

/* ------------------------------------------------------------------ all of it */

static cohort_status open_npz(import *in)
{
    bool is_zip = false;
    cohort_status status = cohort_npz_is_zip(&in->file, &is_zip);
    if (status < 0)
        return status;
    return is_zip ? cohort_npz_open(&in->file, &in->npz)
                  : cohort_error_set(COHORT_EINVAL,
                                     "%s: no .npz file, of which a checkpoint can be made",
                                     in->file.path);
}

cohort_status cohort_checkpoint_import(const char *from, const char *to)
{
import in = { 0 };
    cohort_status status = cohort_file_open(from, &in.file);
    if (status < 0)
        return status;
    status = open_npz(&in);
    if (status >= 0)
        status = plan(&in);
    if (status >= 0)
        status = write_file(&in, to);
    cohort_tensors_layout_free(&in.layout);
    cohort_free(in.members);
    cohort_npz_close(in.npz);
    cohort_file_close(&in.file);
    return status;
}
